import type { Scalar } from '../schema/schema.ts'

/** A number of each document, chosen by the shop, that multiplies its points. */
export interface PlannedNumeric {
  /** Ordinal of a field with a column and at most one number per document. */
  readonly field: number
  /** Maximum share by which it raises points, 0..1. */
  readonly weight: number
  readonly shape: 'linear' | 'log' | 'decay'
  /** Above 0; for a date in seconds. */
  readonly scale: number
  /** Where `decay` has its maximum; for a date in seconds since 1970. Others do not use it. */
  readonly origin: number
}

/** The signal of a value, 0..1 ("A shop's own number"). A document without a value has 0. */
export function numericSignal(
  { shape, scale, origin }: PlannedNumeric,
  given: Scalar | undefined,
): number {
  if (given === undefined) return 0
  const value = Number(given)
  switch (shape) {
    case 'linear':
      return Math.min(1, Math.max(0, value / scale))
    case 'log':
      return Math.min(1, Math.log1p(Math.max(0, value)) / Math.log1p(scale))
    case 'decay':
      return 2 ** (-Math.abs(value - origin) / scale)
  }
}

/** The factor of a signal on the points of a document: 1 .. 1 + weight. */
export function numericFactor({ weight }: PlannedNumeric, signal: number): number {
  return 1 + weight * signal
}

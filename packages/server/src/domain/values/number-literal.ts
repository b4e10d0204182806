import type { ElementType } from '@aisle/engine'
import { parseIsoDate } from './iso-date.ts'

export type NumericType = Exclude<ElementType, 'string' | 'bool' | 'date' | 'geopoint' | 'vector'>

/**
 * A number as seen by a field of some type, even if the field cannot hold it: then it lies above or
 * below all values of the field. Int fields keep the largest integer not above it, so any decimal
 * number is a sharp bound; int64 stays a bigint and never passes through a double.
 */
export interface NumberLiteral {
  /** bigint for int64, number otherwise; for float the number itself. */
  readonly floor: number | bigint
  /** `floor` is the number, exactly. Always true for float. */
  readonly integral: boolean
  /** The number as a double, to compare literals with the same floor. */
  readonly approximate: number
}

export interface Bound {
  readonly value: number | bigint
  readonly inclusive: boolean
}

const LIMITS: Readonly<Record<'int32' | 'int64', readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
}
/** 2^63 has 19 digits: a number with more digits before the point is beyond every range, … */
const INTEGER_DIGITS_MAX = 19
/** … and this one replaces it. */
const BEYOND = 10n ** BigInt(INTEGER_DIGITS_MAX)

const DECIMAL = /^([+-]?)(\d+(?:\.\d+)?|\.\d+)(?:[eE]([+-]?\d+))?$/

/**
 * Parses a decimal number or, for int fields, an ISO 8601 date (seconds since 1970, UTC by
 * default).
 *
 * @returns undefined if it is neither
 */
export function parseNumber(text: string, type: NumericType): NumberLiteral | undefined {
  const decimal = DECIMAL.exec(text)
  if (type === 'float') {
    if (decimal === null) return undefined
    const value = Number(text) + 0 // + 0 makes -0 equal to 0
    return { floor: value, integral: true, approximate: value }
  }
  const exact = decimal === null ? parseDate(text) : floorOfDecimal(decimal)
  if (exact === undefined) return undefined
  return {
    floor: type === 'int64' ? exact.floor : Number(exact.floor),
    integral: exact.integral,
    approximate: decimal === null ? Number(exact.floor) : Number(text),
  }
}

/** Whether the number lies within the range of the type. */
export function isInRange({ floor, integral }: NumberLiteral, type: NumericType): boolean {
  if (type === 'float') return Number.isFinite(floor)
  const [low, high] = LIMITS[type]
  return floor >= low && (integral ? floor <= high : floor < high)
}

/** The values at or above a number (inclusive) or above it. */
export function lowBound(number: NumberLiteral, inclusive: boolean): Bound {
  if (number.integral) return { value: number.floor, inclusive }
  const { floor } = number
  return { value: typeof floor === 'bigint' ? floor + 1n : floor + 1, inclusive: true }
}

/** The values at or below a number (inclusive) or below it. */
export function highBound(number: NumberLiteral, inclusive: boolean): Bound {
  return { value: number.floor, inclusive: inclusive || !number.integral }
}

/** `low` is above `high`, as written: such a range is a mistake, not an empty answer. */
export function isAbove(low: NumberLiteral, high: NumberLiteral): boolean {
  return low.floor === high.floor ? low.approximate > high.approximate : low.floor > high.floor
}

interface ExactFloor {
  readonly floor: bigint
  readonly integral: boolean
}

/** Exact for any number of digits, and fast for any exponent: at most 19 digits become a bigint. */
function floorOfDecimal([, sign, mantissa, exponent]: RegExpExecArray): ExactFloor {
  const [whole = '', fraction = ''] = mantissa!.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return { floor: 0n, integral: true }
  const scale = Number(exponent ?? 0) - fraction.length
  const integerDigits = digits.length + scale
  if (integerDigits > INTEGER_DIGITS_MAX) {
    return { floor: sign === '-' ? -BEYOND : BEYOND, integral: true }
  }
  const cut = Math.max(0, Math.min(digits.length, integerDigits))
  const padding = '0'.repeat(Math.max(0, Math.min(scale, INTEGER_DIGITS_MAX)))
  const magnitude = BigInt(digits.slice(0, cut) + padding)
  const integral = !/[1-9]/.test(digits.slice(cut))
  if (sign !== '-') return { floor: magnitude, integral }
  return { floor: integral ? -magnitude : -magnitude - 1n, integral }
}

/** Seconds, rounded down. */
function parseDate(text: string): ExactFloor | undefined {
  const date = parseIsoDate(text)
  if (date === undefined) return undefined
  const { wallMs, fraction, offsetMinutes = 0 } = date
  const floor = BigInt(wallMs / 1000 - offsetMinutes * 60)
  return { floor, integral: !/[1-9]/.test(fraction) }
}

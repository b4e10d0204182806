import type { NumericType } from './number-literal.ts'

/** Any integer with at most this many digits is an int32. */
const INT32_DIGITS = 9
/** Integers with at most this many digits are exact as doubles. */
const EXACT_DIGITS = 15
const POINT = 0x2e

const POWERS_OF_TEN = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, i) => 10 ** i)

/**
 * Parses JSON of digits and at most one point, like `parseNumber` but without a string in between;
 * nearly all numbers of a catalog look like this. Returns `undefined` for all others.
 *
 * Its digits are an integer below 2^53, divided by a power of ten that is exact, too: the quotient
 * is rounded once, as by `Number` (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
 */
export function plainNumber(
  bytes: Uint8Array,
  start: number,
  end: number,
  type: NumericType,
): number | bigint | undefined {
  if (end - start > EXACT_DIGITS + 1) return undefined
  let number = 0
  let decimals = -1
  for (let p = start; p < end; p++) {
    const digit = bytes[p]! - 0x30
    if (digit >= 0 && digit <= 9) {
      number = number * 10 + digit
      if (decimals >= 0) decimals++
    } else if (bytes[p] === POINT && decimals < 0) {
      decimals = 0
    } else return undefined
  }
  if (decimals >= 0) return type === 'float' ? number / POWERS_OF_TEN[decimals]! : undefined
  const digits = end - start
  if (digits > EXACT_DIGITS || (type === 'int32' && digits > INT32_DIGITS)) return undefined
  return type === 'int64' ? BigInt(number) : number
}

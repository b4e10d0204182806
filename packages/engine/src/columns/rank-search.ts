import { compareByCodePoint } from '../codec/code-point-order.ts'
import { isNumeric } from '../schema/schema.ts'
import type { Column } from './column-reader.ts'

/** Value ranks `from .. to - 1` of a column; empty when `to <= from`. */
export interface RankRange {
  readonly from: number
  readonly to: number
}

/** Bounds of a numeric range; an absent bound is open. */
export interface Bounds {
  readonly low?: number | bigint | undefined
  readonly high?: number | bigint | undefined
  /** Both are true by default. */
  readonly lowInclusive?: boolean | undefined
  readonly highInclusive?: boolean | undefined
}

const NO_RANKS: RankRange = { from: 0, to: 0 }

/** Ranks of the numbers within bounds, compared exactly (int64 too). Other types never match. */
export function ranksWithin(column: Column, bounds: Bounds): RankRange {
  if (!isNumeric(column.field)) return NO_RANKS
  const { low, high, lowInclusive = true, highInclusive = true } = bounds
  return {
    from: low === undefined ? 0 : countBelow(column, low, !lowInclusive),
    to: high === undefined ? column.valueCount : countBelow(column, high, highInclusive),
  }
}

/**
 * Ranks of the values equal to a value: at most one, except for strings, which are compared folded.
 */
export function ranksEqual(
  column: Column,
  value: string | number | bigint | boolean,
  fold: (text: string) => string,
): RankRange {
  switch (column.type) {
    case 'string': {
      if (typeof value !== 'string') return NO_RANKS
      const from = firstFoldedRank(column, value, false, fold, 0, column.valueCount)
      return { from, to: firstFoldedRank(column, value, true, fold, from, column.valueCount) }
    }
    case 'bool':
      return typeof value === 'boolean' ? rankOfNumber(column, value ? 1 : 0) : NO_RANKS
    case 'int64':
      return typeof value === 'bigint' ? rankOfNumber(column, value) : NO_RANKS
    default:
      return typeof value === 'number' ? rankOfNumber(column, value) : NO_RANKS
  }
}

/** Ranks of the strings with this folded prefix: they are contiguous. */
export function ranksStarting(
  column: Column,
  prefix: string,
  fold: (text: string) => string,
): RankRange {
  if (column.type !== 'string') return NO_RANKS
  const from = firstFoldedRank(column, prefix, false, fold, 0, column.valueCount)
  let to = from
  let high = column.valueCount
  while (to < high) {
    const middle = (to + high) >>> 1
    if (fold(column.text(middle)).startsWith(prefix)) to = middle + 1
    else high = middle
  }
  return { from, to }
}

function rankOfNumber(column: Column, value: number | bigint): RankRange {
  const from = countBelow(column, value, false)
  return { from, to: countBelow(column, value, true) }
}

/** Number of values below the bound (`inclusive`: or equal to it), by binary search. */
function countBelow(column: Column, bound: number | bigint, inclusive: boolean): number {
  let low = 0
  let high = column.valueCount
  while (low < high) {
    const middle = (low + high) >>> 1
    const value = column.numeric(middle)
    if (inclusive ? value <= bound : value < bound) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The first rank in `low .. high` whose folded text is not below (with `after`: is above) the given
 * one.
 */
export function firstFoldedRank(
  column: Column,
  folded: string,
  after: boolean,
  fold: (text: string) => string,
  low: number,
  high: number,
): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = compareByCodePoint(fold(column.text(middle)), folded)
    if (after ? order <= 0 : order < 0) low = middle + 1
    else high = middle
  }
  return low
}

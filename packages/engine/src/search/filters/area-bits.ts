import { setBit } from '../../codec/bitset.ts'
import { ranksInArea, ranksInAreaSteps } from '../../columns/area-ranks.ts'
import type { Column } from '../../columns/column-reader.ts'
import type { Area } from '../../places/area.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'
import type { ValueOrder } from '../view/value-order.ts'

/**
 * Sets the bits of the documents in an area, for a field with one place per document. Accesses only
 * the documents found, in the order of their places.
 *
 * @param order of the field's values
 */
export function* setBitsInArea(
  column: Column,
  order: ValueOrder,
  area: Area,
  bits: Uint32Array,
  pace: Pace,
): Steps {
  const { docOrds } = order
  const ranges = yield* rangesInArea(column, area, pace)
  const slices = slicesOf(ranges, column, order)
  for (let i = 0; i < slices.length; i += 2) {
    for (let at = slices[i]!; at < slices[i + 1]!; at++) setBit(bits, docOrds[at]!)
  }
}

/**
 * Slices of the order of a field's values with the documents in an area, as pairs `from, to`
 * (exclusive); for a field with one place per document.
 */
export function slicesInArea(column: Column, order: ValueOrder, area: Area): number[] {
  return slicesOf(
    ranksInArea(column, area, () => undefined),
    column,
    order,
  )
}

/** The ranks of the values in an area, as pairs `from, to` (exclusive). */
export function* rangesInArea(column: Column, area: Area, pace: Pace): Steps<number[]> {
  const steps = ranksInAreaSteps(column, area)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield* pause(pace)
  }
}

function slicesOf(ranges: readonly number[], column: Column, { docOrds }: ValueOrder): number[] {
  const slices: number[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    const [from, to] = [ranges[i]!, ranges[i + 1]!]
    const first = firstAtRank(column, docOrds, from)
    // Most ranks have one document, which saves the next look-up.
    slices.push(
      first,
      to - from === 1 ? endOfRank(column, docOrds, first) : firstAtRank(column, docOrds, to),
    )
  }
  return slices
}

/** The first of the documents, ordered by rank, with at least this rank. */
function firstAtRank({ ords }: Column, docOrds: Uint32Array, rank: number): number {
  let [low, high] = [0, docOrds.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ords[docOrds[middle]!]! - 1 < rank) low = middle + 1
    else high = middle
  }
  return low
}

/** The end of the documents with the same rank as the first. */
function endOfRank({ ords }: Column, docOrds: Uint32Array, first: number): number {
  const ord = ords[docOrds[first]!]
  let end = first + 1
  while (end < docOrds.length && ords[docOrds[end]!] === ord) end++
  return end
}

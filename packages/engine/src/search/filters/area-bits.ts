import { setBit } from '../../codec/bitset.ts'
import { ranksInArea } from '../../columns/area-ranks.ts'
import type { Column } from '../../columns/column-reader.ts'
import type { Area } from '../../places/area.ts'
import type { ValueOrder } from '../view/value-order.ts'

/**
 * Sets the bits of the documents in an area, for a field with one place per document. Accesses only
 * the documents found, in the order of their places.
 *
 * @param order of the field's values
 */
export function setBitsInArea(
  column: Column,
  order: ValueOrder,
  area: Area,
  bits: Uint32Array,
  checkDeadline: () => void,
): void {
  const { docOrds } = order
  const slices = slicesInArea(column, order, area, checkDeadline)
  for (let i = 0; i < slices.length; i += 2) {
    for (let at = slices[i]!; at < slices[i + 1]!; at++) setBit(bits, docOrds[at]!)
  }
}

/**
 * Slices of the order of a field's values with the documents in an area, as pairs `from, to`
 * (exclusive); for a field with one place per document.
 */
export function slicesInArea(
  column: Column,
  { docOrds }: ValueOrder,
  area: Area,
  checkDeadline: () => void,
): number[] {
  const ranges = ranksInArea(column, area, checkDeadline)
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

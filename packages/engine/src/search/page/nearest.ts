import { hasBit } from '../../codec/bitset.ts'
import type { Column } from '../../columns/column-reader.ts'
import { roundedMeters } from '../../places/distance.ts'
import { slicesInArea } from '../filters/area-bits.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'
import type { ValueOrder } from '../view/value-order.ts'
import type { KeySource } from './sort-keys.ts'
import { keysInSteps } from './sort-keys.ts'

/** With fewer matches, measuring all of them costs less than growing circles. */
const MATCHES_MIN = 2_000
/** Documents looked up between two looks at the clock. */
const DOCUMENTS_PER_CHECK = 16_384
const RADIUS_FIRST_METERS = 1_000
/** Ratio of the radius of each circle to the previous one. */
const GROWTH = 4
/** Half of the circumference of the earth. */
const RADIUS_MAX_METERS = 20_015_115

/**
 * The documents of a set that may be among the k nearest: circles around the place grow until one
 * contains enough of them. Of a million documents, some hundreds are measured instead of all.
 *
 * @param matches number of documents in the set
 * @param source an order by distance, nearest first
 * @param column of its field; one place per document
 * @param order of the field's values
 * @returns docOrds, ascending; undefined if measuring all matches is cheaper
 */
export function* nearestOf(
  set: Uint32Array,
  matches: number,
  k: number,
  source: KeySource,
  column: Column,
  order: ValueOrder,
  pace: Pace,
  matchesMin = MATCHES_MIN,
): Steps<Uint32Array | undefined> {
  const { key } = source
  if (key.kind !== 'distance' || key.descending || key.missing === 'first') return undefined
  if (column.isMulti || matches < matchesMin || k > matches / 4) return undefined
  const { docOrds } = order
  for (let meters = RADIUS_FIRST_METERS; meters < RADIUS_MAX_METERS; meters *= GROWTH) {
    const circle = { kind: 'circle', center: key.from, meters } as const
    yield* pause(pace)
    const slices = slicesInArea(column, order, circle)
    const found: number[] = []
    let seen = 0
    for (let i = 0; i < slices.length; i += 2) {
      for (let at = slices[i]!; at < slices[i + 1]!; at++) {
        if (++seen % DOCUMENTS_PER_CHECK === 0) yield* pause(pace)
        if (hasBit(set, docOrds[at]!)) found.push(docOrds[at]!)
      }
      if (found.length > matches / 2) return undefined
    }
    if (found.length < k) continue
    const near = Uint32Array.from(found).sort()
    const keys = new Float64Array(near.length)
    yield* keysInSteps(source, near, keys, pace)
    // Everything outside has at least this key.
    const bound = roundedMeters(meters, key)
    if (keys.reduce((count, one) => (one < bound ? count + 1 : count), 0) >= k) return near
  }
  return undefined
}

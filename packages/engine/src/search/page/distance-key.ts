import type { Column } from '../../columns/column-reader.ts'
import { type DistanceOrder, haversineMeters, roundedMeters } from '../../places/distance.ts'
import { latOf, lonOf } from '../../places/place.ts'

/** Metres from a place to the nearest place of documents, rounded as in a sort key. */
export class DistanceKey {
  readonly #column: Column
  readonly #order: DistanceOrder
  readonly #points: Uint32Array

  constructor(column: Column, order: DistanceOrder) {
    this.#column = column
    this.#order = order
    this.#points = column.points
  }

  /** @param ord ordinal of the document in the column; not 0, which means no value */
  ofOrd(ord: number): number {
    const { isMulti, setStart, setValues } = this.#column
    if (!isMulti) return roundedMeters(this.#meters(ord - 1), this.#order)
    let least = Infinity
    for (let i = setStart[ord]!; i < setStart[ord + 1]!; i++) {
      least = Math.min(least, this.#meters(setValues[i]!))
    }
    return roundedMeters(least, this.#order)
  }

  #meters(rank: number): number {
    const { lat, lon } = this.#order.from
    const [low, high] = [this.#points[2 * rank]!, this.#points[2 * rank + 1]!]
    return haversineMeters(lat, lon, latOf(low, high), lonOf(low, high))
  }
}

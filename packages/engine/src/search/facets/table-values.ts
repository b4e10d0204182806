import { BLOCK_COUNTERS, LANE_COUNTERS, LANES } from '../../codec/count-kernels.ts'
import type { DictionaryReader } from '../../dictionary/shared-dictionary.ts'
import { COUNTERS_MAX, type CountTable, type FacetMemory } from './facet-memory.ts'
import { nthLargest } from './nth-largest.ts'
import type { ValueCounts } from './value-counts.ts'

/** Texts with their counts. @param dictionary undefined: there are none */
export function textValues(
  ids: Uint32Array,
  counts: Uint32Array,
  dictionary: DictionaryReader | undefined,
): ValueCounts {
  return {
    length: ids.length,
    counts,
    label: (i) => dictionary!.text(ids[i]!),
    identity: (i) => ids[i]!,
    compare: (i, j) => dictionary!.compare(ids[i]!, ids[j]!),
    isSorted: false,
    stats: () => undefined,
  }
}

/** Of one table; one per thread, since a search never waits. */
const lanes = new Uint32Array(COUNTERS_MAX / LANE_COUNTERS + 1)

/** Texts counted in a table by id and one, listed only for who asks for more than a few. */
export class TableValues implements ValueCounts {
  readonly length: number
  readonly isSorted = false
  readonly #dictionary: DictionaryReader
  readonly #counters: Uint32Array
  /** See `FacetMemory.most`; valid while nothing else is counted. */
  readonly #maxima: Uint32Array
  #listed: ValueCounts | undefined

  constructor(memory: FacetMemory, table: CountTable, dictionary: DictionaryReader) {
    this.#dictionary = dictionary
    this.#counters = memory.counters(table)
    // Documents without a value.
    this.#counters[0] = 0
    const { counted, maxima } = memory.most(table)
    this.length = counted
    this.#maxima = maxima
  }

  get counts(): ArrayLike<number> {
    return this.#all.counts
  }

  label(i: number): string {
    return this.#all.label(i)
  }

  identity(i: number): number | bigint {
    return this.#all.identity(i)
  }

  compare(i: number, j: number): number {
    return this.#all.compare(i, j)
  }

  stats(): undefined {}

  /**
   * A count that so many counters reach is found without looking at all: the largest of a lane is
   * one of them. Only lanes that reach it are looked at.
   */
  most(limit: number): ValueCounts {
    if (limit < 1 || limit >= this.length) return this
    const [counters, maxima] = [this.#counters, this.#maxima]
    const least = Math.max(1, nthLargest(maxima, limit))
    let laneCount = 0
    for (let lane = 0; lane < maxima.length; lane++) {
      lanes[laneCount] = lane
      laneCount += maxima[lane]! >= least ? 1 : 0
    }
    // One more of each: a value is written before it is known to have enough.
    const ids = new Uint32Array(laneCount * LANE_COUNTERS + 1)
    const counts = new Uint32Array(ids.length)
    let count = 0
    for (let i = 0; i < laneCount; i++) {
      const lane = lanes[i]!
      const first = Math.floor(lane / LANES) * BLOCK_COUNTERS + (lane % LANES)
      const end = Math.min(counters.length, first + BLOCK_COUNTERS)
      for (let at = first; at < end; at += LANES) {
        const counter = counters[at]!
        ids[count] = at - 1
        counts[count] = counter
        count += counter >= least ? 1 : 0
      }
    }
    return textValues(ids.subarray(0, count), counts.subarray(0, count), this.#dictionary)
  }

  get #all(): ValueCounts {
    return (this.#listed ??= this.#list())
  }

  #list(): ValueCounts {
    const counters = this.#counters
    // One more: an id is written before it is known to be counted.
    const ids = new Uint32Array(this.length + 1)
    const counts = new Uint32Array(this.length + 1)
    let count = 0
    for (let at = 1; at < counters.length; at++) {
      ids[count] = at - 1
      counts[count] = counters[at]!
      // 1 unless it is 0, without a branch.
      count += -(counters[at]! | 0) >>> 31
    }
    const { length } = this
    return textValues(ids.subarray(0, length), counts.subarray(0, length), this.#dictionary)
  }
}

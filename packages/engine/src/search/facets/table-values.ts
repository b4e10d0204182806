import { BLOCK_COUNTERS, LANES } from '../../codec/count-kernels.ts'
import type { DictionaryReader } from '../../dictionary/shared-dictionary.ts'
import type { CountTable, FacetMemory } from './facet-memory.ts'
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
    const ids: number[] = []
    const counts: number[] = []
    for (let lane = 0; lane < maxima.length; lane++) {
      if (maxima[lane]! < least) continue
      const first = Math.floor(lane / LANES) * BLOCK_COUNTERS + (lane % LANES)
      const end = Math.min(counters.length, first + BLOCK_COUNTERS)
      for (let at = first; at < end; at += LANES) {
        if (counters[at]! < least) continue
        ids.push(at - 1)
        counts.push(counters[at]!)
      }
    }
    return textValues(Uint32Array.from(ids), Uint32Array.from(counts), this.#dictionary)
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

/** @returns 0 when there are fewer */
function nthLargest(numbers: Uint32Array, n: number): number {
  if (n > numbers.length) return 0
  // A heap with the least on top.
  const heap = numbers.slice(0, n).sort()
  for (let i = n; i < numbers.length; i++) {
    const number = numbers[i]!
    if (number <= heap[0]!) continue
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= n) break
      if (child + 1 < n && heap[child + 1]! < heap[child]!) child++
      if (heap[child]! >= number) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = number
  }
  return heap[0]!
}

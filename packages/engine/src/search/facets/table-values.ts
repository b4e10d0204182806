import type { DictionaryReader } from '../../dictionary/shared-dictionary.ts'
import type { CountTable, FacetMemory } from './facet-memory.ts'
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

/** Texts counted in a table by id plus one; listed only if a caller needs more than a few. */
export class TableValues implements ValueCounts {
  readonly length: number
  readonly isSorted = false
  readonly #memory: FacetMemory
  readonly #table: CountTable
  readonly #dictionary: DictionaryReader
  /** See `FacetMemory.most`; valid until the next count. */
  readonly #maxima: Uint32Array
  #listed: ValueCounts | undefined

  constructor(memory: FacetMemory, table: CountTable, dictionary: DictionaryReader) {
    this.#memory = memory
    this.#table = table
    this.#dictionary = dictionary
    // Documents without a value.
    memory.counters(table)[0] = 0
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
   * Finds the count that `limit` counters reach without a full scan, because the maximum of a lane
   * is one of them; reads only lanes that reach it.
   */
  most(limit: number): ValueCounts {
    if (limit < 1 || limit >= this.length) return this
    return this.#list(Math.max(1, nthLargest(this.#maxima, limit)))
  }

  get #all(): ValueCounts {
    return (this.#listed ??= this.#list(1))
  }

  #list(least: number): ValueCounts {
    const counters = this.#memory.counters(this.#table)
    const numbers = this.#memory.atLeast(this.#table, least)
    const { length } = numbers
    const ids = new Uint32Array(length)
    const counts = new Uint32Array(length)
    for (let i = 0; i < length; i++) {
      const number = numbers[i]!
      ids[i] = number - 1
      counts[i] = counters[number]!
    }
    return textValues(ids, counts, this.#dictionary)
  }
}

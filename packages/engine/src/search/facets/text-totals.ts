import type { Column } from '../../columns/column-reader.ts'
import type { DictionaryReader } from '../../dictionary/shared-dictionary.ts'
import { borrowCounts, giveBackCounts } from './count-arrays.ts'
import type { CountTable, FacetMemory } from './facet-memory.ts'
import type { SegmentCounts } from './segment-counts.ts'
import { TableValues, textValues } from './table-values.ts'
import type { FacetTotals, ValueCounts } from './value-counts.ts'

const NO_COUNTS = new Uint32Array(0)

/**
 * Ratio of the texts of a field to those of a segment above which only the counted ones are
 * scanned.
 */
const DICTIONARY_RATIO = 16

interface CountedById {
  readonly memory: FacetMemory
  readonly table: CountTable
  dictionary: DictionaryReader
}

/** Identifies texts by their number in the dictionary of the field, which all segments share. */
export class TextTotals implements FacetTotals {
  /** By id, borrowed with the first counts. */
  #totals = NO_COUNTS
  /** Ids with a total, unordered; borrowed. */
  #ids = NO_COUNTS
  #idCount = 0
  /** Whether too many have totals to list them before the end. */
  #isDense = false
  /** Dictionary of the totals. */
  #dictionary: DictionaryReader | undefined
  /** Counts in the memory of facets, and their newest dictionary. */
  #counted: CountedById | undefined

  tableFor(memory: FacetMemory, column: Column): CountTable | undefined {
    if (!memory.canNumberIds(column)) return undefined
    const dictionary = column.dictionary!
    if (this.#counted === undefined) {
      const table = memory.takeTable(dictionary.count + 1)
      if (table === undefined) return undefined
      this.#counted = { memory, table, dictionary }
    }
    const { table } = this.#counted
    if (dictionary.count >= table.length) return undefined
    if (dictionary.count > this.#counted.dictionary.count) this.#counted.dictionary = dictionary
    return table
  }

  add(counts: SegmentCounts): void {
    // A newer dictionary contains all strings of an older one.
    const dictionary = counts.column.dictionary!
    if (this.#dictionary === undefined || dictionary.count > this.#dictionary.count) {
      this.#enlarge(dictionary)
    }
    const isSparse =
      counts.isListed || counts.column.valueCount * DICTIONARY_RATIO < dictionary.count
    if (!this.#isDense && isSparse) {
      this.#idCount = counts.moveListed(this.#totals, this.#ids, this.#idCount)
    } else {
      this.#isDense = true
      counts.moveAll(this.#totals)
    }
  }

  finish(): ValueCounts {
    const counted = this.#counted
    if (counted !== undefined && this.#dictionary === undefined) {
      return new TableValues(counted.memory, counted.table, counted.dictionary)
    }
    if (counted !== undefined) this.#addTable(counted)
    if (this.#isDense) this.#listIds()
    const ids = this.#ids.subarray(0, this.#idCount)
    return textValues(ids, gather(this.#totals, ids), this.#dictionary)
  }

  release(): void {
    if (this.#dictionary === undefined) return
    const [totals, ids, idCount] = [this.#totals, this.#ids, this.#idCount]
    if (this.#isDense) totals.fill(0)
    else for (let i = 0; i < idCount; i++) totals[ids[i]!] = 0
    giveBackCounts(totals)
    giveBackCounts(ids.fill(0, 0, idCount + 1))
  }

  /** For documents counted partly there and partly here. */
  #addTable({ memory, table, dictionary }: CountedById): void {
    if (dictionary.count > this.#totals.length) this.#enlarge(dictionary)
    this.#isDense = true
    const counters = memory.counters(table)
    for (let id = 0; id + 1 < counters.length; id++) this.#totals[id]! += counters[id + 1]!
  }

  #enlarge(dictionary: DictionaryReader): void {
    const [totals, ids] = [this.#totals, this.#ids]
    this.#dictionary = dictionary
    this.#totals = borrowCounts(dictionary.count)
    this.#totals.set(totals)
    // One more, because an id is written before it is known to be new.
    this.#ids = borrowCounts(dictionary.count + 1)
    this.#ids.set(ids)
    if (totals === NO_COUNTS) return
    giveBackCounts(totals.fill(0))
    giveBackCounts(ids.fill(0))
  }

  #listIds(): void {
    const [totals, ids] = [this.#totals, this.#ids]
    let count = 0
    for (let id = 0; id < totals.length; id++) {
      ids[count] = id
      // 1 unless it is 0, without a branch.
      count += -(totals[id]! | 0) >>> 31
    }
    this.#idCount = count
  }
}

function gather(totals: Uint32Array, ids: Uint32Array): Uint32Array {
  const gathered = new Uint32Array(ids.length)
  for (let i = 0; i < ids.length; i++) gathered[i] = totals[ids[i]!]!
  return gathered
}

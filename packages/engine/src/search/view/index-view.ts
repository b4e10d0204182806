import type { Analyzer } from '../../analysis/analyzer.ts'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { valueAnalyzer } from '../../analysis/field-analyzer.ts'
import { hasBit, newBitset } from '../../codec/bitset.ts'
import type { Column } from '../../columns/column-reader.ts'
import { DictionaryReader } from '../../dictionary/shared-dictionary.ts'
import { TermReader } from '../../dictionary/term-store.ts'
import { openTree } from '../../dictionary/build-tree.ts'
import type { TermTree } from '../../dictionary/term-tree.ts'
import type { DocumentPopularity } from '../../query/popularity.ts'
import type { IndexSnapshot, SegmentHandle } from '../../segment/snapshot.ts'
import type { Schema } from '../../schema/schema.ts'
import { averageLength } from '../../scoring/formula.ts'
import { docOrdInserted } from '../../segment/insertion-order.ts'
import { SegmentReader } from '../../segment/segment-reader.ts'
import { FilterCache } from './filter-cache.ts'
import { ListBitsCache, USUAL_LIST_BITS } from './list-bits.ts'
import type { ListBitsRule } from './list-bits.ts'
import { levelsByDocOrd } from './popularity-levels.ts'
import { ValueIndex, VALUES_INDEXED_MAX } from './value-index.ts'
import type { Pace, Steps } from './steps.ts'
import { valueOrder, valueOrderInSteps, type ValueOrder } from './value-order.ts'
import { ValueWords } from './value-words.ts'
import { WordBitsCache } from './word-bits-cache.ts'

/**
 * Bytes of cached bitsets per segment and thread, for filters and for words each: 256 filters of a
 * large segment and more of a small one. A fixed 16 MiB held 28 filters of 4.5 million documents.
 */
const FILTER_CACHE_BYTES_MIN = 16 * 1024 * 1024
const FILTER_CACHE_BYTES_PER_DOCUMENT = 32
/** Evidence tables kept per segment: one per set of field weights in use. */
const EVIDENCE_TABLES_MAX = 8

/** Tables for runs of words kept per segment, a byte per impact code each. */
const RUN_CODES_MAX = 64

/** Which postings a run of words needs, see `RunRule`. */
export interface RunCodes {
  readonly codes: Uint8Array
  readonly fields: Uint8Array
}

/** Fields with a cached order per segment and thread, at 4 bytes per document. */
const VALUE_ORDERS_MAX = 8

/** Average number of documents that must share a value for words to be searched in the values. */
const DOCUMENTS_PER_VALUE_MIN = 8

/**
 * Maximum length of the values of a searchable field that are indexed for facet queries, in UTF-16
 * units: some 70 MB per thread. Descriptions are longer.
 */
const SEARCHED_UNITS_INDEXED_MAX = 32 * 1024 * 1024

/** Up to this many postings, the matches are listed and all scored: see `Matches`. */
export const RANK_ALL_MAX = 1000

/** Evidence of the impact codes of a segment under one set of field weights. */
export interface EvidenceTable {
  /** T by code, float32. */
  readonly evidence: Float32Array
  /** `saturate(T)` by code. */
  readonly saturated: Float32Array
  /** Whether no T is 0: every posting is in a searched field. */
  readonly isAllSearched: boolean
  /** By text field: 1 if it is searched. */
  readonly fields: Uint8Array
  /** By code: 2 if a searched field has the word, otherwise 0; see `RunRule.codes`. */
  readonly searchedCodes: Uint8Array
  /** Words side by side in searched fields, by their stem groups. */
  readonly phrases: FilterCache<FoundRun>
}

/** The documents of a segment with words side by side, deleted ones included. */
export interface FoundRun {
  /** docOrds, ascending. */
  readonly docOrds: Uint32Array
  /** The smallest evidence of the words, by the same index. */
  readonly evidence: Float32Array
  readonly byteLength: number
}

/**
 * A segment at one generation, as seen by one thread: the shared bytes, with caches of this thread
 * that all generations share.
 */
export class SegmentView {
  readonly id: number
  readonly reader: SegmentReader
  readonly filters: FilterCache
  readonly evidenceTables: Map<string, EvidenceTable>
  /** Documents that match a short prefix or an infix, by its text and the searched fields. */
  readonly wordBits: WordBitsCache
  /** By rule and fields. */
  readonly runCodes: Map<string, RunCodes>
  readonly listBits: ListBitsCache
  /** Lists with fewer postings are copied: see `ListBitsRule`. */
  readonly copiedBelow: number
  readonly #valueOrders: Map<number, ValueOrder>
  #popularity: { readonly of: DocumentPopularity; readonly levels: Uint16Array } | undefined
  /** Undefined: no document is deleted. */
  readonly live: Uint32Array | undefined

  /** @param before the same segment at an earlier generation */
  constructor(handle: SegmentHandle, listBits: ListBitsRule, before?: SegmentView) {
    this.id = handle.id
    this.live = handle.live === undefined ? undefined : new Uint32Array(handle.live)
    this.reader = before?.reader ?? new SegmentReader(handle.buffer)
    this.listBits = before?.listBits ?? new ListBitsCache(this.reader, listBits)
    this.copiedBelow = listBits.copiedBelow
    const { docCount } = this.reader
    const cacheBytes = Math.max(FILTER_CACHE_BYTES_MIN, docCount * FILTER_CACHE_BYTES_PER_DOCUMENT)
    this.filters = before?.filters ?? new FilterCache(cacheBytes)
    this.wordBits = before?.wordBits ?? new WordBitsCache(docCount, cacheBytes)
    this.evidenceTables = before?.evidenceTables ?? new Map<string, EvidenceTable>()
    this.runCodes = before?.runCodes ?? new Map<string, RunCodes>()
    this.#valueOrders = before === undefined ? new Map() : before.#valueOrders
    this.#popularity = before === undefined ? undefined : before.#popularity
  }

  /** The segment at a later generation; searches on this one go on. */
  at(handle: SegmentHandle, listBits: ListBitsRule): SegmentView {
    return this.live?.buffer === handle.live ? this : new SegmentView(handle, listBits, this)
  }

  isLive(docOrd: number): boolean {
    return this.live === undefined || hasBit(this.live, docOrd)
  }

  keepTable(key: string, table: EvidenceTable): EvidenceTable {
    if (this.evidenceTables.size >= EVIDENCE_TABLES_MAX) this.evidenceTables.clear()
    this.evidenceTables.set(key, table)
    return table
  }

  /** @param make called once per key while the result is cached */
  codesFor(key: string, make: () => RunCodes): RunCodes {
    let codes = this.runCodes.get(key)
    if (codes === undefined) {
      codes = make()
      if (this.runCodes.size >= RUN_CODES_MAX) this.runCodes.clear()
      this.runCodes.set(key, codes)
    }
    return codes
  }

  /** @param column of the field */
  valueOrder(field: number, column: Column): ValueOrder {
    const known = this.#valueOrders.get(field)
    return known ?? this.#keepOrder(field, valueOrder(column, this.reader.insertions))
  }

  /** The same in steps. */
  *valueOrderInSteps(field: number, column: Column, pace: Pace): Steps<ValueOrder> {
    const known = this.#valueOrders.get(field)
    if (known !== undefined) return known
    return this.#keepOrder(field, yield* valueOrderInSteps(column, this.reader.insertions, pace))
  }

  #keepOrder(field: number, order: ValueOrder): ValueOrder {
    if (this.#valueOrders.size >= VALUE_ORDERS_MAX) this.#valueOrders.clear()
    this.#valueOrders.set(field, order)
    return order
  }

  /** By docOrd. Caches the levels of the newest publication. */
  popularityLevels(documents: DocumentPopularity): Uint16Array {
    if (this.#popularity?.of !== documents) {
      const levels = levelsByDocOrd(this.reader.docKeys, documents)
      this.#popularity = { of: documents, levels }
    }
    return this.#popularity.levels
  }

  emptyBits(): Uint32Array {
    return newBitset(this.reader.docCount)
  }
}

/** An index at one generation, as seen by one thread. */
export class IndexView {
  readonly schema: Schema
  readonly analyzer: Analyzer
  /** N */
  readonly docCount: number
  /** By field ordinal. */
  readonly averageLengths: readonly number[]
  readonly terms: TermReader
  readonly trie: TermTree | undefined
  readonly values: readonly (DictionaryReader | undefined)[]
  readonly segments: readonly SegmentView[]
  readonly #valueIndexes: Map<number, ValueIndex>
  readonly valueWords: ValueWords
  readonly rankAllMax: number

  /** @param before the previous view, whose segment caches are kept */
  constructor(
    snapshot: IndexSnapshot,
    before?: IndexView,
    listBits = USUAL_LIST_BITS,
    rankAllMax = RANK_ALL_MAX,
  ) {
    this.rankAllMax = rankAllMax
    this.schema = snapshot.schema
    this.analyzer = createAnalyzer(snapshot.language)
    this.docCount = snapshot.docCount
    this.#valueIndexes = before === undefined ? new Map() : before.#valueIndexes
    this.valueWords = before?.valueWords ?? new ValueWords()
    this.averageLengths = snapshot.schema.fields.map((_, field) =>
      averageLength(snapshot.fieldTokens[field] ?? 0, snapshot.fieldDocs[field] ?? 0),
    )
    this.terms = new TermReader(snapshot.terms)
    this.trie =
      snapshot.trie === undefined
        ? undefined
        : before?.trie?.buffer === snapshot.trie
          ? before.trie
          : openTree(snapshot.trie)
    this.values = snapshot.values.map((handles) =>
      handles === undefined ? undefined : new DictionaryReader(handles),
    )
    const known = new Map(before?.segments.map((segment) => [segment.id, segment]))
    this.segments = snapshot.segments.map((handle) => {
      return known.get(handle.id)?.at(handle, listBits) ?? new SegmentView(handle, listBits)
    })
  }

  /**
   * The words of the values of a text field; undefined: of no such field, or not worth it. Filters
   * find words of a searchable field in its posting lists.
   *
   * @param isForFacets facet queries have only the values, also of a searchable field
   */
  valueIndex(field: number, isForFacets = false): ValueIndex | undefined {
    const dictionary = this.values[field]
    if (dictionary === undefined || dictionary.count > VALUES_INDEXED_MAX) return undefined
    const own = this.schema.fields[field]!
    if (own.searchable && dictionary.count * DOCUMENTS_PER_VALUE_MIN > this.docCount) {
      const { count, offsets } = dictionary
      if (!isForFacets || offsets[count]! > SEARCHED_UNITS_INDEXED_MAX) return undefined
    }
    const analyzer = valueAnalyzer(this.analyzer, own)
    let index = this.#valueIndexes.get(field)
    if (index?.analyzer !== analyzer || !index.follow(dictionary)) {
      index = new ValueIndex(analyzer, dictionary)
      this.#valueIndexes.set(field, index)
    }
    return index
  }

  /** Where the live document is whose first version had this docKey; it must exist. */
  findInserted(inserted: number): { readonly segmentIndex: number; readonly docOrd: number } {
    for (let segmentIndex = this.segments.length - 1; segmentIndex >= 0; segmentIndex--) {
      const segment = this.segments[segmentIndex]!
      const docOrd = docOrdInserted(segment.reader.insertions, inserted)
      if (docOrd >= 0 && segment.isLive(docOrd)) return { segmentIndex, docOrd }
    }
    throw new Error(`No live document was inserted as ${inserted}`)
  }

  column(segment: SegmentView, field: number): Column | undefined {
    return segment.reader.column(this.schema, field, this.values[field])
  }
}

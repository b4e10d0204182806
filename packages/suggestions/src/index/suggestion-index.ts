import { SectionReader } from '@aisle/engine'
import { hashText } from '../text/hash.ts'
import { BLOCK_ENTRIES, INDEX_MAGIC, RANK_STEP } from './build-index.ts'
import { NumberLists, StringList } from './string-list.ts'
import { WINDOWS } from './windows.ts'
import { placeIn } from './place-in.ts'

/** The values of entries in one window: parallel arrays by entry. */
export interface WindowCounts {
  /** Popularity * RANK_STEP + documents of the catalog name; 0: never suggested. */
  readonly rank: Float64Array
  /** The highest rank of each block of entries. */
  readonly blockRank: Float64Array
  /** Number of earlier entries with a rank. */
  readonly ranked: Uint32Array
  /** Distinct visitors who searched for it. */
  readonly visitors: Uint32Array
  readonly networks: Uint8Array
  /** Entries, the fastest growing first. */
  readonly trending: Uint32Array
  /** Indexes in `documents`, the most popular first. */
  readonly popularDocuments: Uint32Array
  readonly trendingDocuments: Uint32Array
}

/**
 * The suggestions of a store, read in place. Entries are numbered in the order of their folded
 * texts; an entry number is valid in one index only.
 */
export class SuggestionIndex {
  readonly buffer: SharedArrayBuffer
  readonly today: number
  readonly tagSets: readonly (readonly string[])[]
  readonly length: number
  readonly texts: StringList
  readonly folded: StringList
  readonly words: StringList
  readonly stems: StringList
  readonly wordStem: Uint32Array
  readonly stemWords: NumberLists
  readonly entryWords: NumberLists
  readonly entryJoined: NumberLists
  readonly postings: NumberLists
  readonly tagged: NumberLists
  readonly related: NumberLists
  /** Ids of clicked documents. */
  readonly documents: StringList
  readonly windows: readonly WindowCounts[]
  readonly #spelt: Uint8Array
  readonly #keyHash: Float64Array
  readonly #keyEntry: Uint32Array

  constructor(buffer: SharedArrayBuffer) {
    const reader = new SectionReader(buffer, INDEX_MAGIC)
    const properties = reader.properties as Pick<SuggestionIndex, 'today' | 'tagSets'>
    this.buffer = buffer
    this.today = properties.today
    this.tagSets = properties.tagSets
    this.texts = new StringList(reader, 'text')
    this.folded = new StringList(reader, 'folded')
    this.length = this.texts.length
    this.words = new StringList(reader, 'word')
    this.stems = new StringList(reader, 'stem')
    this.wordStem = reader.u32('wordStem')
    this.stemWords = new NumberLists(reader, 'stemWords')
    this.entryWords = new NumberLists(reader, 'entryWords')
    this.entryJoined = new NumberLists(reader, 'entryJoined')
    this.postings = new NumberLists(reader, 'postings')
    this.tagged = new NumberLists(reader, 'tagged')
    this.related = new NumberLists(reader, 'related')
    this.documents = new StringList(reader, 'document')
    this.#spelt = reader.u8('spelt')
    this.#keyHash = reader.f64('keyHash')
    this.#keyEntry = reader.u32('keyEntry')
    this.windows = WINDOWS.map((_, w) => ({
      rank: reader.f64(`rank${w}`),
      blockRank: reader.f64(`blockRank${w}`),
      ranked: reader.u32(`ranked${w}`),
      visitors: reader.u32(`visitors${w}`),
      networks: reader.u8(`networks${w}`),
      trending: reader.u32(`trending${w}`),
      popularDocuments: reader.u32(`popularDocuments${w}`),
      trendingDocuments: reader.u32(`trendingDocuments${w}`),
    }))
  }

  /** The entry of a query key, or -1. */
  find(key: string): number {
    const at = placeIn(this.#keyHash, hashText(key))
    return at < 0 ? -1 : this.#keyEntry[at]!
  }

  /** Whether an entry is a brand or a category of the catalog, with or without searches. */
  isName(entry: number): boolean {
    return this.windows[0]!.rank[entry]! % RANK_STEP > 0
  }

  /** Whether the spelling rules checked it and found it correct. */
  isSpelt(entry: number): boolean {
    return this.#spelt[entry] === 1
  }

  /** Stems of the words of an entry, in order. */
  stemsOf(entry: number): number[] {
    return Array.from(this.entryWords.of(entry), (word) => this.wordStem[word]!)
  }
}

export function popularityOfRank(rank: number): number {
  return Math.floor(rank / RANK_STEP)
}

export { BLOCK_ENTRIES }

import { PackedDocument, packedText } from '../opensearch/packed-document.ts'
import { unpackVectors } from '../opensearch/product-vectors.ts'
import { packedWordsOf } from '../opensearch/packed-words.ts'
import type { WordFinder } from '../opensearch/word-finder.ts'
import type { CandidateDocument } from '@aisle/engine/rescoring'
import type { Analyzer, IndexDocument, Schema, StoredVector } from '@aisle/engine'
import { toIndexDocument } from '@aisle/server/domain'

/** Bytes of documents that a node caches for the second stage, over all stores. */
const CANDIDATES_KEPT_MAX_BYTES = 96_000_000
/** Approximate overhead of an entry besides its words and values. */
const ENTRY_BYTES = 250
/** Approximate bytes of values per character of their JSON. */
const CHARACTER_BYTES = 3

/** Approximate overhead of a vector besides its numbers. */
const VECTOR_BYTES = 150
/** The share of unknown documents is that of about this many last ones. */
const COUNTED_DOCUMENTS = 2_000

/** A document as the cluster returned it: its words, its JSON, its vectors, or several of them. */
export interface FetchedCandidate {
  readonly docKey: number
  /** Base64, as the cluster stores them. */
  readonly words?: string | undefined
  /** The same; empty for none, absent if they were not requested. */
  readonly vectors?: readonly string[] | undefined
  readonly source?: { readonly id: string; readonly json: string } | undefined
}

/** A document that this node knows. */
export interface Candidate {
  readonly docKey: number
}

interface KeptStore {
  readonly scope: string
  readonly documents: Map<number, Entry>
  /** Of the documents that were needed lately, those that were not known. */
  unknownShare: number
}

/** A cached document in the list of last uses. */
interface Entry extends Candidate {
  readonly store: KeptStore
  older: Entry | undefined
  newer: Entry | undefined
  isKept: boolean
  bytes: number
  /** One character per byte. */
  words: string | undefined
  vectors: ReadonlyMap<number, StoredVector> | undefined
  /** Its values, as of the last search that needed them. */
  read: { readonly schema: Schema; readonly values: IndexDocument['values'] } | undefined
}

/** The parts of documents that a search needs. */
export interface NeededParts {
  readonly words: boolean
  readonly values: boolean
  readonly vectors: boolean
}

/** The cached documents of one store. */
export interface KeptCandidates {
  /** The share of recently needed documents that were not known; 1 at first. */
  readonly unknownShare: number
  /** Counts a needed document in that share. */
  count(isKnown: boolean): void
  /** Caches the parts that were fetched of a document, if there is space. */
  add(fetched: FetchedCandidate, how: StoreReading): Candidate
  get(docKey: number): Candidate | undefined
  /** Whether a document can be read without fetching anything. */
  has(candidate: Candidate, needed: NeededParts, how: StoreReading): boolean
  /**
   * Returns a document as our own formula needs it.
   * @param candidate a result of `add` or `get`; it may have been evicted since
   */
  read(candidate: Candidate, how: CandidateReading): CandidateDocument
}

/** How a document is read for one search. */
export interface CandidateReading extends StoreReading {
  readonly needed: NeededParts
  /** The words to look up; undefined: all of them. */
  readonly finder: WordFinder | undefined
  /** The docKey of its first version. */
  readonly inserted: number
}

/** How the texts of a store are read. */
export interface StoreReading {
  readonly schema: Schema
  readonly analyzer: Analyzer
}

/**
 * Caches the documents that recent searches of a node have found: their words as bytes, and their
 * values if a search needed them. A write gives a document another docKey, so a cached one is never
 * stale. The least recently found ones are evicted first.
 */
export class CandidateCache {
  readonly #stores = new Map<string, KeptStore>()
  readonly #bytesMax: number
  #bytes = 0
  #oldest: Entry | undefined
  #newest: Entry | undefined

  constructor(bytesMax = CANDIDATES_KEPT_MAX_BYTES) {
    this.#bytesMax = bytesMax
  }

  /** Approximate size of all entries. */
  get bytes(): number {
    return this.#bytes
  }

  /** @param scope identifies the documents of a store */
  of(scope: string): KeptCandidates {
    const stores = this.#stores
    return {
      get unknownShare() {
        return stores.get(scope)?.unknownShare ?? 1
      },
      count: (isKnown) => {
        const store = stores.get(scope)
        if (store === undefined) return
        store.unknownShare += ((isKnown ? 0 : 1) - store.unknownShare) / COUNTED_DOCUMENTS
      },
      add: (fetched, how) => this.#add(scope, fetched, how),
      get: (docKey) => {
        const entry = this.#stores.get(scope)?.documents.get(docKey)
        if (entry !== undefined) this.#use(entry)
        return entry
      },
      has: (candidate, { words, values, vectors }, { schema }) => {
        const entry = candidate as Entry
        return (
          (!words || entry.words !== undefined) &&
          (!values || entry.read?.schema === schema) &&
          (!vectors || entry.vectors !== undefined)
        )
      },
      read: (candidate, { needed, finder, inserted, schema }) => {
        const { docKey, words, vectors, read } = candidate as Entry
        const { fields } = schema
        const values = needed.values ? read!.values : []
        const storedVectors = needed.vectors ? vectors : undefined
        if (words !== undefined) {
          const parts = { inserted, fields, values, storedVectors, finder }
          return new PackedDocument(docKey, words, parts)
        }
        const document = { docKey, inserted, id: '', fields, values, tokens: [] }
        return storedVectors === undefined ? document : { ...document, storedVectors }
      },
    }
  }

  #add(
    scope: string,
    { docKey, words, vectors, source }: FetchedCandidate,
    how: StoreReading,
  ): Entry {
    const entry = this.#entry(scope, docKey)
    let more = 0
    if (vectors !== undefined && entry.vectors === undefined) {
      entry.vectors = unpackVectors(vectors)
      for (const { codes } of entry.vectors.values()) more += VECTOR_BYTES + codes.length
    }
    if (words !== undefined && entry.words === undefined) {
      entry.words = packedText(words)
      more += entry.words?.length ?? 0
    }
    if (source !== undefined && (entry.words === undefined || entry.read?.schema !== how.schema)) {
      const { id, json } = source
      const document = toIndexDocument({ docKey, id, json: Buffer.from(json) }, how.schema)
      if (entry.words === undefined) {
        entry.words = packedWordsOf(document, how.schema, how.analyzer)
        more += entry.words.length
      }
      if (entry.read === undefined) more += CHARACTER_BYTES * json.length
      entry.read = { schema: how.schema, values: document.values }
    }
    entry.bytes += more
    if (entry.isKept) this.#grow(more)
    return entry
  }

  /** Returns the entry of a document, or creates one without parts. */
  #entry(scope: string, docKey: number): Entry {
    let store = this.#stores.get(scope)
    if (store === undefined) {
      store = { scope, documents: new Map(), unknownShare: 1 }
      this.#stores.set(scope, store)
    }
    const before = store.documents.get(docKey)
    if (before !== undefined) return before
    const entry: Entry = {
      docKey,
      store,
      isKept: true,
      bytes: ENTRY_BYTES,
      older: undefined,
      newer: undefined,
      words: undefined,
      vectors: undefined,
      read: undefined,
    }
    store.documents.set(docKey, entry)
    this.#append(entry)
    this.#bytes += ENTRY_BYTES
    return entry
  }

  #use(entry: Entry): void {
    if (entry === this.#newest) return
    this.#unlink(entry)
    this.#append(entry)
  }

  #append(entry: Entry): void {
    entry.older = this.#newest
    entry.newer = undefined
    if (this.#newest !== undefined) this.#newest.newer = entry
    this.#newest = entry
    this.#oldest ??= entry
  }

  #unlink(entry: Entry): void {
    const { older, newer } = entry
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
  }

  /** Counts further bytes, and evicts entries beyond the limit. */
  #grow(bytes: number): void {
    this.#bytes += bytes
    while (this.#bytes > this.#bytesMax && this.#oldest !== undefined) {
      const entry = this.#oldest
      this.#unlink(entry)
      entry.isKept = false
      this.#bytes -= entry.bytes
      entry.store.documents.delete(entry.docKey)
      if (entry.store.documents.size === 0) this.#stores.delete(entry.store.scope)
    }
  }
}

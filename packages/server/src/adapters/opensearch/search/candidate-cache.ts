import { analyzeCandidate } from '@aisle/engine/candidates'
import type { CandidateDocument } from '@aisle/engine/candidates'
import type { Analyzer, IndexDocument, Schema } from '@aisle/engine'
import { toIndexDocument } from '../../../domain/documents/indexed-document.ts'

/** Bytes of documents that a node keeps for the second stage, all stores together. */
const CANDIDATES_KEPT_MAX_BYTES = 96_000_000
/** What an entry takes besides its texts and words, about. */
const ENTRY_BYTES = 600
/** Of each character of its JSON: once as it came, once more in its values. */
const CHARACTER_BYTES = 3
/** Of each token: form and stem are texts of their own. */
const TOKEN_BYTES = 130

/** A document as the cluster handed it out. */
export interface Candidate {
  readonly docKey: number
  readonly id: string
  readonly json: string
}

interface KeptStore {
  readonly scope: string
  readonly documents: Map<number, Entry>
}

/** A kept document, between the one that was used before it and the one that was used after it. */
interface Entry extends Candidate {
  readonly store: KeptStore
  older: Entry | undefined
  newer: Entry | undefined
  isKept: boolean
  bytes: number
  /** As the second stage reads it, by the last search that needed it. */
  read?: {
    readonly schema: Schema
    readonly analyzer: Analyzer
    readonly document: IndexDocument
    /** Absent while no search has needed its words. */
    words?: CandidateDocument
  }
}

/** The kept documents of one store. */
export interface KeptCandidates {
  /** Keeps a document, if there is room. */
  add(candidate: Candidate): Candidate
  get(docKey: number): Candidate | undefined
  /**
   * As our own formula needs it.
   * @param candidate of `add` or `get`; it may have made room for others since
   * @param needsWords whether its tokens are looked at
   */
  read(
    candidate: Candidate,
    needsWords: boolean,
    how: { readonly schema: Schema; readonly analyzer: Analyzer },
  ): CandidateDocument
}

/**
 * Documents that searches of a node have found last, with their words: to read and analyse 200 of
 * them takes longer than all the rest of a search. A write gives a document another docKey, so what
 * is kept is never out of date. Those that were not found for the longest time go first.
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

  /** Of all entries, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** @param scope of the documents of a store */
  of(scope: string): KeptCandidates {
    return {
      add: (candidate) => this.#add(scope, candidate),
      get: (docKey) => {
        const entry = this.#stores.get(scope)?.documents.get(docKey)
        if (entry !== undefined) this.#use(entry)
        return entry
      },
      read: (candidate, needsWords, how) => this.#read(candidate as Entry, needsWords, how),
    }
  }

  #add(scope: string, { docKey, id, json }: Candidate): Entry {
    let store = this.#stores.get(scope)
    if (store === undefined) {
      store = { scope, documents: new Map() }
      this.#stores.set(scope, store)
    }
    const before = store.documents.get(docKey)
    if (before !== undefined) return before
    const bytes = ENTRY_BYTES + CHARACTER_BYTES * json.length
    const unlinked = { older: undefined, newer: undefined, isKept: true }
    const entry: Entry = { docKey, id, json, store, bytes, ...unlinked }
    store.documents.set(docKey, entry)
    this.#append(entry)
    this.#grow(bytes)
    return entry
  }

  #read(
    entry: Entry,
    needsWords: boolean,
    { schema, analyzer }: { readonly schema: Schema; readonly analyzer: Analyzer },
  ): CandidateDocument {
    let { read } = entry
    if (read?.schema !== schema || read.analyzer !== analyzer) {
      const { docKey, id, json } = entry
      const document = toIndexDocument({ docKey, id, json: Buffer.from(json) }, schema)
      read = { schema, analyzer, document }
      entry.read = read
    }
    if (!needsWords) return { ...read.document, fields: schema.fields, tokens: [], titleWords: [] }
    if (read.words === undefined) {
      read.words = analyzeCandidate(read.document, schema, analyzer)
      const more = sizeOf(entry.json, read.words) - entry.bytes
      entry.bytes += more
      if (entry.isKept) this.#grow(more)
    }
    return read.words
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

  /** Counts further bytes, and makes room. */
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

function sizeOf(json: string, { tokens }: CandidateDocument): number {
  const tokenCount = tokens.reduce((sum, field) => sum + field.length, 0)
  return ENTRY_BYTES + CHARACTER_BYTES * json.length + TOKEN_BYTES * tokenCount
}

import { soughtWords, type CandidateDocument } from '@aisle/engine/rescoring'
import { hasBoosts, type SearchPlan, type SortKey } from '@aisle/engine'
import { WordFinder } from '../opensearch/word-finder.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { askBeside, type AnswersBeside, type Asked } from './asked.ts'
import type { Candidate, KeptCandidates, NeededParts, StoreReading } from './candidate-cache.ts'
import { searchProducts, type ProductHit, type SearchAnswer } from './product-searches.ts'
import type { SearchPlace } from './search-place.ts'
import type { PlannedWords } from './word-query.ts'

/** The parts of a document that our formula and the presentation need. */
export const SOURCE = ['id', 'key', 'json']
/** Ordered hits need only their docKey, which is their last sort value. */
const KEYS_ALONE = { _source: false, stored_fields: '_none_' }
/** What was packed when a document was written. */
const WORDS = 'tokens'
const VECTORS = 'vectors'
/** Share of unknown documents from which another request takes longer than all of their words. */
const PACKED_WITH_HITS_MIN = 0.5

interface ReadStore extends StoreReading {
  readonly place: SearchPlace
  readonly candidates: KeptCandidates
}

/**
 * Reads the documents among the hits of one search of a store. Searches that ask for documents
 * (`_source: SOURCE`) in an order that ends with the docKey get docKeys, and words if this node
 * knows few documents of the store. A further request reads what it lacks: words of the hits to
 * rank, and the JSON of those to show.
 */
export class CandidateReader {
  readonly #cluster: ClusterConnection
  readonly #store: ReadStore
  readonly #plan: SearchPlan
  readonly #isWhole: boolean
  readonly #needed: NeededParts
  /** Whether words come with the hits, because few of them are likely to be known. */
  readonly #isPackedWithHits: boolean
  /** Holds all candidates of this search, because the cache may evict them while it runs. */
  readonly #met = new Map<number, Candidate>()
  readonly #sources = new Map<number, { readonly id: string; readonly json: string }>()
  #sought: { readonly slots: PlannedWords['slots']; readonly finder: WordFinder } | undefined

  /** @param isWhole whether documents come with the hits, as of the same moment */
  constructor(cluster: ClusterConnection, store: ReadStore, plan: SearchPlan, isWhole = false) {
    this.#cluster = cluster
    this.#store = store
    this.#plan = plan
    this.#isWhole = isWhole
    this.#needed = neededParts(plan)
    const { unknownShare } = store.candidates
    this.#isPackedWithHits = !this.#needed.values && unknownShare > PACKED_WITH_HITS_MIN
  }

  /** @throws ClusterError */
  async ask(bodies: readonly object[]): Promise<readonly SearchAnswer[]> {
    const { answers } = await this.find(bodies, [])
    return this.complete(bodies, answers)
  }

  /**
   * Runs searches, and asks something else in the same request. `complete` then reads what is
   * missing of the documents found.
   * @throws ClusterError
   */
  find(bodies: readonly object[], beside: readonly Asked[]): Promise<AnswersBeside> {
    const { place } = this.#store
    const sent = bodies.map((body) => this.#sent(body))
    return askBeside(this.#cluster, place, sent, beside, this.#plan.deadlineMs)
  }

  /**
   * Reads the needed parts of documents that are not known yet.
   * @param answers to `find`
   * @returns answers whose documents are known
   * @throws ClusterError
   */
  async complete(
    bodies: readonly object[],
    answers: readonly SearchAnswer[],
  ): Promise<readonly SearchAnswer[]> {
    const { values } = this.#needed
    const sent = bodies.map((body) => this.#sent(body))
    const packed = this.#packed
    let missing = this.#meetAll(bodies, sent, answers)
    if (missing.length === 0) return answers
    if (!this.#isPackedWithHits) {
      missing = await this.#fetch(missing, values ? packed : { ...packed, ...KEYS_ALONE })
    }
    // Documents written by an older version have no words.
    if (missing.length > 0 && !values) missing = await this.#fetch(missing, packed)
    if (missing.length === 0) return answers
    // Another write replaced one since it was found: read hits and documents of the same moment.
    const wholeBodies = bodies.map((body) => this.#whole(body))
    const whole = await this.#search(wholeBodies)
    this.#meetAll(bodies, wholeBodies, whole)
    return whole
  }

  /**
   * Returns the hits of an answer to `ask`, as our own formula needs them.
   * @param slots the words to look up in them
   */
  read({ hits }: SearchAnswer, slots: PlannedWords['slots']): CandidateDocument[] {
    const { schema, candidates } = this.#store
    const finder = this.#finderOf(slots)
    return hits.hits.flatMap((hit): CandidateDocument[] => {
      const docKey = keyOf(hit)
      if (docKey === undefined) return []
      const inserted = insertedOf(hit, docKey)
      const candidate = this.#met.get(docKey)
      if (candidate !== undefined) {
        const how = { ...this.#store, needed: this.#needed, finder, inserted }
        return [candidates.read(candidate, how)]
      }
      // No words or values are needed; only a pinned document needs its id.
      const id = this.#sources.get(docKey)?.id ?? ''
      return [{ docKey, inserted, id, fields: schema.fields, values: [], tokens: [] }]
    })
  }

  /** Returns no finder for explanations, which need all words. */
  #finderOf(slots: PlannedWords['slots']): WordFinder | undefined {
    if (this.#plan.explain) return undefined
    if (this.#sought?.slots !== slots) {
      this.#sought = { slots, finder: new WordFinder(soughtWords(this.#plan, slots)) }
    }
    return this.#sought.finder
  }

  /**
   * Returns documents of hits, to show them.
   * @returns by docKey; undefined if another write has replaced one meanwhile
   */
  async documents(
    docKeys: readonly number[],
  ): Promise<ReadonlyMap<number, { readonly id: string; readonly json: string }> | undefined> {
    const missing = docKeys.filter((docKey) => !this.#sources.has(docKey))
    if (missing.length > 0) await this.#fetch(missing, {})
    return docKeys.every((docKey) => this.#sources.has(docKey)) ? this.#sources : undefined
  }

  /** @returns docKeys of hits that lack a needed part */
  #meetAll(
    bodies: readonly object[],
    sent: readonly object[],
    answers: readonly SearchAnswer[],
  ): number[] {
    const missing = answers.flatMap((answer, at) =>
      asksForDocuments(bodies[at]!) ? this.#meet(answer, isPacked(sent[at]!), true) : [],
    )
    return [...new Set(missing)]
  }

  /**
   * @param hasPacked whether packed parts were requested, so that a missing one does not exist
   * @param isFound whether these are hits, not documents fetched for them
   */
  #meet({ hits }: SearchAnswer, hasPacked: boolean, isFound: boolean): number[] {
    return hits.hits.flatMap((hit) => this.#take(hit, hasPacked, isFound) ?? [])
  }

  /** @returns the docKey, if the document lacks a needed part */
  #take(hit: ProductHit, hasPacked: boolean, isFound: boolean): number | undefined {
    const docKey = keyOf(hit)
    if (docKey === undefined) return undefined
    const { candidates } = this.#store
    const needed = this.#needed
    const { _source: source, fields } = hit
    if (source?.json !== undefined) this.#sources.set(docKey, source)
    if (!needed.words && !needed.values && !needed.vectors) return undefined
    let candidate = this.#met.get(docKey) ?? candidates.get(docKey)
    const isKnown = candidate !== undefined && candidates.has(candidate, needed, this.#store)
    if (isFound) candidates.count(isKnown)
    if (candidate === undefined || !isKnown) {
      const words = fields?.[WORDS]?.[0] as string | undefined
      const vectors =
        needed.vectors && hasPacked ? ((fields?.[VECTORS] ?? []) as readonly string[]) : undefined
      if (words === undefined && vectors === undefined && source?.json === undefined) return docKey
      candidate = candidates.add({ docKey, words, vectors, source }, this.#store)
      if (!candidates.has(candidate, needed, this.#store)) return docKey
    }
    this.#met.set(docKey, candidate)
    return undefined
  }

  /** @returns docKeys of documents that still lack a needed part */
  async #fetch(docKeys: readonly number[], parts: object): Promise<number[]> {
    const body = {
      // Reads the whole source: the cluster takes longer to filter it than to send it.
      _source: true,
      ...parts,
      size: docKeys.length,
      track_total_hits: false,
      query: {
        bool: {
          filter: [{ term: { scope: this.#store.place.scope } }, { terms: { key: docKeys } }],
        },
      },
      sort: [{ key: 'asc' }],
    }
    const [answer] = await this.#search([body])
    const there = new Set(answer!.hits.hits.map((hit) => keyOf(hit)))
    const lacking = this.#meet(answer!, isPacked(parts), false)
    return [...new Set(lacking), ...docKeys.filter((docKey) => !there.has(docKey))]
  }

  /** Asks for what is needed of what was packed. */
  get #packed(): { readonly docvalue_fields?: readonly string[] } {
    const { words, vectors } = this.#needed
    const names = [...(words ? [WORDS] : []), ...(vectors ? [VECTORS] : [])]
    return names.length === 0 ? {} : { docvalue_fields: names }
  }

  #sent(body: object): object {
    if (this.#isWhole || !asksForDocuments(body)) return this.#whole(body)
    if (!('sort' in body)) return this.#whole(body)
    return { ...body, ...KEYS_ALONE, ...(this.#isPackedWithHits ? this.#packed : {}) }
  }

  #whole(body: object): object {
    return asksForDocuments(body) ? { ...body, ...this.#packed } : body
  }

  #search(bodies: readonly object[]): Promise<SearchAnswer[]> {
    const { deadlineMs } = this.#plan
    return searchProducts(this.#cluster, this.#store.place, bodies, { deadlineMs })
  }
}

/** The parts that rank hits: words, ids for pins, values of fields, and vectors. */
function neededParts({ slots, phrases, exclusions, pins, ...plan }: SearchPlan): NeededParts {
  const isByValue = ({ kind }: SortKey): boolean =>
    kind === 'field' || kind === 'distance' || kind === 'filter'
  const values =
    hasBoosts(plan) ||
    plan.numeric !== undefined ||
    plan.groups !== undefined ||
    plan.sort.some(isByValue)
  const vectors =
    (slots.length > 0 && plan.meaning !== undefined) ||
    plan.sort.some(({ kind }) => kind === 'similarity')
  const hasWords = slots.length + phrases.length + exclusions.length > 0
  const isByPart = values || vectors
  return { words: hasWords || (isByPart && pins.length > 0), values, vectors }
}

/** The docKey of a hit that has its document, or whose sort order ends with the docKey. */
function keyOf({ _source, sort }: ProductHit): number | undefined {
  return _source?.key ?? (sort === undefined ? undefined : Number(sort.at(-1)))
}

/**
 * The docKey of the first version of a hit in an order that ends with `BY_INSERTION`. A missing one
 * comes as the least or the largest integer.
 */
function insertedOf({ sort }: ProductHit, docKey: number): number {
  const inserted = Number(sort?.at(-2) ?? docKey)
  return inserted > 0 && Number.isSafeInteger(inserted) ? inserted : docKey
}

function asksForDocuments(body: object): boolean {
  return (body as { readonly _source?: unknown })._source === SOURCE
}

/** Whether a search asks for what was packed. */
function isPacked(body: object): boolean {
  return 'docvalue_fields' in body
}

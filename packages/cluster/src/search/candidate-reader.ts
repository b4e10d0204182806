import { soughtWords, type CandidateDocument } from '@aisle/engine/rescoring'
import type { SearchPlan, SortKey } from '@aisle/engine'
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
/** The words of a hit, packed when it was written. */
const WORDS = { docvalue_fields: ['tokens'] }

interface ReadStore extends StoreReading {
  readonly place: SearchPlace
  readonly candidates: KeptCandidates
}

/**
 * Reads the documents among the hits of one search of a store. Searches that ask for documents
 * (`_source: SOURCE`) in an order that ends with the docKey get docKeys alone. A further request
 * reads what this node lacks: words of the hits to rank, and the JSON of those to show.
 */
export class CandidateReader {
  readonly #cluster: ClusterConnection
  readonly #store: ReadStore
  readonly #plan: SearchPlan
  readonly #isWhole: boolean
  readonly #needed: NeededParts
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
  }

  /** @throws ClusterError */
  async ask(bodies: readonly object[]): Promise<readonly SearchAnswer[]> {
    return (await this.askBeside(bodies, [])).answers
  }

  /**
   * Asks something else in the same request.
   * @throws ClusterError
   */
  async askBeside(bodies: readonly object[], beside: readonly Asked[]): Promise<AnswersBeside> {
    const { place } = this.#store
    const { deadlineMs } = this.#plan
    const sent = bodies.map((body) => (this.#isWhole ? withWords(body) : withoutDocuments(body)))
    const asked = await askBeside(this.#cluster, place, sent, beside, deadlineMs)
    return { ...asked, answers: await this.#withDocuments(bodies, asked.answers) }
  }

  /** Reads the needed parts of documents that are not known yet. */
  async #withDocuments(
    bodies: readonly object[],
    answers: readonly SearchAnswer[],
  ): Promise<readonly SearchAnswer[]> {
    const { words, values } = this.#needed
    let missing = this.#meet(answers.filter((_, at) => asksForDocuments(bodies[at]!)))
    if (missing.length === 0) return answers
    const parts = { ...(words ? WORDS : {}), ...(values ? {} : KEYS_ALONE) }
    missing = await this.#fetch(missing, parts)
    // Documents written by an older version have no words.
    if (missing.length > 0 && !values) missing = await this.#fetch(missing, WORDS)
    if (missing.length === 0) return answers
    // Another write replaced one since it was found: read hits and documents of the same moment.
    const whole = await this.#search(bodies.map(withWords))
    this.#meet(whole.filter((_, at) => asksForDocuments(bodies[at]!)))
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
  #meet(answers: readonly SearchAnswer[]): number[] {
    const missing = answers.flatMap(({ hits }) => hits.hits.flatMap((hit) => this.#take(hit) ?? []))
    return [...new Set(missing)]
  }

  /** @returns the docKey, if the document lacks a needed part */
  #take(hit: ProductHit): number | undefined {
    const docKey = keyOf(hit)
    if (docKey === undefined) return undefined
    const { candidates } = this.#store
    const { _source: source, fields } = hit
    if (source?.json !== undefined) this.#sources.set(docKey, source)
    if (!this.#needed.words && !this.#needed.values) return undefined
    let candidate = this.#met.get(docKey) ?? candidates.get(docKey)
    if (candidate === undefined || !candidates.has(candidate, this.#needed, this.#store)) {
      const words = fields?.['tokens']?.[0] as string | undefined
      if (words === undefined && source?.json === undefined) return docKey
      candidate = candidates.add({ docKey, words, source }, this.#store)
      if (!candidates.has(candidate, this.#needed, this.#store)) return docKey
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
    const [answer] = await this.#search([body], true)
    const there = new Set(answer!.hits.hits.map((hit) => keyOf(hit)))
    return [...this.#meet([answer!]), ...docKeys.filter((docKey) => !there.has(docKey))]
  }

  #search(bodies: readonly object[], isOnce = false): Promise<SearchAnswer[]> {
    const { deadlineMs } = this.#plan
    return searchProducts(this.#cluster, this.#store.place, bodies, { deadlineMs, isOnce })
  }
}

/** The parts that rank hits: words, ids for pins, and values of fields. */
function neededParts({ slots, phrases, exclusions, pins, ...plan }: SearchPlan): NeededParts {
  const isByValue = ({ kind }: SortKey): boolean =>
    kind === 'field' || kind === 'distance' || kind === 'filter' || kind === 'similarity'
  const values =
    plan.boosts.length > 0 ||
    plan.numeric !== undefined ||
    plan.groups !== undefined ||
    (slots.length > 0 && plan.meaning !== undefined) ||
    plan.sort.some(isByValue)
  const hasWords = slots.length + phrases.length + exclusions.length > 0
  return { words: hasWords || (values && pins.length > 0), values }
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

function withoutDocuments(body: object): object {
  if (!asksForDocuments(body)) return body
  return 'sort' in body ? { ...body, ...KEYS_ALONE } : withWords(body)
}

function withWords(body: object): object {
  return asksForDocuments(body) ? { ...body, ...WORDS } : body
}

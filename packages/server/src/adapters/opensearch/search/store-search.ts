import {
  explainScore,
  findSlots,
  findTitleCompanies,
  PAIR_CANDIDATES_MAX,
  placePins,
  rankDocuments,
  rankingScore,
  relevantDocuments,
} from '@aisle/engine/candidates'
import type { CandidateDocument, RankedDocument, TitleCompany } from '@aisle/engine/candidates'
import type {
  Analyzer,
  CompletionOutcome,
  CompletionRequest,
  FilterNode,
  RankedHit,
  Schema,
  SearchOutcome,
  SearchPlan,
} from '@aisle/engine'
import type { ClusterConnection } from '@aisle/opensearch'
import { readCandidates } from './candidate-reader.ts'
import type { ReadProducts } from './candidate-reader.ts'
import { ClusterCatalog } from './cluster-catalog.ts'
import { completionSearch, readCompletions } from './completion-request.ts'
import type { StoreFacts } from './fact-cache.ts'
import { facetAggregations, readFacets } from './facet-request.ts'
import { Facts } from './facts.ts'
import { filterQuery } from './filter-query.ts'
import { mainSearch, pageOf, pinSearch, relevanceSearch } from './main-request.ts'
import type { Page } from './main-request.ts'
import type { SearchAnswer } from './product-searches.ts'
import { searchProducts } from './product-searches.ts'
import type { PlannedWords } from './word-query.ts'
import { groupCount } from './word-questions.ts'
import type { SearchPlace } from './search-place.ts'

/** What is known of a store that is searched. */
export interface SearchedStore {
  readonly place: SearchPlace
  readonly schema: Schema
  readonly analyzer: Analyzer
  /** Facts about its words, kept from search to search. */
  readonly facts: StoreFacts
  /** Learns of the document of each hit: it need not be fetched again. */
  readonly onProduct: (docKey: number, id: string, json: Uint8Array) => void
}

/** Documents of one page of docKeys. */
const KEYS_PAGE = 10_000

/**
 * Executes plans on the documents of a store on a cluster, in two stages: the cluster matches,
 * counts, filters and sorts, and chooses candidates by a coarse score; their order comes from our
 * own formula. Every method throws ClusterError.
 */
export class StoreSearch {
  readonly #cluster: ClusterConnection
  readonly #store: SearchedStore

  constructor(cluster: ClusterConnection, store: SearchedStore) {
    this.#cluster = cluster
    this.#store = store
  }

  async search(plan: SearchPlan): Promise<SearchOutcome> {
    const { place, schema, analyzer } = this.#store
    const { facts, catalog } = this.#openFacts(plan)
    const facets = facetAggregations(place, plan, schema)

    // 1. What stands for each word, and the request that follows from it.
    const { words, companies, wide } = await facts.settle(() => {
      const words = this.#plannedWords(plan, catalog)
      const companies = findTitleCompanies(plan, words.slots, catalog, schema)
      return { words, companies, wide: mainSearch(words, facets) }
    })
    const relevant = await this.#relevantKeys(words, facts)
    const main = relevant === undefined ? wide : mainSearch(words, facets, relevant.keys)

    // 2. Matches, counts and candidates.
    const page = pageOf(plan)
    const bodies = [{ ...main, ...page }, ...(plan.pins.length === 0 ? [] : [pinSearch(words)])]
    const [answer, pinAnswer] = await this.#ask(bodies, plan.deadlineMs)
    const products: ReadProducts = new Map()
    const candidates = this.#read(answer!, plan, products)
    const pinned = pinAnswer === undefined ? [] : this.#read(pinAnswer, plan, products)

    // 3. The order of the best by our own formula.
    const hits = await facts.settle(() => {
      const order = this.#order(words, companies, candidates, page)
      return this.#hitsOf(words, companies, placed(plan, order, pinned, page))
    })
    for (const { docKey } of hits) {
      const { id, json } = products.get(docKey)!
      this.#store.onProduct(docKey, id, json)
    }
    return {
      found: (answer!.hits.total?.value ?? 0) + pinned.length,
      hits,
      facets: readFacets(answer!.aggregations ?? {}, plan, schema, analyzer),
      cutoff: facts.isPartial || relevant?.isPartial === true || answer!.timed_out,
      expansions: words.slots.map((slot) => slot.expansion),
    }
  }

  async complete(plan: SearchPlan, request: CompletionRequest): Promise<CompletionOutcome> {
    const { place, analyzer } = this.#store
    const { facts, catalog } = this.#openFacts(plan)
    const search = await facts.settle(() =>
      completionSearch(plan, request, place, { catalog, analyzer }),
    )
    const [answer] = await this.#ask([search.body], plan.deadlineMs)
    return readCompletions(search, answer!, request.limit)
  }

  /** Of each of these stems: whether some document holds a form of it in a searchable field. */
  async holds(stems: readonly string[]): Promise<readonly boolean[]> {
    const counts = stems.map((stem) => groupCount(this.#store.place, stem))
    const answers = await this.#ask(
      counts.map((count) => count.body()),
      undefined,
    )
    return counts.map(({ read }, i) => read(answers[i]!) > 0)
  }

  /** Live documents. */
  async docCount(): Promise<number> {
    const { place } = this.#store
    const body = { size: 0, track_total_hits: true, query: { term: { scope: place.scope } } }
    const [answer] = await this.#ask([body], undefined)
    return answer!.hits.total?.value ?? 0
  }

  /** The docKeys of all documents that meet a filter, ascending. */
  async matchingKeys(filter: FilterNode): Promise<Float64Array> {
    const { place } = this.#store
    const query = {
      bool: { filter: [{ term: { scope: place.scope } }, filterQuery(place, filter)] },
    }
    const keys: number[] = []
    let pageSize = KEYS_PAGE
    while (pageSize === KEYS_PAGE) {
      const after = keys.length === 0 ? {} : { search_after: [keys.at(-1)] }
      const body = { size: KEYS_PAGE, _source: false, query, sort: [{ key: 'asc' }], ...after }
      const [answer] = await this.#ask([body], undefined)
      const { hits } = answer!.hits
      for (const { sort } of hits) keys.push(Number(sort![0]))
      pageSize = hits.length
    }
    return Float64Array.from(keys)
  }

  #openFacts({ deadlineMs }: SearchPlan): {
    readonly facts: Facts
    readonly catalog: ClusterCatalog
  } {
    const { place, analyzer, facts: cache } = this.#store
    const facts = new Facts(this.#cluster, place, cache, deadlineMs)
    return { facts, catalog: new ClusterCatalog(facts, place, analyzer) }
  }

  #plannedWords(plan: SearchPlan, catalog: ClusterCatalog): PlannedWords {
    const { place, schema, analyzer } = this.#store
    const slots = findSlots(plan, { catalog, analyzer })
    const allSearched = schema.fields.every(
      ({ searchable }, field) => !searchable || plan.fieldWeights[field]! > 0,
    )
    return { plan, slots, place, analyzer, catalog, allSearched }
  }

  /** The documents with enough points; `undefined` when the plan does not ask for any. */
  async #relevantKeys(
    words: PlannedWords,
    facts: Facts,
  ): Promise<{ readonly keys: number[]; readonly isPartial: boolean } | undefined> {
    const { plan, slots, catalog } = words
    if (slots.length === 0 || (plan.minRelevance ?? 0) === 0) return undefined
    const [answer] = await this.#ask([relevanceSearch(words)], plan.deadlineMs)
    const candidates = this.#read(answer!, plan)
    const relevant = await facts.settle(() => relevantDocuments(plan, slots, candidates, catalog))
    return {
      keys: relevant.map(({ document }) => document.docKey),
      isPartial: answer!.timed_out,
    }
  }

  #ask(bodies: readonly object[], deadlineMs: number | undefined): Promise<SearchAnswer[]> {
    return searchProducts(this.#cluster, this.#store.place, bodies, { deadlineMs })
  }

  #read(
    { hits }: SearchAnswer,
    plan: SearchPlan,
    products: ReadProducts = new Map(),
  ): CandidateDocument[] {
    return readCandidates(hits.hits, plan, this.#store, products)
  }

  /** The matches that the cluster handed out, without pins: the best of all in our own order. */
  #order(
    { plan, slots, catalog }: PlannedWords,
    companies: readonly TitleCompany[],
    candidates: readonly CandidateDocument[],
    page: Page,
  ): RankedDocument[] {
    const { analyzer } = this.#store
    const { minRelevance: _, ...wide } = plan
    const scored = relevantDocuments(wide, slots, candidates, catalog)
    const best = page.from === 0 ? scored.slice(0, PAIR_CANDIDATES_MAX) : []
    return [
      ...rankDocuments(plan, slots, companies, best, { ...this.#store, catalog }),
      ...scored.slice(best.length).map((one) => ({
        document: one.document,
        textMatchScore: rankingScore(plan, one, analyzer),
      })),
    ]
  }

  #hitsOf(
    { plan, slots, catalog }: PlannedWords,
    companies: readonly TitleCompany[],
    ranked: readonly RankedDocument[],
  ): RankedHit[] {
    return ranked.map(({ document, textMatchScore, pinned }): RankedHit => {
      const hit = { docKey: document.docKey, textMatchScore }
      if (pinned === true) return { ...hit, pinned }
      if (!plan.explain) return hit
      const explanation = explainScore(
        plan,
        slots,
        companies,
        document,
        textMatchScore,
        catalog,
        this.#store.analyzer,
      )
      return { ...hit, explanation }
    })
  }
}

/** The page, with pinned documents in their places. */
function placed(
  plan: SearchPlan,
  order: readonly RankedDocument[],
  pinned: readonly CandidateDocument[],
  page: Page,
): RankedDocument[] {
  const pins = new Map(
    pinned.map((document) => [document.id, { document, textMatchScore: 0, pinned: true } as const]),
  )
  const before = Array.from({ length: page.from }, () => undefined)
  return placePins<RankedDocument | undefined>(plan, [...before, ...order], pins)
    .slice(plan.from, plan.from + plan.size)
    .filter((ranked) => ranked !== undefined)
}

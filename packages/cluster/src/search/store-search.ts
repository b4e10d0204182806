import {
  hitsOf,
  matchedTerms,
  PAIR_CANDIDATES_MAX,
  rankDocuments,
  rankingScore,
  relevantDocuments,
} from '@aisle/engine/rescoring'
import type { CandidateDocument, RankedDocument } from '@aisle/engine/rescoring'
import { restIfDue } from '@aisle/server/ports'
import type {
  CompletionOutcome,
  CompletionRequest,
  FilterNode,
  SearchOutcome,
  SearchPlan,
} from '@aisle/engine'
import { deadlineCheck } from '@aisle/engine'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { askBeside } from './asked.ts'
import { CandidateReader } from './candidate-reader.ts'
import { ClusterCatalog } from './cluster-catalog.ts'
import { completionSearch, readCompletions } from './completion-request.ts'
import { countIntervals } from './counted-intervals.ts'
import { facetValues, readFacets } from './facet-request.ts'
import { Facts } from './facts.ts'
import { filterQuery } from './filter-query.ts'
import { FirstStage } from './first-stage.ts'
import { countGroupFacets } from './group-facets.ts'
import { GROUP_SIZES, searchGroups } from './group-search.ts'
import { GroupValues } from './group-values.ts'
import { firstPage, pageOf, type Page } from './main-request.ts'
import { type SearchAnswer, searchProducts } from './product-searches.ts'
import type { SearchedStore } from './searched-store.ts'
import type { StoreState } from './store-versions.ts'
import { wholeOrder } from './whole-order.ts'
import type { PlannedWords } from './word-query.ts'
import { groupCount } from './word-questions.ts'
import { writtenBody, writtenState } from './written-state.ts'

/** Documents per page of docKeys. */
const KEYS_PAGE = 10_000

/**
 * Executes plans on the documents of a store on a cluster, in two stages: the cluster matches,
 * counts, filters, sorts, and chooses candidates by a coarse score; our own formula ranks them.
 * Every method throws ClusterError.
 */
export class StoreSearch {
  readonly #cluster: ClusterConnection
  readonly #store: SearchedStore

  constructor(cluster: ClusterConnection, store: SearchedStore) {
    this.#cluster = cluster
    this.#store = store
  }

  async search(plan: SearchPlan): Promise<SearchOutcome> {
    // If another write has replaced a hit meanwhile, the retry reads documents together with the
    // hits.
    return (await this.#search(plan, false)) ?? (await this.#search(plan, true))!
  }

  /** @returns `undefined` when a hit that is to be shown no longer exists */
  async #search(plan: SearchPlan, isWhole: boolean): Promise<SearchOutcome | undefined> {
    const { place, schema, analyzer, turns } = this.#store
    const facts = this.#openFacts(plan)
    const reader = new CandidateReader(this.#cluster, this.#store, plan, isWhole)
    const { groups } = plan
    const { groupSizes = GROUP_SIZES } = this.#store
    const page = groups === undefined ? pageOf(plan) : firstPage(plan, groupSizes.first)

    // 1. Alternatives of each word; matches, counts and candidates.
    const stage = new FirstStage(this.#store, plan, page, { facts, reader })
    const matched = await stage.match()
    const { built, relevant, answer, pinAnswer, asOf } = matched
    const { words, main } = built
    const counted = await countIntervals(place, plan, main, answer, (bodies) =>
      this.#ask(bodies, plan.deadlineMs),
    )
    await restIfDue(turns)
    const candidates = reader.read(answer, words.slots)
    const pinned = pinAnswer === undefined ? [] : reader.read(pinAnswer, words.slots)
    const byMeaning = await stage.foundByMeaning(matched)

    // 2. Our own formula ranks the best. With groups, some hits may still be missing.
    const wordCount = answer.hits.total?.value ?? 0
    const found = wordCount + pinned.length + byMeaning.total
    await restIfDue(turns)
    const byWords = await facts.settle(() => this.#order(words, candidates, page))
    await restIfDue(turns)
    const placed = wholeOrder(plan, { byWords, page, wordCount, byMeaning, pinned })
    const groupedBy = groups && {
      words,
      groups,
      values: new GroupValues(groups, this.#store),
      relevantKeys: relevant?.keys,
      ask: (bodies: readonly object[]) => reader.ask(bodies),
      sizes: groupSizes,
    }
    const grouped =
      groupedBy &&
      (await searchGroups({
        ...groupedBy,
        first: placed.filter((ranked) => ranked !== undefined),
        found,
        rank: (answer) => {
          const documents = reader.read(answer, words.slots)
          return facts.settle(() => this.#asTheyCame(words, documents))
        },
      }))
    const { aggregations } = counted
    const groupFacets =
      groupedBy?.groups.facetCount === 'groups'
        ? await countGroupFacets(groupedBy, (facet) =>
            facetValues(aggregations, plan, schema, facet).map(([value]) => value),
          )
        : undefined
    const shown =
      grouped?.shown ??
      placed.slice(plan.from, plan.from + plan.size).filter((ranked) => ranked !== undefined)
    const hits = await facts.settle(() => hitsOf(plan, { ...words, analyzer }, shown))
    if (!(await this.#learnProducts(hits, reader))) return undefined
    await restIfDue(turns)
    const facets =
      built.knownFacets ??
      readFacets(aggregations, plan, schema, analyzer, counted.spans, groupFacets?.facets)
    if (built.facets !== undefined && asOf !== undefined && !answer.timed_out) {
      facts.remember(built.facets, facets, asOf)
    }
    return {
      found,
      hits,
      ...(byMeaning.total === 0 ? {} : { foundByMeaning: byMeaning.total }),
      ...(grouped === undefined ? {} : { groups: { found: grouped.found, page: grouped.page } }),
      facets,
      cutoff:
        facts.isPartial ||
        relevant?.isPartial === true ||
        grouped?.isPartial === true ||
        groupFacets?.isPartial === true ||
        counted.isPartial ||
        byMeaning.isPartial ||
        answer.timed_out,
      matchedTerms: matchedTerms(words.slots, words.demand),
      expansions: words.slots.map((slot) => slot.expansion),
    }
  }

  /**
   * Passes the documents of hits on, so that showing them needs no further fetch.
   * @returns whether all of them still exist
   */
  async #learnProducts(hits: SearchOutcome['hits'], reader: CandidateReader): Promise<boolean> {
    const { hasProduct, onProduct } = this.#store
    const unknown = hits.map(({ docKey }) => docKey).filter((docKey) => !hasProduct(docKey))
    if (unknown.length === 0) return true
    const documents = await reader.documents(unknown)
    if (documents === undefined) return false
    for (const docKey of unknown) {
      const { id, json } = documents.get(docKey)!
      onProduct(docKey, id, Buffer.from(json))
    }
    return true
  }

  async complete(plan: SearchPlan, request: CompletionRequest): Promise<CompletionOutcome> {
    const { place, analyzer } = this.#store
    const facts = this.#openFacts(plan)
    const { result: search, answers } = await facts.confirm(
      () => {
        const catalog = new ClusterCatalog(facts, place, analyzer)
        return completionSearch(plan, request, place, { catalog, analyzer })
      },
      ({ body }) => [body],
      (searches, beside) => askBeside(this.#cluster, place, searches, beside, plan.deadlineMs),
    )
    const [answer] = answers
    return readCompletions(search, answer!, request)
  }

  /** Whether any document has a form of each stem in a searchable field. */
  async holds(stems: readonly string[]): Promise<readonly boolean[]> {
    const counts = stems.map((stem) => groupCount(this.#store.place, stem))
    const answers = await this.#ask(
      counts.map((count) => count.body()),
      undefined,
    )
    return counts.map(({ read }, i) => read(answers[i]!) > 0)
  }

  /** The number of live documents. */
  async docCount(): Promise<number> {
    const { place } = this.#store
    const body = { size: 0, track_total_hits: true, query: { term: { scope: place.scope } } }
    const [answer] = await this.#ask([body], undefined)
    return answer!.hits.total?.value ?? 0
  }

  /** Numbers that differ after any change of the documents; undefined: time ran out. */
  async written(): Promise<StoreState | undefined> {
    const [answer] = await this.#ask([writtenBody(this.#store.place)], undefined)
    return writtenState(answer!)
  }

  /** Returns the docKeys of all documents that match a filter, ascending. */
  async matchingKeys(filter: FilterNode, deadlineMs?: number): Promise<Float64Array> {
    const checkDeadline = deadlineCheck(deadlineMs)
    const { place } = this.#store
    const query = {
      bool: { filter: [{ term: { scope: place.scope } }, filterQuery(place, filter)] },
    }
    const keys: number[] = []
    let pageSize = KEYS_PAGE
    while (pageSize === KEYS_PAGE) {
      checkDeadline()
      const after = keys.length === 0 ? {} : { search_after: [keys.at(-1)] }
      const body = { size: KEYS_PAGE, _source: false, query, sort: [{ key: 'asc' }], ...after }
      const [answer] = await this.#ask([body], undefined)
      const { hits } = answer!.hits
      for (const { sort } of hits) keys.push(Number(sort![0]))
      pageSize = hits.length
    }
    return Float64Array.from(keys)
  }

  #openFacts({ deadlineMs }: SearchPlan): Facts {
    const { place, facts: cache } = this.#store
    return new Facts(this.#cluster, place, cache, deadlineMs)
  }

  #ask(bodies: readonly object[], deadlineMs: number | undefined): Promise<SearchAnswer[]> {
    return searchProducts(this.#cluster, this.#store.place, bodies, { deadlineMs })
  }

  /**
   * Orders the matches that the cluster returned, without pins: our own formula ranks the best
   * ones.
   */
  #order(
    words: PlannedWords,
    candidates: readonly CandidateDocument[],
    page: Page,
  ): RankedDocument[] {
    const { plan, slots } = words
    const best = page.from === 0 ? candidates.slice(0, PAIR_CANDIDATES_MAX) : []
    const scored = this.#scored(words, best)
    return [
      ...rankDocuments(plan, slots, scored, this.#store),
      ...this.#asTheyCame(words, candidates.slice(best.length)),
    ]
  }

  /** Keeps the order of the cluster, with the scores of our formula. */
  #asTheyCame(words: PlannedWords, candidates: readonly CandidateDocument[]): RankedDocument[] {
    return this.#scored(words, candidates).map((one) => ({
      document: one.document,
      textMatchScore: rankingScore(words.plan, one, this.#store.analyzer),
    }))
  }

  #scored(
    { plan, slots, catalog, demand }: PlannedWords,
    candidates: readonly CandidateDocument[],
  ) {
    const { minRelevance: _, ...wide } = plan
    return relevantDocuments(wide, slots, candidates, catalog, demand)
  }
}

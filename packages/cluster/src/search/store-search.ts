import {
  hitsOf,
  matchedTerms,
  MEANING_CANDIDATES,
  PAIR_CANDIDATES_MAX,
  rankDocuments,
  rankingScore,
  relevantDocuments,
} from '@aisle/engine/rescoring'
import type { CandidateDocument, RankedDocument } from '@aisle/engine/rescoring'
import { restIfDue, type Turns } from '@aisle/server/ports'
import type {
  Analyzer,
  CompletionOutcome,
  CompletionRequest,
  FacetOutcome,
  FilterNode,
  Schema,
  SearchOutcome,
  SearchPlan,
} from '@aisle/engine'
import { deadlineCheck } from '@aisle/engine'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { askBeside } from './asked.ts'
import type { KeptCandidates } from './candidate-cache.ts'
import { CandidateReader } from './candidate-reader.ts'
import { ClusterCatalog } from './cluster-catalog.ts'
import { completionSearch, readCompletions } from './completion-request.ts'
import { expectedQuestions } from './expected-questions.ts'
import type { StoreFacts } from './fact-cache.ts'
import { countIntervals } from './counted-intervals.ts'
import { facetAggregations, facetValues, readFacets } from './facet-request.ts'
import { Facts } from './facts.ts'
import { filterQuery } from './filter-query.ts'
import { FoundCounts } from './found-counts.ts'
import { countGroupFacets } from './group-facets.ts'
import { GROUP_SIZES, searchGroups, type GroupSizes } from './group-search.ts'
import { GroupValues } from './group-values.ts'
import { facetsQuestion } from './known-facets.ts'
import {
  firstPage,
  mainSearch,
  matchedFirst,
  meaningSearch,
  pageOf,
  pinSearch,
  relevanceSearch,
  WINDOW_MAX,
  withoutOrder,
} from './main-request.ts'
import type { Page } from './main-request.ts'
import { type SearchAnswer, searchProducts } from './product-searches.ts'
import { type FoundByMeaning, wholeOrder } from './whole-order.ts'
import { plannedWords } from './planned-words.ts'
import type { Question } from './question.ts'
import type { PlannedWords } from './word-query.ts'
import { groupCount } from './word-questions.ts'
import type { SearchPlace } from './search-place.ts'
import type { StoreState } from './store-versions.ts'
import { writtenBody, writtenState } from './written-state.ts'

/** The known state of a searched store. */
export interface SearchedStore {
  readonly place: SearchPlace
  readonly schema: Schema
  readonly analyzer: Analyzer
  /** Whether its documents have `evidence`: those of older versions lack it. */
  readonly hasEvidence: boolean
  /** Of the request: ranking rests between its stages. */
  readonly turns: Turns
  /** Facts about its words, cached across searches. */
  readonly facts: StoreFacts
  /** Its documents, cached likewise. */
  readonly candidates: KeptCandidates
  /** Receives the document of each hit, so that it need not be fetched again. */
  readonly onProduct: (docKey: number, id: string, json: Uint8Array) => void
  /** Whether it already has a document. */
  readonly hasProduct: (docKey: number) => boolean
  readonly groupSizes?: GroupSizes
}

interface BuiltSearch {
  readonly words: PlannedWords
  readonly main: Record<string, unknown>
  /** The search for what only its meaning finds; undefined: the plan asks for none. */
  readonly meant: ((size: number) => object) | undefined
  /** Asks for its facets; undefined if they are not remembered. */
  readonly facets?: Question<readonly FacetOutcome[]> | undefined
  /** Its facets, if they are remembered: then the main search does not count them. */
  readonly knownFacets?: readonly FacetOutcome[] | undefined
}

interface RelevantKeys {
  readonly keys: number[]
  readonly isPartial: boolean
}

interface Matched {
  readonly built: BuiltSearch
  readonly answer: SearchAnswer
  /** To the search for pinned documents; undefined: the plan has none. */
  readonly pinAnswer: SearchAnswer | undefined
  /** To the search by meaning. */
  readonly meantAnswer: SearchAnswer | undefined
  /** `undefined` if the plan has no minimum relevance. */
  readonly relevant: RelevantKeys | undefined
  /** The version of the documents that the main search counted; undefined if unknown. */
  readonly asOf?: number | undefined
}

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
    const matched = await this.#match(plan, page, facts, reader)
    const { built, relevant, answer, pinAnswer, asOf } = matched
    const { words, main } = built
    const counted = await countIntervals(place, plan, main, answer, (bodies) =>
      this.#ask(bodies, plan.deadlineMs),
    )
    await restIfDue(turns)
    const candidates = reader.read(answer, words.slots)
    const pinned = pinAnswer === undefined ? [] : reader.read(pinAnswer, words.slots)
    const byMeaning = await this.#foundByMeaning(plan, matched, reader)

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

  /**
   * The first stage: finds the alternatives of the words of a plan, and what the cluster matches
   * for them.
   */
  async #match(
    plan: SearchPlan,
    page: Page,
    facts: Facts,
    reader: CandidateReader,
  ): Promise<Matched> {
    const { place, schema } = this.#store
    const facets = facetAggregations(place, plan, schema)
    const builtOf = (words: PlannedWords, keys?: readonly number[]): BuiltSearch => ({
      words,
      main: mainSearch(words, facets, keys),
      meant: meaningSearch(words, keys),
    })
    const counts = new FoundCounts(this.#store.facts)
    const build = (): BuiltSearch => {
      const words = plannedWords(plan, this.#store, facts)
      // Needed in the second stage; asked here so that it arrives by then.
      if (plan.slots.length > 0) void words.catalog.averageLengths
      const built = builtOf(words)
      const question = facetsQuestion(counts.keyOf(built.main), built.main, plan, this.#store)
      const knownFacets = question === undefined ? undefined : facts.recall(question)
      if (knownFacets === undefined) return { ...built, facets: question }
      return { ...built, main: mainSearch(words, {}), knownFacets }
    }
    facts.expect(expectedQuestions(plan, place, this.#store.analyzer))
    // A page of groups is made of all first documents.
    const meantSize = plan.groups === undefined ? MEANING_CANDIDATES : page.size
    const searchesOf = ({ words, main, meant }: BuiltSearch) => [
      { ...(counts.mayBeAll(main, page) ? withoutOrder : matchedFirst)(main), ...page },
      ...(words.plan.pins.length === 0 ? [] : [pinSearch(words)]),
      ...(meant === undefined ? [] : [meant(meantSize)]),
    ]
    const matchedBy = (
      built: BuiltSearch,
      answers: readonly SearchAnswer[],
      { relevant, asOf }: { relevant?: RelevantKeys; asOf?: number | undefined } = {},
    ): Matched => ({
      built,
      asOf,
      answer: answers[0]!,
      pinAnswer: built.words.plan.pins.length === 0 ? undefined : answers[1],
      meantAnswer: built.meant === undefined ? undefined : answers.at(-1),
      relevant,
    })
    if (plan.slots.length === 0 || (plan.minRelevance ?? 0) === 0) {
      const {
        result: built,
        answers: found,
        asOf,
      } = await facts.confirm(build, searchesOf, (searches, beside) =>
        reader.find(searches, beside),
      )
      const searches = searchesOf(built)
      const hasOrder = !counts.mayBeAll(built.main, page)
      const areCandidates = ([answer]: readonly SearchAnswer[]) =>
        counts.learn(built.main, answer!) || hasOrder
      if (areCandidates(found)) {
        const answers = await reader.complete(searches, found)
        // Answers that were read again may be newer.
        const ofVersion = answers === found ? { asOf } : {}
        if (areCandidates(answers)) return matchedBy(built, answers, ofVersion)
      }
      // There are more matches by now, so the order must choose the candidates.
      return matchedBy(built, await reader.ask(searchesOf(built)))
    }
    const wide = await facts.settle(build)
    const relevant = await this.#relevantKeys(wide.words, facts, reader)
    const built = builtOf(wide.words, relevant.keys)
    return matchedBy(built, await reader.ask(searchesOf(built)), { relevant })
  }

  /** What only its meaning finds: the first of them, or more where the page shows more. */
  async #foundByMeaning(
    { from, size, groups }: SearchPlan,
    { built, answer, meantAnswer }: Matched,
    reader: CandidateReader,
  ): Promise<FoundByMeaning & { readonly isPartial: boolean }> {
    if (meantAnswer === undefined) return { documents: [], total: 0, isPartial: false }
    const total = meantAnswer.hits.total?.value ?? 0
    // Behind the candidates, they follow all that words find.
    const last = groups === undefined ? from + size - (answer.hits.total?.value ?? 0) : 0
    const shown = Math.min(total, last, WINDOW_MAX)
    const [all] =
      shown > MEANING_CANDIDATES ? await reader.ask([built.meant!(shown)]) : [meantAnswer]
    const documents = reader.read(all!, built.words.slots)
    return { documents, total, isPartial: all!.timed_out }
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

  /** Returns the documents with enough points. */
  async #relevantKeys(
    words: PlannedWords,
    facts: Facts,
    reader: CandidateReader,
  ): Promise<RelevantKeys> {
    const { plan, slots, catalog, demand } = words
    const [answer] = await reader.ask([relevanceSearch(words)])
    const candidates = reader.read(answer!, slots)
    const relevant = await facts.settle(() =>
      relevantDocuments(plan, slots, candidates, catalog, demand),
    )
    return {
      keys: relevant.map(({ document }) => document.docKey),
      isPartial: answer!.timed_out,
    }
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

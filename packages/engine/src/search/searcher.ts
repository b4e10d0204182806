import type { CompletionOutcome, CompletionRequest } from '../query/completion.ts'
import type { ScoreExplanation } from '../query/explanation.ts'
import type { FilterNode } from '../query/filter.ts'
import type { GroupsOutcome, RankedHit, SearchOutcome, SearchPlan } from '../query/plan.ts'
import type { IndexSnapshot } from '../segment/snapshot.ts'
import type { PageEntry } from './collect/pinned-page.ts'
import { ResultCollector } from './collect/result-collector.ts'
import { ALL_TERMS_DOCS_MIN } from '../scoring/formula.ts'
import { findCompletions } from './completion/completions.ts'
import { areEnough } from './enough-documents.ts'
import { hasConditions } from './filters/conditions.ts'
import { filterBits } from './filters/filterable-segment.ts'
import { matchingKeys } from './filters/matching-keys.ts'
import type { OtherCounts } from './facets/facet-counter.ts'
import { GroupFacets } from './groups/group-facets.ts'
import { planFirst, searchGroups } from './groups/search-groups.ts'
import { searchAll } from './match-all.ts'
import { Bonus } from './ranking/bonus.ts'
import { Boosts } from './ranking/boosts.ts'
import { countMatches } from './ranking/count-matches.ts'
import { ExactValues } from './ranking/exact-values.ts'
import { ScoreExplainer } from './ranking/explain.ts'
import { PinnedDocuments } from './ranking/pinned-documents.ts'
import { Popularity } from './ranking/popularity.ts'
import { cannotFillPage, rankAll, matchStrategies } from './ranking/match-strategy.ts'
import { TitlePlaces } from './ranking/title-places.ts'
import { WordSets } from './ranking/word-sets.ts'
import { findRelevantPoints } from './relevance.ts'
import { DeadlineReached } from './view/deadline.ts'
import { IndexView, RANK_ALL_MAX } from './view/index-view.ts'
import { USUAL_LIST_BITS, type ListBitsRule } from './view/list-bits.ts'
import { newRun, type SearchRun } from './view/search-run.ts'
import { searchWords } from './word-search.ts'
import { matchedTerms, wordDemands, type MatchingWords } from './words/matching-words.ts'
import { boundUnits, type ResolvedSlot } from './words/resolved-slot.ts'
import { resolveSlot } from './words/slot-resolver.ts'

/**
 * The searching side of one index: executes plans over the newest snapshot, synchronously on the
 * calling thread.
 */
export class Searcher {
  readonly #listBits: ListBitsRule
  readonly #rankAllMax: number
  #view: IndexView | undefined

  /**
   * Tests lower the limits, so that small indexes behave like large ones.
   *
   * @param listBits which posting lists become bitsets
   * @param rankAllMax up to this many postings, every match is ranked
   */
  constructor(listBits = USUAL_LIST_BITS, rankAllMax = RANK_ALL_MAX) {
    this.#listBits = listBits
    this.#rankAllMax = rankAllMax
  }

  /** Switches to a newer generation for later searches. */
  update(snapshot: IndexSnapshot): void {
    this.#view = new IndexView(snapshot, this.#view, this.#listBits, this.#rankAllMax)
  }

  /** The docKeys of all live documents that match a filter, ascending. */
  matchingKeys(filter: FilterNode, resolveId: SearchRun['resolveId']): Float64Array {
    return matchingKeys(this.#newest, filter, resolveId)
  }

  /** Whether a live document contains a form of this stem in a searchable field. */
  holds(stem: string): boolean {
    const { terms } = this.#newest
    const group = terms.find(stem)
    return group >= 0 && terms.groupDocFreq(group) > 0
  }

  /**
   * @param resolveId the docKey of the live version of a document id
   * @returns results so far, with `cutoff`, if the deadline of the plan passes
   * @throws Error before the first snapshot
   */
  search(plan: SearchPlan, resolveId: SearchRun['resolveId']): SearchOutcome {
    const run = newRun(this.#newest, planFirst(plan), resolveId)
    const popularity = plan.popularity && new Popularity(run.view, plan.popularity)
    const boosts = boostsOf(run, popularity)
    const collect = () => new ResultCollector(run, boosts, popularity)
    let collector = collect()
    let slots: ResolvedSlot[] = []
    let bonus = new Bonus(run, [], boosts)
    let words: MatchingWords | undefined
    let cutoff = !beforeDeadline(() => {
      slots = boundUnits(plan.slots.map((_, i) => resolveSlot(run, i)))
      bonus = new Bonus(run, slots, boosts)
      const pinned = new PinnedDocuments(run)
      if (plan.slots.length === 0) return searchAll(run, pinned, boosts, collector)
      const prepare = () => {
        collector = collect()
        collector.page.expectBonus(bonus, TitlePlaces.for(run))
        collector.admitPinned(pinned)
        return collector
      }
      prepare()
      const demands = wordDemands(run, slots)
      for (const [i, demand] of demands.entries()) {
        words = { ...demand, pointsMin: findRelevantPoints(run, demand) }
        rankMatches(run, words, pinned, i === 0 ? collector : prepare(), prepare)
        const isLast = i === demands.length - 1
        if (isLast || meetsDemand(run, words, pinned, collector)) break
      }
    })
    let page: readonly PageEntry[] = collector.page.entries(collector.found)
    let groups: GroupsOutcome | undefined
    let facetCounts: readonly OtherCounts[] | undefined
    if (plan.groups !== undefined) {
      const grouped = { ...plan, groups: plan.groups }
      const ranked = { words, boosts, popularity, first: page }
      page = []
      groups = { found: 0, page: [] }
      cutoff ||= !beforeDeadline(() => {
        ;({ entries: page, groups } = searchGroups(run, grouped, ranked))
      })
      if (!cutoff && plan.groups.facetCount === 'groups' && plan.facets.length > 0) {
        const groupFacets = new GroupFacets(run, grouped, collector.facets.filters)
        cutoff = !beforeDeadline(() => groupFacets.count(ranked))
        facetCounts = groupFacets.counts()
      }
    }
    let explanations: readonly (ScoreExplanation | undefined)[] = []
    if (plan.explain && !cutoff) {
      const explainer = new ScoreExplainer(run, slots, bonus, boosts)
      const explain = () =>
        (explanations = page.map((hit) => (hit.pinned ? undefined : explainer.explain(hit))))
      cutoff = !beforeDeadline(explain)
    }
    // Sets optional members one by one, because each spread would cost a call into V8.
    const outcome: Draft<SearchOutcome> = {
      found: collector.found,
      hits: page.map((entry, i) => hitOf(run, entry, explanations[i])),
      facets: collector.facets.outcome(facetCounts),
      cutoff: cutoff || collector.facets.isCut,
      matchedTerms: matchedTerms(slots, words),
      expansions: slots.map((slot) => slot.expansion),
    }
    if (groups !== undefined) outcome.groups = groups
    return outcome
  }

  /**
   * Completions of the last word of the query.
   *
   * @param plan determines the filter, the searched fields and the deadline; its words are ignored
   */
  complete(
    plan: SearchPlan,
    request: CompletionRequest,
    resolveId: SearchRun['resolveId'],
  ): CompletionOutcome {
    return findCompletions(newRun(this.#newest, plan, resolveId), request)
  }

  get #newest(): IndexView {
    if (this.#view === undefined) throw new Error('Searching before the first snapshot')
    return this.#view
  }
}

/**
 * Ranks and counts the matches, in the cheapest way that fills the page.
 *
 * @param collector is empty
 * @param prepare creates an empty one that replaces it
 */
function rankMatches(
  run: SearchRun,
  words: MatchingWords,
  pinned: PinnedDocuments,
  collector: ResultCollector,
  prepare: () => ResultCollector,
): void {
  const { plan } = run
  const { page, facets } = collector
  const strategies =
    words.pointsMin > 0
      ? [rankAll(words.known)]
      : matchStrategies(run, words, page.isByScore ? page.end : undefined)
  const sets = new WordSets(run, facets.areWithinFilter ? plan.filter : undefined)
  const exactValues = new ExactValues(run)
  for (const [attempt, strategy] of strategies.entries()) {
    if (cannotFillPage(run, words.known, strategy, sets, collector.page.end)) continue
    // Documents of the previous parts stay ranked.
    if (attempt > 0 && strategy.part === undefined) collector = prepare()
    collector.countsApart = strategy.countedApart
    searchWords(run, words, sets, exactValues, pinned, strategy, collector)
    if (!collector.page.isBelowPage(strategy.unrankedScoreMax)) continue
    if (strategy.countedApart) {
      collector.resetCounts()
      countMatches(run, sets, words.demanded, pinned, collector)
    }
    break
  }
}

/** Whether enough documents, found or not, meet the demand on the words. */
function meetsDemand(
  run: SearchRun,
  words: MatchingWords,
  pinned: PinnedDocuments,
  collector: ResultCollector,
): boolean {
  if (collector.found - collector.page.pinnedCount >= ALL_TERMS_DOCS_MIN) return true
  const { plan } = run
  const isNarrowed =
    plan.filter !== undefined || hasConditions(plan) || pinned.all.length > 0 || words.pointsMin > 0
  return isNarrowed && areEnough(run, words)
}

type Draft<T> = { -readonly [K in keyof T]: T[K] }

function hitOf(
  { view }: SearchRun,
  { segmentIndex, docOrd, score, pinned, byId }: PageEntry,
  explanation: ScoreExplanation | undefined,
): RankedHit {
  const docKey = view.segments[segmentIndex]!.reader.docKeys[docOrd]!
  const hit: Draft<RankedHit> = { docKey, textMatchScore: score }
  if (pinned === true) hit.pinned = true
  if (byId === true) hit.byId = true
  if (explanation !== undefined) hit.explanation = explanation
  return hit
}

function boostsOf(run: SearchRun, popularity: Popularity | undefined): Boosts {
  const { view, plan } = run
  return new Boosts(
    plan.boosts,
    (filter, segmentIndex) => filterBits(run, view.segments[segmentIndex]!, filter),
    plan.slots.length > 0 && popularity?.isInScore ? popularity : undefined,
  )
}

/** @returns whether `run` finished before the deadline */
function beforeDeadline(run: () => void): boolean {
  try {
    run()
    return true
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error
    return false
  }
}

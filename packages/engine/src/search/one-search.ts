import { explainAlone, type ScoreExplanation } from '../query/explanation.ts'
import type {
  GroupsOutcome,
  PlannedGroups,
  RankedHit,
  SearchOutcome,
  SearchPlan,
} from '../query/plan.ts'
import { fullMatchPoints, NEUTRAL_POINTS } from '../scoring/formula.ts'
import { MEANING_CANDIDATES } from '../scoring/meaning.ts'
import { browse } from './browse.ts'
import { FacetCollector } from './facets/facet-collector.ts'
import { filterBits, readFilters } from './filters/filterable-segment.ts'
import { allowedDocumentsInSteps, hasConditions } from './filters/conditions.ts'
import { readValues } from './filters/value-indexes.ts'
import { GroupFacets } from './groups/group-facets.ts'
import { planFirst, searchGroups, type GroupedSearch } from './groups/search-groups.ts'
import { countMatches, type MatchCount } from './match/count-matches.ts'
import { allowedBy, findMatches } from './match/find-matches.ts'
import { Matches, narrowed, type MatchRule } from './match/matches.ts'
import { PinnedDocuments } from './match/pinned-documents.ts'
import { findSimilar, type SimilarDocuments } from './match/similar-documents.ts'
import { WordSets } from './match/word-sets.ts'
import { Boosts } from './model/boosts.ts'
import { ExactValues } from './model/exact-values.ts'
import { NumericRank } from './model/numeric-rank.ts'
import { Learning } from './model/learning.ts'
import { Popularity } from './model/popularity.ts'
import { Bonus } from './page/bonus.ts'
import { ScoreExplainer } from './page/explain.ts'
import { MeaningOrder } from './page/meaning-order.ts'
import { PageCollector } from './page/page-collector.ts'
import type { PageEntry } from './page/pinned-page.ts'
import { TitlePlaces } from './page/title-places.ts'
import { constantScorer, DocumentScorer, type Scorer } from './score/document-scorer.ts'
import { relevantDocuments } from './score/relevant-documents.ts'
import { chooseStrategies } from './strategy/choose-strategies.ts'
import { offerCandidates } from './strategy/offer-candidates.ts'
import { DeadlineReached } from './view/deadline.ts'
import type { IndexView } from './view/index-view.ts'
import { newRun, type SearchRun } from './view/search-run.ts'
import type { Steps } from './view/steps.ts'
import { matchedTerms, wordDemands, type WordDemand } from './words/matching-words.ts'
import { boundUnits, type ResolvedSlot } from './words/resolved-slot.ts'
import { resolveSlot } from './words/slot-resolver.ts'

type Draft<T> = { -readonly [K in keyof T]: T[K] }

/**
 * One search over one generation of an index, with all of its state. Between two windows of 65,536
 * documents it can wait.
 */
export class OneSearch {
  readonly #plan: SearchPlan
  readonly #run: SearchRun
  /** Opened on demand: browsing needs none. */
  #sets: WordSets | undefined
  readonly #popularity: Popularity | undefined
  readonly #boosts: Boosts
  readonly #facets: FacetCollector
  #slots: readonly ResolvedSlot[] = []
  #bonus: Bonus | undefined
  #pinned: PinnedDocuments | undefined
  #rule: MatchRule | undefined
  #matches: Matches | undefined
  #similar: SimilarDocuments | undefined
  #meaning: MeaningOrder | undefined
  #scorer: Scorer | undefined
  readonly #counted: MatchCount = { found: 0, pinned: [] }
  #entries: readonly PageEntry[] = []
  #groups: GroupsOutcome | undefined
  #groupFacets: GroupFacets | undefined
  #explanations: readonly (ScoreExplanation | undefined)[] = []
  #isCut = false

  constructor(
    view: IndexView,
    plan: SearchPlan,
    resolveId: SearchRun['resolveId'],
    isTurnOver: SearchRun['isTurnOver'],
  ) {
    const run = newRun(view, planFirst(plan), resolveId, isTurnOver)
    this.#plan = plan
    this.#run = run
    this.#popularity = plan.popularity && new Popularity(view, plan.popularity)
    this.#boosts = new Boosts(
      plan,
      (filter, segmentIndex) => filterBits(run, view.segments[segmentIndex]!, filter),
      plan.slots.length > 0 && this.#popularity?.isInScore ? this.#popularity : undefined,
      plan.slots.length > 0 && plan.numeric ? new NumericRank(view, plan.numeric) : undefined,
      plan.slots.length > 0 && plan.learning ? new Learning(view, plan.learning) : undefined,
    )
    this.#facets = new FacetCollector(run)
  }

  /** Call once. @returns results so far, with `cutoff`, if the deadline of the plan passes */
  *steps(): Steps<SearchOutcome> {
    yield* this.#inTime(this.#bind())
    const run = this.#run
    const bonus = (this.#bonus ??= new Bonus(run, this.#slots, this.#boosts))
    const places = this.#hasWords ? TitlePlaces.for(run) : undefined
    const page = new PageCollector(run, this.#boosts, this.#popularity, bonus, places)
    try {
      yield* this.#inTime(this.#hasWords ? this.#findByWords(page) : this.#browse(page))
      this.#entries = page.entries(this.#counted)
      if (this.#plan.groups !== undefined) yield* this.#inTime(this.#group(this.#plan.groups))
      if (this.#plan.explain) yield* this.#inTime(this.#explain())
    } finally {
      page.close()
      this.#sets?.close()
    }
    const ofGroups = this.#groupFacets && (yield* this.#groupFacets.counts())
    return this.#outcome(yield* this.#facets.outcome(ofGroups))
  }

  /** The words of the query and of its filters, bound to the index. */
  *#bind(): Steps {
    const run = this.#run
    const { plan } = run
    yield* readValues(run)
    yield* readFilters(run, this.#facets.filters)
    const slots: ResolvedSlot[] = []
    for (let i = 0; i < plan.slots.length; i++) {
      slots.push(resolveSlot(run, i))
      if (run.isTurnOver()) yield
    }
    yield* this.#findConditions()
    this.#slots = boundUnits(slots)
    run.fullPoints = fullMatchPoints(this.#slots.map(({ weight }) => weight))
    this.#pinned = new PinnedDocuments(run)
  }

  /** Finds the documents of phrases and exclusions, which are cached, in steps. */
  *#findConditions(): Steps {
    if (!hasConditions(this.#run.plan)) return
    for (const segment of this.#run.view.segments) {
      yield* allowedDocumentsInSteps(this.#run, segment)
    }
  }

  *#browse(page: PageCollector): Steps {
    const [boosts, facets, counted] = [this.#boosts, this.#facets, this.#counted]
    yield* browse(this.#run, this.#pinned!, { boosts, page, facets, counted })
  }

  /** What matches, then what is on the page, then how many there are. */
  *#findByWords(page: PageCollector): Steps {
    const demand = yield* this.#match()
    if (demand !== undefined) yield* this.#rank(demand, page)
    const similar = (this.#similar = yield* this.#findSimilar())
    const [run, pinned, facets, counted] = [this.#run, this.#pinned!, this.#facets, this.#counted]
    yield* countMatches(run, this.#matches, pinned, facets, counted, similar)
    const { meaning } = this.#plan
    if (meaning === undefined) return
    const wordCount = counted.found - counted.pinned.length - (similar?.count ?? 0)
    this.#meaning = new MeaningOrder(run, meaning, similar?.best ?? [], wordCount)
    page.meaning = this.#meaning
  }

  /** The documents that only their meaning finds. */
  *#findSimilar(): Steps<SimilarDocuments | undefined> {
    const { meaning, from, size } = this.#run.plan
    if (meaning?.least === undefined) return undefined
    const wanted = Math.max(MEANING_CANDIDATES, from + size)
    const { least } = meaning
    return yield* findSimilar(
      this.#run,
      { ...meaning, least },
      this.#matches,
      this.#pinned!,
      this.#facets.coversMore,
      wanted,
    )
  }

  /** @returns undefined if no document can match */
  *#match(): Steps<WordDemand | undefined> {
    const run = this.#run
    const sets = (this.#sets = new WordSets(run))
    const keepsAll = this.#facets.coversMore
    const demands = wordDemands(run, this.#slots)
    const found = yield* findMatches(run, sets, demands, this.#pinned!, keepsAll)
    if (found === undefined) return undefined
    const { rule, demand } = found
    this.#rule = rule
    this.#matches = found.matches
    if ((run.plan.minRelevance ?? 0) > 0) {
      const relevant = yield* relevantDocuments(run, sets, demand)
      this.#rule = narrowed(rule, relevant)
      this.#matches = new Matches(run, sets, this.#rule, run.plan.filter, keepsAll)
    }
    return demand
  }

  /** Scores the documents that may reach the page, and offers them to it. */
  *#rank(demand: WordDemand, page: PageCollector): Steps {
    const [run, sets, matches] = [this.#run, this.#sets!, this.#matches!]
    const exactValues = new ExactValues(run)
    const scorer = new DocumentScorer(run, demand.known, exactValues)
    this.#scorer = scorer
    const strategies = chooseStrategies({ run, sets, matches, demand, exactValues, page })
    for (const strategy of strategies) {
      yield* offerCandidates(run, matches, strategy, scorer, page)
      if (page.isBelowPage(strategy.missedMax)) return
    }
  }

  *#group(groups: PlannedGroups): Steps {
    const search: GroupedSearch = {
      run: this.#run,
      plan: { ...this.#plan, groups },
      sets: (this.#sets ??= new WordSets(this.#run)),
      ...this.#matching(),
      similar: this.#similar,
      pinned: this.#pinned!,
      boosts: this.#boosts,
      popularity: this.#popularity,
      first: this.#entries,
    }
    this.#entries = []
    const { entries, outcome } = yield* searchGroups(search)
    this.#entries = entries
    this.#groups = outcome
    if (groups.facetCount !== 'groups' || this.#plan.facets.length === 0) return
    this.#groupFacets = new GroupFacets(search, this.#facets.filters)
    yield* this.#groupFacets.count()
  }

  /** All matches, also of a search without words. */
  #matching(): Pick<GroupedSearch, 'rule' | 'scorer'> {
    if (this.#hasWords) return { rule: this.#rule, scorer: this.#scorer }
    const points = this.#boosts.isEmpty ? 0 : NEUTRAL_POINTS
    const rule = { demand: undefined, allowed: allowedBy(this.#run, this.#pinned!) }
    return { rule, scorer: constantScorer(points) }
  }

  *#explain(): Steps {
    const explainer = new ScoreExplainer(this.#run, this.#slots, this.#bonus!, this.#boosts)
    const explanations: (ScoreExplanation | undefined)[] = []
    for (const hit of this.#entries) {
      explanations.push(hit.pinned === true ? undefined : this.#explainHit(explainer, hit))
      if (this.#run.isTurnOver()) yield
    }
    this.#explanations = explanations
  }

  #explainHit(explainer: ScoreExplainer, hit: PageEntry): ScoreExplanation {
    const meaning = this.#meaning?.explain(hit)
    if (meaning === undefined) return explainer.explain(hit)
    return 'similarity' in hit ? explainAlone(meaning) : { ...explainer.explain(hit), meaning }
  }

  get #hasWords(): boolean {
    return this.#plan.slots.length > 0
  }

  /** Does the work until the deadline, unless it has passed already. */
  *#inTime(work: Steps): Steps {
    if (this.#isCut) return
    try {
      yield* work
    } catch (error) {
      if (!(error instanceof DeadlineReached)) throw error
      this.#isCut = true
    }
  }

  #outcome(facets: SearchOutcome['facets']): SearchOutcome {
    const slots = this.#slots
    // Sets optional members one by one, because each spread would cost a call into V8.
    const outcome: Draft<SearchOutcome> = {
      found: Math.max(this.#counted.found, this.#isCut ? this.#entries.length : 0),
      hits: this.#entries.map((entry, i) => this.#hitOf(entry, this.#explanations[i])),
      facets,
      cutoff: this.#isCut || this.#facets.isCut,
      matchedTerms: matchedTerms(slots, this.#rule?.demand),
      expansions: slots.map((slot) => slot.expansion),
    }
    if ((this.#counted.similar ?? 0) > 0) outcome.foundByMeaning = this.#counted.similar!
    if (this.#plan.groups !== undefined) outcome.groups = this.#groups ?? { found: 0, page: [] }
    return outcome
  }

  #hitOf(
    { segmentIndex, docOrd, score, pinned, byId }: PageEntry,
    explanation: ScoreExplanation | undefined,
  ): RankedHit {
    const docKey = this.#run.view.segments[segmentIndex]!.reader.docKeys[docOrd]!
    const hit: Draft<RankedHit> = { docKey, textMatchScore: score }
    if (pinned === true) hit.pinned = true
    if (byId === true) hit.byId = true
    if (explanation !== undefined) hit.explanation = explanation
    return hit
  }
}

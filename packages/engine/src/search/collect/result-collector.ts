import { andInto, hasBit } from '../../codec/bitset.ts'
import type { FilterNode } from '../../query/filter.ts'
import type { FacetOutcome, SearchPlan, SortKey } from '../../query/plan.ts'
import {
  bestFirst,
  BestByScore,
  betterFirst,
  keepFor,
  LEVELLED_SEGMENTS_MAX,
  newestFirst,
  type LevelledDocument,
} from './best-by-score.ts'
import type { Bonus } from '../ranking/bonus.ts'
import type { Boosts } from '../ranking/boosts.ts'
import { filterForFacet } from '../filters/disjunctive-filter.ts'
import { FacetCounter } from '../facets/facet-counter.ts'
import type { FilterableSegment } from '../filters/filter-evaluator.ts'
import { evaluateIn, filterableSegment } from '../filters/filterable-segment.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { MatchSink } from './match-sink.ts'
import { sinkDocs, sinkPoints } from './match-sink.ts'
import type { RankedDocument } from '../ranking/pair-bonus.ts'
import type { PinnedDocument, PinnedDocuments } from '../ranking/pinned-documents.ts'
import { PAIR_CANDIDATES_MAX, TIER_STEP } from '../../scoring/formula.ts'
import { pinnedRanks } from '../ranking/pinned-documents.ts'
import type { Popularity } from '../ranking/popularity.ts'
import { rankPage } from '../ranking/rank-page.ts'
import { SortedCollector } from './sorted-collector.ts'
import type { TitlePlaces } from '../ranking/title-places.ts'

/** A hit: ranked, or pinned, whose score is 0. */
export interface PageEntry extends RankedDocument {
  readonly pinned?: true
}

/**
 * Processes the documents that match the words, window by window: filters, counts and ranks them,
 * and counts facets.
 */
export class ResultCollector implements MatchSink {
  readonly docs = sinkDocs
  readonly points = sinkPoints
  found = 0
  readonly #view: IndexView
  readonly #plan: SearchPlan
  readonly #resolveId: (id: string) => number | undefined
  readonly #checkDeadline: () => void
  readonly #facets: FacetCounter
  /** By facet: the filter under which it is counted. */
  readonly #facetFilters: readonly (FilterNode | undefined)[]
  /** By score, with popularity at most as a tie-break: the usual case. */
  readonly #isByScore: boolean
  /** By score, then popularity. */
  readonly #isLevelled: boolean
  #best: BestByScore | undefined
  #sorted: SortedCollector | undefined
  #bonus: Bonus | undefined
  #places: TitlePlaces | undefined
  readonly #boosts: Boosts
  readonly #popularity: Popularity | undefined
  /** Pinned documents that meet the filter, by position. They count towards `found`. */
  #pinned: readonly PinnedDocument[] = []
  #segment: FilterableSegment | undefined
  #facetSegment: SegmentView | undefined
  #segmentIndex = 0
  #filter: Uint32Array | undefined
  #facetBits: (Uint32Array | undefined)[] = []
  readonly #facetDocs: Uint32Array

  constructor(
    view: IndexView,
    plan: SearchPlan,
    resolveId: (id: string) => number | undefined,
    checkDeadline: () => void,
    boosts: Boosts,
    popularity?: Popularity,
  ) {
    this.#view = view
    this.#plan = plan
    this.#resolveId = resolveId
    this.#checkDeadline = checkDeadline
    this.#boosts = boosts
    this.#popularity = popularity
    const keys = plan.sort.filter(({ kind }) => kind !== 'popularity' || popularity !== undefined)
    const [first, second] = keys
    this.#isLevelled =
      keys.length === 2 &&
      isDescending(first!, 'textMatch') &&
      isDescending(second!, 'popularity') &&
      view.segments.length <= LEVELLED_SEGMENTS_MAX
    this.#isByScore = this.#isLevelled || keys.every((key) => isDescending(key, 'textMatch'))
    this.#facets = new FacetCounter(plan.facets, view.schema, view.analyzer)
    this.#facetFilters = plan.facets.map(({ field }) =>
      plan.disjunctiveFacets ? filterForFacet(plan.filter, field) : plan.filter,
    )
    const differs = this.#facetFilters.some((filter) => filter !== plan.filter)
    this.#facetDocs = differs ? new Uint32Array(sinkDocs.length) : sinkDocs
  }

  get ranksNeeded(): number | undefined {
    if (!this.#isByScore) return undefined
    // If only the upper tier can earn bonuses, the documents below it need no more than the page
    // itself.
    const isPageEnough = this.#hasNoBonus || this.#bonus!.isUpperTierOnly
    return isPageEnough ? this.#pageEnd : this.#keep()
  }

  get needsUnranked(): boolean {
    return this.#plan.filter !== undefined || this.#plan.facets.length > 0
  }

  /** Call before any document arrives: documents that may earn a bonus must be kept. */
  expectBonus(bonus: Bonus, places: TitlePlaces | undefined): void {
    this.#bonus = bonus
    this.#places = this.#isByScore ? places : undefined
  }

  /**
   * Pinned documents are found whatever their words are. They are filtered, counted, and counted
   * into facets here.
   */
  admitPinned(pinned: PinnedDocuments): void {
    const admitted: PinnedDocument[] = []
    for (const [segmentIndex, segment] of this.#view.segments.entries()) {
      const docOrds = pinned.in(segmentIndex)
      if (docOrds.length === 0) continue
      this.#beginFiltering(segment)
      this.docs.set(docOrds)
      const kept = new Set(this.docs.subarray(0, this.#admit(docOrds.length)))
      admitted.push(
        ...pinned.all.filter((pin) => pin.segmentIndex === segmentIndex && kept.has(pin.docOrd)),
      )
    }
    this.placePinned(admitted)
  }

  /** Sets the pinned documents when they have already been counted with all others. */
  placePinned(admitted: readonly PinnedDocument[]): void {
    this.#pinned = admitted.toSorted((a, b) => a.position - b.position)
  }

  beginSegment(segmentIndex: number, segment: SegmentView): void {
    this.#rankFrom(segmentIndex, segment, this.#beginFiltering(segment))
  }

  #beginFiltering(segment: SegmentView): FilterableSegment {
    const filterable = filterableSegment(this.#view, segment, this.#checkDeadline)
    this.#segment = filterable
    this.#filter = this.bitsOf(this.#plan.filter, filterable)
    this.#facetBits = this.#facetFilters.map((filter) =>
      filter === this.#plan.filter ? this.#filter : this.bitsOf(filter, filterable),
    )
    return filterable
  }

  /**
   * Call instead of `beginSegment` for documents that are already matched and counted; they go to
   * `rank`.
   */
  beginRanking(segmentIndex: number, segment: SegmentView): void {
    const filterable = filterableSegment(this.#view, segment, this.#checkDeadline)
    this.#rankFrom(segmentIndex, segment, filterable)
  }

  /** Ranks documents that are already matched and counted. Boosts are written into `points`. */
  rank(docs: Uint32Array, points: Float64Array, count: number): void {
    this.#boosts.apply(this.#segmentIndex, docs, points, count)
    if (this.#isByScore) {
      const levels = this.levelsIn(this.#segmentIndex)
      this.#byScore().offer(this.#segmentIndex, docs, points, count, levels)
      return
    }
    const collector = this.#collector()
    for (let i = 0; i < count; i++) collector.collect(docs[i]!, points[i]!)
  }

  #rankFrom(segmentIndex: number, segment: SegmentView, filterable: FilterableSegment): void {
    this.#segmentIndex = segmentIndex
    if (this.#isByScore) return
    this.#collector().beginSegment(segmentIndex, {
      docKeys: segment.reader.docKeys,
      popularityLevels: () => this.#popularity?.levels(segmentIndex),
      column: (field) => filterable.column(field),
      evaluate: (filter) => this.bitsOf(filter, filterable)!,
    })
  }

  /** Without a filter and facets, a document matters only if it may be among the best. */
  get countOnlyBelow(): number {
    if (!this.#isByScore || this.#plan.filter !== undefined || this.#plan.facets.length > 0) {
      return -Infinity
    }
    return this.#boosts.least(this.#byScore().threshold)
  }

  countOnly(count: number): void {
    this.found += count
  }

  take(count: number): void {
    const kept = this.#admit(count)
    this.rank(this.docs, this.points, kept)
  }

  pick(count: number): number {
    return this.#collector().contenders(this.docs, this.#admit(count))
  }

  takeUnranked(count: number): void {
    this.#admit(count)
  }

  /** Filters and counts the first `count` of `docs`. @returns how many are left at their front */
  #admit(count: number): number {
    const { docs, points } = this
    this.#countWiderFacets(count)
    let kept = 0
    const filter = this.#filter
    if (filter === undefined) kept = count
    else {
      // No branches: whether a document meets a filter is unpredictable.
      for (let i = 0; i < count; i++) {
        const docOrd = docs[i]!
        docs[kept] = docOrd
        points[kept] = points[i]!
        kept += (filter[docOrd >>> 5]! >>> (docOrd & 31)) & 1
      }
    }
    this.found += kept
    this.#facetFilters.forEach((facetFilter, i) => {
      if (facetFilter === this.#plan.filter) this.#facets.addDocs(i, this.#segment!, docs, kept)
    })
    return kept
  }

  /** Counts the facets that cover more documents than `found`. */
  #countWiderFacets(count: number): void {
    this.#facetFilters.forEach((facetFilter, i) => {
      if (facetFilter === this.#plan.filter) return
      const bits = this.#facetBits[i]
      let kept = 0
      for (let j = 0; j < count; j++) {
        if (bits === undefined || hasBit(bits, this.docs[j]!))
          this.#facetDocs[kept++] = this.docs[j]!
      }
      this.#facets.addDocs(i, this.#segment!, this.#facetDocs, kept)
    })
  }

  /** Counts all live documents without listing them. */
  countAllOf(facets: readonly number[], segment: SegmentView): void {
    const filterable = filterableSegment(this.#view, segment, this.#checkDeadline)
    for (const facet of facets) {
      const { live, reader } = segment
      this.#facets.addAll(facet, filterable, live, reader.docCount, reader)
    }
  }

  /** By facet: the filter under which it is counted. */
  get facetFilters(): readonly (FilterNode | undefined)[] {
    return this.#facetFilters
  }

  /** Counts the documents of a segment under the filters of these facets. */
  countFacets(
    facets: readonly number[],
    segment: SegmentView,
    docs: Uint32Array,
    count: number,
  ): void {
    if (this.#facetSegment !== segment) {
      this.#facetSegment = segment
      this.#segment = filterableSegment(this.#view, segment, this.#checkDeadline)
    }
    for (const facet of facets) this.#facets.addDocs(facet, this.#segment!, docs, count)
  }

  /**
   * The documents of a segment that are allowed and meet a filter. Undefined: all are allowed, and
   * there is no filter.
   */
  matching(
    segment: SegmentView,
    filter: FilterNode | undefined,
    allowed: Uint32Array | undefined,
  ): Uint32Array | undefined {
    const bits = this.bitsOf(filter, filterableSegment(this.#view, segment, this.#checkDeadline))
    if (bits === undefined || allowed === undefined) return bits ?? allowed
    const both = bits.slice()
    andInto(both, allowed)
    return both
  }

  bitsOf(filter: FilterNode | undefined, segment: FilterableSegment): Uint32Array | undefined {
    if (filter === undefined) return undefined
    return evaluateIn(this.#view, segment, filter, this.#resolveId, this.#checkDeadline)
  }

  /** Whether a match may be left unranked because its score is at most `score`. */
  isBelowPage(score: number): boolean {
    const rank = this.ranksNeeded ?? 0
    if (rank === 0 || score === -Infinity) return true
    const most = this.#boosts.most(score)
    const last = this.#byScore().scoreAt(rank)
    if (last <= most || last >= TIER_STEP || this.#bonus?.lifts !== true) return last > most
    // Below the upper tier, titles may raise any of the documents that are looked at again.
    return this.#byScore().scoreAt(this.#keep()) > most
  }

  /** The hits of the page, in order. */
  page(): PageEntry[] {
    const { from } = this.#plan
    const end = this.#pageEnd
    if (end <= from) return []
    if (this.#pinned.length === 0) return this.#ranked(from, end)
    const ranks = pinnedRanks(this.#pinned, this.found - this.#pinned.length)
    const pinnedBefore = (rank: number) => ranks.filter((other) => other < rank).length
    const first = pinnedBefore(from)
    const others = this.#ranked(from - first, end - pinnedBefore(end))
    const page: PageEntry[] = []
    let [pin, other] = [first, 0]
    for (let rank = from; rank < end; rank++) {
      if (ranks[pin] === rank) page.push({ ...this.#pinned[pin++]!, score: 0, pinned: true })
      else if (other < others.length) page.push(others[other++]!)
    }
    return page
  }

  /** Documents of these ranks, among those that are not pinned. */
  #ranked(from: number, end: number): RankedDocument[] {
    // No bonus reaches this far down.
    const isDeep = from >= PAIR_CANDIDATES_MAX
    if (this.#isByScore) {
      const best = this.#best?.unordered(isDeep ? from : 0) ?? []
      if (isDeep) return best.sort(bestFirst).slice(0, end - from)
      const places = this.#places
      if (places === undefined) return rankPage(best, bestFirst, this.#bonus, from, end)
      const earliestFirst = (a: LevelledDocument, b: LevelledDocument) =>
        betterFirst(a, b) || places.sumOf(a) - places.sumOf(b) || newestFirst(a, b)
      return rankPage(best, bestFirst, this.#bonus, from, end, earliestFirst)
    }
    if (this.#hasNoBonus || isDeep) return this.#sorted?.finish(from, end - from) ?? []
    const sorted = this.#sorted?.finish(0, this.#keep()) ?? []
    const rank = new Map<RankedDocument, number>(sorted.map((document, i) => [document, i]))
    return rankPage(sorted, (a, b) => rank.get(a)! - rank.get(b)!, this.#bonus, from, end)
  }

  facets(): FacetOutcome[] {
    return this.#facets.outcome(this.#checkDeadline)
  }

  /** Whether time ran out before all facets were counted. */
  get isCut(): boolean {
    return this.#facets.isCut
  }

  #keep(): number {
    return keepFor(this.#pageEnd, !this.#hasNoBonus || this.#places !== undefined)
  }

  /** Popularity levels of a segment's documents, if popularity breaks ties between equal scores. */
  levelsIn(segmentIndex: number): Uint16Array | undefined {
    return this.#isLevelled ? this.#popularity?.levels(segmentIndex) : undefined
  }

  /** The order is by score, descending, with popularity at most as a tie-break. */
  get isByScore(): boolean {
    return this.#isByScore
  }

  /** No document is raised in a second pass. */
  get #hasNoBonus(): boolean {
    return this.#bonus?.isEmpty ?? true
  }

  get #pageEnd(): number {
    const { from, size } = this.#plan
    return size === 0 ? 0 : from + size
  }

  #byScore(): BestByScore {
    this.#best ??= new BestByScore(this.#keep())
    return this.#best
  }

  #collector(): SortedCollector {
    this.#sorted ??= new SortedCollector(this.#plan.sort, this.#keep(), this.#view.analyzer)
    return this.#sorted
  }
}

function isDescending(key: SortKey, kind: 'textMatch' | 'popularity'): boolean {
  return key.kind === kind && key.descending
}

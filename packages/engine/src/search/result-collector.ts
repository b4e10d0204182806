import { andInto, hasBit } from '../codec/bitset.ts'
import type { FilterNode } from '../query/filter.ts'
import type { FacetOutcome, SearchPlan } from '../query/plan.ts'
import { BestByScore, byScoreThenNewest, keepFor } from './best-by-score.ts'
import { filterForFacet } from './disjunctive-filter.ts'
import { FacetCounter } from './facet-counter.ts'
import type { FilterableSegment } from './filter-evaluator.ts'
import { evaluateFilter } from './filter-evaluator.ts'
import type { IndexView, SegmentView } from './index-view.ts'
import type { MatchSink } from './match-sink.ts'
import { sinkDocs, sinkPoints } from './match-sink.ts'
import type { RankedDocument } from './pair-bonus.ts'
import { PairBonus } from './pair-bonus.ts'
import { rankPage } from './rank-page.ts'
import { SortedCollector } from './sorted-collector.ts'
import { documentsWithWordPrefix, documentsWithWords } from './word-bits.ts'

/**
 * What becomes of the documents that match the words: filtered, counted, ranked, and counted into facets,
 * window by window.
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
  /** By facet: the filter to count it under. */
  readonly #facetFilters: readonly (FilterNode | undefined)[]
  /** By score alone, the usual case. */
  readonly #isByScore: boolean
  #best: BestByScore | undefined
  #sorted: SortedCollector | undefined
  #bonus: PairBonus
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
  ) {
    this.#view = view
    this.#plan = plan
    this.#resolveId = resolveId
    this.#checkDeadline = checkDeadline
    this.#bonus = new PairBonus(view, plan, [])
    this.#isByScore = plan.sort.every(
      (key) => key.kind === 'popularity' || (key.kind === 'textMatch' && key.descending),
    )
    this.#facets = new FacetCounter(plan.facets, view.schema, view.analyzer)
    this.#facetFilters = plan.facets.map(({ field }) =>
      plan.disjunctiveFacets ? filterForFacet(plan.filter, field) : plan.filter,
    )
    const differs = this.#facetFilters.some((filter) => filter !== plan.filter)
    this.#facetDocs = differs ? new Uint32Array(sinkDocs.length) : sinkDocs
  }

  get ranksNeeded(): number | undefined {
    if (!this.#isByScore) return undefined
    // Where only the upper tier can earn bonuses, below it the page itself is all that matters.
    return this.#bonus.isEmpty || this.#bonus.isUpperTierOnly ? this.#pageEnd : this.#keep()
  }

  get needsUnranked(): boolean {
    return this.#plan.filter !== undefined || this.#plan.facets.length > 0
  }

  /** To be called before documents come: those that may earn a bonus must be kept. */
  expectBonus(bonus: PairBonus): void {
    this.#bonus = bonus
  }

  beginSegment(segmentIndex: number, segment: SegmentView): void {
    const filterable = filterableSegment(this.#view, segment, this.#checkDeadline)
    this.#segment = filterable
    this.#filter = this.bitsOf(this.#plan.filter, filterable)
    this.#facetBits = this.#facetFilters.map((filter) =>
      filter === this.#plan.filter ? this.#filter : this.bitsOf(filter, filterable),
    )
    this.#rankFrom(segmentIndex, segment, filterable)
  }

  /** Instead of `beginSegment`: documents will be handed to `rank`, matched and counted already. */
  beginRanking(segmentIndex: number, segment: SegmentView): void {
    const filterable = filterableSegment(this.#view, segment, this.#checkDeadline)
    this.#rankFrom(segmentIndex, segment, filterable)
  }

  /** Documents of the segment, matched and counted already. */
  rank(docs: Uint32Array, points: Float64Array, count: number): void {
    if (this.#isByScore) {
      this.#byScore().offer(this.#segmentIndex, docs, points, count)
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
      column: (field) => filterable.column(field),
      evaluate: (filter) => this.bitsOf(filter, filterable)!,
    })
  }

  /** Without filter and facets a document matters only if it may be among the best. */
  get countOnlyBelow(): number {
    if (!this.#isByScore || this.#plan.filter !== undefined || this.#plan.facets.length > 0) {
      return -Infinity
    }
    return this.#byScore().threshold
  }

  countOnly(count: number): void {
    this.found += count
  }

  take(count: number): void {
    const kept = this.#admit(count)
    this.rank(this.docs, this.points, kept)
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
      // Free of branches: whether a document meets a filter is what no branch predictor can know.
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

  /** Facets that are counted over more documents than are found. */
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

  /** Counts everything that is live, without listing it. */
  countAllOf(facets: readonly number[], segment: SegmentView): void {
    const filterable = filterableSegment(this.#view, segment, this.#checkDeadline)
    for (const facet of facets) {
      const { live, reader } = segment
      this.#facets.addAll(facet, filterable, live, reader.docCount, reader)
    }
  }

  /** By facet: the filter it is counted under. */
  get facetFilters(): readonly (FilterNode | undefined)[] {
    return this.#facetFilters
  }

  /** Counts documents of a segment that meet the filters of these facets. */
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

  /** Documents of a segment that are allowed and meet a filter; undefined: all are, and there is no filter. */
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
    return evaluateFilter(filter, segment, {
      schema: this.#view.schema,
      analyzer: this.#view.analyzer,
      resolveId: this.#resolveId,
      checkDeadline: this.#checkDeadline,
    })
  }

  /** Whether a match may be left unranked because its score is at most `score`. */
  isBelowPage(score: number): boolean {
    const rank = this.ranksNeeded ?? 0
    return rank === 0 || score === -Infinity || this.#byScore().scoreAt(rank) > score
  }

  /** The hits of the page, in order. */
  page(): RankedDocument[] {
    const { from } = this.#plan
    const end = this.#pageEnd
    if (this.#isByScore) {
      const best = this.#best?.unordered() ?? []
      return rankPage(best, byScoreThenNewest, this.#bonus, from, end)
    }
    const sorted = this.#sorted?.finish(0, this.#keep()) ?? []
    if (this.#bonus.isEmpty) return sorted.slice(from, end)
    const rank = new Map<RankedDocument, number>(sorted.map((document, i) => [document, i]))
    return rankPage(sorted, (a, b) => rank.get(a)! - rank.get(b)!, this.#bonus, from, end)
  }

  facets(): FacetOutcome[] {
    return this.#facets.outcome()
  }

  #keep(): number {
    return keepFor(this.#pageEnd, !this.#bonus.isEmpty)
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

/** A segment in the words of the filters. */
export function filterableSegment(
  view: IndexView,
  segment: SegmentView,
  checkDeadline: () => void,
): FilterableSegment {
  const { reader } = segment
  return {
    docCount: reader.docCount,
    filterCache: segment.filters,
    column: (field) => view.column(segment, field),
    docOrdOf: (docKey) => reader.docOrdOf(docKey),
    wordsBits: (field, forms) => documentsWithWords(view, segment, field, forms, checkDeadline),
    wordPrefixBits: (field, prefix) =>
      documentsWithWordPrefix(view, segment, field, prefix, checkDeadline),
    presenceBits: (field) => reader.presence(field),
  }
}

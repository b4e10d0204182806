import { andInto, hasBit } from '../codec/bitset.ts'
import type { FilterNode } from '../query/filter.ts'
import type { FacetOutcome, SearchPlan } from '../query/plan.ts'
import { PAIR_CANDIDATES_MAX } from '../scoring/formula.ts'
import { filterForFacet } from './disjunctive-filter.ts'
import { FacetCounter } from './facet-counter.ts'
import type { FilterableSegment } from './filter-evaluator.ts'
import { evaluateFilter } from './filter-evaluator.ts'
import type { IndexView, SegmentView } from './index-view.ts'
import type { MatchSink } from './match-sink.ts'
import { sinkDocs, sinkPoints } from './match-sink.ts'
import type { RankedDocument } from './pair-bonus.ts'
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
  #sorted: SortedCollector | undefined
  #pairs = false
  #withFacets = true
  #segment: FilterableSegment | undefined
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
    this.#facets = new FacetCounter(plan.facets, view.schema, view.analyzer)
    this.#facetFilters = plan.facets.map(({ field }) =>
      plan.disjunctiveFacets ? filterForFacet(plan.filter, field) : plan.filter,
    )
    const differs = this.#facetFilters.some((filter) => filter !== plan.filter)
    this.#facetDocs = differs ? new Uint32Array(sinkDocs.length) : sinkDocs
  }

  /** Documents that may earn the pair bonus must be among the ranked ones. */
  expectPairs(pairs: boolean): void {
    this.#pairs = pairs
  }

  /** @param withFacets false when the facets were counted otherwise */
  beginSegment(segmentIndex: number, segment: SegmentView, withFacets = true): void {
    this.#withFacets = withFacets
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

  rank(docOrd: number, score: number): void {
    this.#collector().collect(docOrd, score)
  }

  #rankFrom(segmentIndex: number, segment: SegmentView, filterable: FilterableSegment): void {
    this.#collector().beginSegment(segmentIndex, {
      docKeys: segment.reader.docKeys,
      column: (field) => filterable.column(field),
      evaluate: (filter) => this.bitsOf(filter, filterable)!,
    })
  }

  take(count: number): void {
    const { docs, points } = this
    if (this.#withFacets) this.#countWiderFacets(count)
    let kept = 0
    const filter = this.#filter
    const collector = this.#collector()
    for (let i = 0; i < count; i++) {
      const docOrd = docs[i]!
      if (filter !== undefined && !hasBit(filter, docOrd)) continue
      docs[kept++] = docOrd
      collector.collect(docOrd, points[i]!)
    }
    this.found += kept
    if (!this.#withFacets) return
    this.#facetFilters.forEach((facetFilter, i) => {
      if (facetFilter === this.#plan.filter) this.#facets.addDocs(i, this.#segment!, docs, kept)
    })
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

  /** For searches without words: everything that is live, without listing it. */
  countAllFacets(segment: SegmentView): void {
    const filterable = filterableSegment(this.#view, segment, this.#checkDeadline)
    this.#plan.facets.forEach((_, i) => {
      this.#facets.addAll(i, filterable, segment.live, segment.reader.docCount, segment.reader)
    })
  }

  /** Live documents of a segment that meet a filter; undefined: all are live and there is no filter. */
  matching(segment: SegmentView, filter: FilterNode | undefined): Uint32Array | undefined {
    const bits = this.bitsOf(filter, filterableSegment(this.#view, segment, this.#checkDeadline))
    if (bits === undefined || segment.live === undefined) return bits ?? segment.live
    const both = bits.slice()
    andInto(both, segment.live)
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

  /** The best documents in the order of the sort keys: as many as the page and the pair bonus need. */
  ranked(): RankedDocument[] {
    return this.#sorted?.finish(0, this.#limit()) ?? []
  }

  facets(): FacetOutcome[] {
    return this.#facets.outcome()
  }

  #limit(): number {
    const { from, size } = this.#plan
    const needed = size === 0 ? 0 : from + size
    return this.#pairs && needed > 0 ? Math.max(needed, PAIR_CANDIDATES_MAX) : needed
  }

  #collector(): SortedCollector {
    this.#sorted ??= new SortedCollector(this.#plan.sort, this.#limit(), this.#view.analyzer)
    return this.#sorted
  }
}

/** A segment in the words of the filters. */
function filterableSegment(
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

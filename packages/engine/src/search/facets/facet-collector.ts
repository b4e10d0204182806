import { hasBit } from '../../codec/bitset.ts'
import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { FilterNode } from '../../query/filter.ts'
import type { FacetOutcome } from '../../query/plan.ts'
import { browseFacetsOf } from './browse-facets.ts'
import { FacetCounter, type OtherCounts } from './facet-counter.ts'
import { filterForFacet } from '../filters/disjunctive-filter.ts'
import type { FilterableSegment } from '../filters/filter-evaluator.ts'
import { filterableSegment, filterBitsInSteps } from '../filters/filterable-segment.ts'
import { readValueIndex } from '../filters/value-indexes.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Steps } from '../view/steps.ts'

/** Documents of a window under one facet's filter. */
const facetDocs = new Uint32Array(WINDOW_SIZE)
const facetSet = new Uint32Array(WINDOW_SIZE / 32)

/** Takes documents in the form that their set has. */
export interface WindowVisitor {
  /** @param docs holds `count` docOrds, then garbage */
  addDocs(docs: Uint32Array, count: number): void
  /** @param set one bit per document of a window; valid until the call returns */
  addSet(set: Uint32Array, window: number): void
}

/** A facet that covers more documents than are found. */
interface WiderFacet {
  readonly facet: number
  readonly filter: FilterNode | undefined
  /** Documents of the segment that match the filter; undefined: all. */
  bits: Uint32Array | undefined
}

/**
 * Counts the facets of a plan, each under its filter: that of the plan, or in disjunctive mode
 * without the selection in the facet itself.
 */
export class FacetCollector {
  readonly #run: SearchRun
  readonly #counter: FacetCounter
  /** By facet: the filter under which it is counted. */
  readonly filters: readonly (FilterNode | undefined)[]
  /** Facets that cover the found documents. */
  readonly #plain: readonly number[]
  readonly #wider: readonly WiderFacet[]
  #segment: FilterableSegment | undefined
  /** By facet: the outcome of an earlier search without words. */
  #known: readonly (FacetOutcome | undefined)[] = []
  #isBrowsed = false

  constructor(run: SearchRun) {
    const { view, plan } = run
    this.#run = run
    const valueIndex = (field: number) => readValueIndex(view, field, run.checkDeadline, true)
    this.#counter = new FacetCounter(plan.facets, view.schema, view.analyzer, valueIndex)
    this.filters = plan.facets.map(({ field }) =>
      plan.disjunctiveFacets ? filterForFacet(plan.filter, field) : plan.filter,
    )
    const facets = [...this.filters.keys()]
    this.#plain = facets.filter((facet) => this.filters[facet] === plan.filter)
    this.#wider = facets
      .filter((facet) => this.filters[facet] !== plan.filter)
      .map((facet) => ({ facet, filter: this.filters[facet], bits: undefined }))
  }

  get isEmpty(): boolean {
    return this.filters.length === 0
  }

  /** Whether some facets cover more documents than are found. */
  get coversMore(): boolean {
    return this.#wider.length > 0
  }

  /** Call before documents of a segment are counted. */
  *openSegment(segment: SegmentView): Steps {
    if (this.isEmpty) return
    const filterable = filterableSegment(this.#run.view, segment)
    this.#segment = filterable
    for (const wider of this.#wider) {
      const { filter } = wider
      wider.bits =
        filter === undefined ? undefined : yield* filterBitsInSteps(this.#run, segment, filter)
    }
  }

  /** Counts documents found: those that the filter of the plan admits. */
  readonly found: WindowVisitor = {
    addDocs: (docs, count) => this.#counter.addDocs(this.#plain, this.#segment!, docs, count),
    addSet: (set, window) => this.#counter.addSet(this.#plain, this.#segment!, set, window),
  }

  /** Counts all matches, under the filters of the facets that cover more than is found. */
  readonly all: WindowVisitor = {
    addDocs: (docs, count) => {
      for (const { facet, bits } of this.#wider) {
        let kept = 0
        for (let i = 0; i < count; i++) {
          if (bits === undefined || hasBit(bits, docs[i]!)) facetDocs[kept++] = docs[i]!
        }
        this.#counter.addDocs([facet], this.#segment!, facetDocs, kept)
      }
    },
    addSet: (set, window) => {
      const firstWord = (window << WINDOW_BITS) >>> 5
      for (const { facet, bits } of this.#wider) {
        let filtered = set
        if (bits !== undefined) {
          filtered = facetSet.subarray(0, set.length)
          for (let i = 0; i < set.length; i++) filtered[i] = set[i]! & (bits[firstWord + i] ?? 0)
        }
        this.#counter.addSet([facet], this.#segment!, filtered, window)
      }
    },
  }

  /** Counts documents of the set of one window that match the filters of these facets. */
  countSetUnder(facets: readonly number[], set: Uint32Array, window: number): void {
    this.#counter.addSet(facets, this.#segment!, set, window)
  }

  /** Counts all live documents of the segment without listing them. */
  countAll(facet: number, { live, reader }: SegmentView): void {
    this.#counter.addAll(facet, this.#segment!, live, reader.docCount, reader)
  }

  /**
   * For a search without words and conditions.
   * @returns the facets to count, because no earlier search has
   */
  expectBrowsed(): number[] {
    const { view, plan } = this.#run
    if (plan.groups?.facetCount === 'groups') return [...plan.facets.keys()]
    const browsed = browseFacetsOf(view)
    this.#known = plan.facets.map((request, i) => browsed.find(this.filters[i], request))
    return [...this.#known.keys()].filter((facet) => this.#known[facet] === undefined)
  }

  /** Call after counting all live documents under the filters: caches the facets. */
  endBrowsed(): void {
    this.#isBrowsed = this.#run.plan.groups?.facetCount !== 'groups'
  }

  /** @param others by facet: counts of groups */
  *outcome(others?: readonly (OtherCounts | undefined)[]): Steps<FacetOutcome[]> {
    const { view, plan, checkDeadline, isTurnOver } = this.#run
    const counted = yield* this.#counter.outcome({ checkDeadline, isTurnOver }, others)
    const outcomes = counted.map((outcome, facet) => this.#known[facet] ?? outcome)
    if (this.#isBrowsed && !this.isCut) {
      const browsed = browseFacetsOf(view)
      outcomes.forEach((outcome, i) => browsed.keep(this.filters[i], plan.facets[i]!, outcome))
    }
    return outcomes
  }

  /** Whether the search timed out before all facets were counted. */
  get isCut(): boolean {
    return this.#counter.isCut
  }
}

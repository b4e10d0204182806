import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { FilterNode } from '../../query/filter.ts'
import type { PlannedGroups, SearchPlan } from '../../query/plan.ts'
import { Admission } from '../collect/admission.ts'
import type { MatchSink } from '../collect/match-sink.ts'
import { sinkDocs, sinkPoints } from '../collect/match-sink.ts'
import type { OtherCounts } from '../facets/facet-counter.ts'
import { PinnedDocuments } from '../ranking/pinned-documents.ts'
import type { SegmentView } from '../view/index-view.ts'
import { newRun, type SearchRun } from '../view/search-run.ts'
import { FacetPairs } from './facet-pairs.ts'
import { GroupNumbers } from './group-numbers.ts'
import { visitMatches, type RankedSearch } from './search-groups.ts'

/**
 * Groups of the documents of one window. One per thread is enough, because a search never waits.
 */
const windowGroups = new Uint32Array(WINDOW_SIZE)

/**
 * Counts, for each facet of a plan, the groups with a value or something in a range. Visits the
 * matches once per filter under which facets are counted.
 */
export class GroupFacets {
  readonly #run: SearchRun
  readonly #groups: PlannedGroups
  readonly #filters: readonly (FilterNode | undefined)[]
  readonly #pairs: readonly FacetPairs[]

  /** @param filters by facet */
  constructor(
    run: SearchRun,
    plan: SearchPlan & { readonly groups: PlannedGroups },
    filters: readonly (FilterNode | undefined)[],
  ) {
    this.#run = run
    this.#groups = plan.groups
    this.#filters = filters
    this.#pairs = plan.facets.map((request) => new FacetPairs(request))
  }

  /** @throws DeadlineReached; the counts so far are kept */
  count(search: Pick<RankedSearch, 'words' | 'boosts'>): void {
    const { view, plan, resolveId } = this.#run
    for (const filter of new Set(this.#filters)) {
      const { filter: _, ...rest } = plan
      const run = newRun(view, filter === undefined ? rest : { ...rest, filter }, resolveId)
      const pairs = this.#pairs.filter((_, facet) => this.#filters[facet] === filter)
      const sink = new GroupFacetSink(run, new GroupNumbers(run, this.#groups), pairs)
      visitMatches(run, search, sink, true)
      sink.takePinned(new PinnedDocuments(run))
    }
  }

  /** By facet. */
  counts(): OtherCounts[] {
    return this.#pairs.map((pairs) => pairs.counts())
  }
}

/** Takes each match once. Ignores scores. */
class GroupFacetSink implements MatchSink {
  readonly docs = sinkDocs
  readonly points = sinkPoints
  readonly needsUnranked = false
  readonly ranksNeeded = undefined
  readonly countOnlyBelow = -Infinity
  readonly #run: SearchRun
  readonly #numbers: GroupNumbers
  readonly #pairs: readonly FacetPairs[]
  readonly #admission: Admission
  #segmentIndex = 0

  constructor(run: SearchRun, numbers: GroupNumbers, pairs: readonly FacetPairs[]) {
    this.#run = run
    this.#numbers = numbers
    this.#pairs = pairs
    this.#admission = new Admission(run)
  }

  beginSegment(segmentIndex: number, segment: SegmentView): void {
    this.#segmentIndex = segmentIndex
    this.#admission.beginSegment(segment)
    for (const pairs of this.#pairs) {
      pairs.beginSegment(this.#run.view.column(segment, pairs.request.field))
    }
  }

  take(count: number): void {
    const { docs } = this
    const kept = this.#admission.admit(docs, this.points, count)
    this.#numbers.fill(this.#segmentIndex, docs, kept, windowGroups)
    for (const pairs of this.#pairs) pairs.add(docs, windowGroups, kept)
  }

  pick(count: number): number {
    this.take(count)
    return 0
  }

  /** Pinned documents match regardless of their words. */
  takePinned(pinned: PinnedDocuments): void {
    for (const [segmentIndex, segment] of this.#run.view.segments.entries()) {
      const docOrds = pinned.in(segmentIndex)
      if (docOrds.length === 0) continue
      this.beginSegment(segmentIndex, segment)
      this.docs.set(docOrds)
      this.take(docOrds.length)
    }
  }

  tighten(): void {}
  countOnly(): void {}
  takeUnranked(): void {}
  pickOf(): undefined {}
  rank(): void {}
}

import { popcount } from '../../codec/bitset.ts'
import type { Boosts } from '../ranking/boosts.ts'
import { keepWindow } from '../ranking/count-matches.ts'
import type { PinnedDocument, PinnedDocuments } from '../ranking/pinned-documents.ts'
import type { Popularity } from '../ranking/popularity.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { Admission } from './admission.ts'
import { FacetCollector } from './facet-collector.ts'
import type { MatchSink } from './match-sink.ts'
import { sinkDocs, sinkPoints } from './match-sink.ts'
import { PageCollector } from './page-collector.ts'

/**
 * Processes the matches, window by window: counts and ranks those that match the filter, and counts
 * facets.
 */
export class ResultCollector implements MatchSink {
  readonly docs = sinkDocs
  readonly points = sinkPoints
  found = 0
  readonly facets: FacetCollector
  readonly page: PageCollector
  readonly #run: SearchRun
  readonly #admission: Admission
  /** Whether documents are ranked here and counted afterwards, by `countSet`. */
  countsApart = false

  constructor(run: SearchRun, boosts: Boosts, popularity: Popularity | undefined) {
    this.#run = run
    this.#admission = new Admission(run)
    this.facets = new FacetCollector(run)
    this.page = new PageCollector(run, boosts, popularity)
  }

  /**
   * Pinned documents are found regardless of their words. Filters and counts them, also in facets.
   */
  admitPinned(pinned: PinnedDocuments): void {
    if (pinned.all.length === 0) return
    const admitted: PinnedDocument[] = []
    for (const [segmentIndex, segment] of this.#run.view.segments.entries()) {
      const docOrds = pinned.in(segmentIndex)
      if (docOrds.length === 0) continue
      this.#beginAdmission(segment)
      this.docs.set(docOrds)
      const kept = new Set(this.docs.subarray(0, this.#admit(docOrds.length)))
      admitted.push(
        ...pinned.all.filter((pin) => pin.segmentIndex === segmentIndex && kept.has(pin.docOrd)),
      )
    }
    this.page.placePinned(admitted)
  }

  get ranksNeeded(): number | undefined {
    return this.page.ranksNeeded
  }

  get needsUnranked(): boolean {
    return !this.#admission.admitsAll || !this.facets.isEmpty
  }

  /** Without a filter and facets, a document matters only if it may be among the best. */
  get countOnlyBelow(): number {
    return this.needsUnranked && !this.countsApart ? -Infinity : this.page.scoreMin
  }

  tighten(): void {
    this.page.tighten()
  }

  beginSegment(segmentIndex: number, segment: SegmentView): void {
    this.#beginAdmission(segment)
    this.page.beginSegment(segmentIndex, segment)
  }

  countOnly(count: number): void {
    this.found += count
  }

  /** Resets the counts made while ranking. */
  resetCounts(): void {
    this.found = this.page.pinnedCount
  }

  beginCounting(segment: SegmentView): void {
    this.#beginAdmission(segment)
  }

  countSet(set: Uint32Array, window: number, count: number): void {
    this.facets.countMatchingSet(set, window)
    const { bits } = this.#admission
    // If all facets are within the filter, so are the sets of the words.
    const isFiltered = bits === undefined || this.facets.areWithinFilter
    if (!isFiltered) keepWindow(set, bits, window)
    this.found += isFiltered ? count : popcount(set)
    this.facets.countFoundSet(set, window)
  }

  take(count: number): void {
    this.page.rank(this.docs, this.points, this.#admit(count))
  }

  takeUnranked(count: number): void {
    this.#admit(count)
  }

  pick(count: number): number {
    return this.page.contenders(this.docs, this.#admit(count))
  }

  pickOf(set: Uint32Array, matches: number): Uint32Array | undefined {
    const first = this.page.firstOf(set, matches)
    if (first !== undefined) this.found += matches
    return first
  }

  rank(docs: Uint32Array, points: Float64Array, count: number): void {
    this.page.rank(docs, points, count)
  }

  #beginAdmission(segment: SegmentView): void {
    this.#admission.beginSegment(segment)
    this.facets.beginSegment(segment)
  }

  /**
   * Filters and counts the first `count` of `docs`.
   * @returns number of documents kept at the front
   */
  #admit(count: number): number {
    const { docs } = this
    if (this.countsApart) {
      const kept = this.#admission.admit(docs, this.points, count)
      this.found += kept
      return kept
    }
    this.facets.countMatching(docs, count)
    const kept = this.#admission.admit(docs, this.points, count)
    this.found += kept
    this.facets.countFound(docs, kept)
    return kept
  }
}

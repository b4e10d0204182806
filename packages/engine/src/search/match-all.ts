import {
  andInto,
  fillBits,
  hasBit,
  listBits,
  newBitset,
  popcount,
  setBit,
} from '../codec/bitset.ts'
import { WINDOW_SIZE } from '../postings/postings-format.ts'
import type { FilterNode } from '../query/filter.ts'
import { NEUTRAL_POINTS } from '../scoring/formula.ts'
import type { Boosts } from './ranking/boosts.ts'
import { allowedDocuments, hasConditions } from './filters/conditions.ts'
import { allowedBits } from './filters/filterable-segment.ts'
import type { SegmentView } from './view/index-view.ts'
import type { SearchRun } from './view/search-run.ts'
import type { PinnedDocument, PinnedDocuments } from './ranking/pinned-documents.ts'
import type { MatchSink } from './collect/match-sink.ts'
import type { ResultCollector } from './collect/result-collector.ts'

/**
 * A search without words. Every live document that meets the conditions matches; only boosts and
 * popularity distinguish them. Finds counts, facets without a filter, and the newest documents
 * without visiting documents one by one.
 *
 * @param pinned match like all others and are counted here; only their positions are special
 */
export function searchAll(
  run: SearchRun,
  pinned: PinnedDocuments,
  boosts: Boosts,
  collector: ResultCollector,
): void {
  const { view, plan, checkDeadline } = run
  const isByAge = plan.sort.every(
    ({ kind }) => kind === 'textMatch' || (kind === 'popularity' && plan.popularity === undefined),
  )
  const { facets } = collector
  const isBrowse = !hasConditions(plan)
  const uncounted = isBrowse ? facets.expectBrowsed() : [...plan.facets.keys()]
  const admitted: PinnedDocument[] = []
  const points = boosts.isEmpty ? 0 : NEUTRAL_POINTS
  let wanted = plan.size === 0 ? 0 : plan.from + plan.size
  for (let i = view.segments.length - 1; i >= 0; i--) {
    checkDeadline()
    const segment = view.segments[i]!
    const { docCount } = segment.reader
    const allowed = allowedDocuments(run, segment)
    const bits = allowedBits(run, segment, plan.filter, allowed)
    collector.found += bits === undefined ? docCount : popcount(bits)
    const isAdmitted = ({ segmentIndex, docOrd }: PinnedDocument) =>
      segmentIndex === i && (bits === undefined || hasBit(bits, docOrd))
    admitted.push(...pinned.all.filter(isAdmitted))
    const ranked = { segment, segmentIndex: i, bits: pinned.takenOut(i, docCount, bits), points }
    if (isByAge && boosts.isEmpty) wanted -= takeNewest(ranked, wanted, collector)
    else if (collector.page.isByScore) {
      const { raised, others } = splitRaised(ranked, boosts, collector.page.levelsIn(i))
      takeEach(raised, collector, checkDeadline)
      wanted -= takeNewest(others, wanted, collector)
    } else takeEach(ranked, collector, checkDeadline)
    if (uncounted.length > 0) countFacets(run, segment, allowed, uncounted, collector)
  }
  if (isBrowse) facets.endBrowsed()
  collector.page.placePinned(admitted)
}

/** Passes all documents that meet the conditions to a sink, except pinned ones. */
export function forEachMatch(
  run: SearchRun,
  pinned: PinnedDocuments,
  boosts: Boosts,
  sink: MatchSink,
): void {
  const points = boosts.isEmpty ? 0 : NEUTRAL_POINTS
  for (const [i, segment] of run.view.segments.entries()) {
    const allowed = allowedDocuments(run, segment)
    const bits = pinned.takenOut(i, segment.reader.docCount, allowed)
    sink.beginSegment(i, segment)
    forEachWindow(segment, bits, sink.docs, run.checkDeadline, (count) => {
      const kept = sink.pick(count)
      sink.points.fill(points, 0, kept)
      if (kept > 0) sink.rank(sink.docs, sink.points, kept)
    })
  }
}

/** Documents of a segment to rank, all with the same points. */
interface RankedBits {
  readonly segment: SegmentView
  readonly segmentIndex: number
  /** Undefined: all of them. */
  readonly bits: Uint32Array | undefined
  readonly points: number
}

/**
 * Splits off the documents that match a boost or are popular, which must be visited. Among the
 * others, the newest are best.
 *
 * @param levels of popularity, by docOrd, if it counts
 */
function splitRaised(
  ranked: RankedBits,
  boosts: Boosts,
  levels: Uint16Array | undefined,
): { readonly raised: RankedBits; readonly others: RankedBits } {
  const { docCount } = ranked.segment.reader
  const bits = ranked.bits ?? allBits(docCount)
  const raised = boosts.union(ranked.segmentIndex, docCount)
  levels?.forEach((level, docOrd) => {
    if (level > 0) setBit(raised, docOrd)
  })
  andInto(raised, bits)
  const others = bits.map((word, i) => word & ~raised[i]!)
  return { raised: { ...ranked, bits: raised }, others: { ...ranked, bits: others } }
}

/** @param wanted how many of the newest to take @returns number of documents passed on */
function takeNewest(
  { segment, segmentIndex, bits, points }: RankedBits,
  wanted: number,
  collector: ResultCollector,
): number {
  const { docCount } = segment.reader
  const docs = new Uint32Array(Math.max(0, Math.min(wanted, docCount)))
  const count = bits === undefined ? listLast(docCount, docs) : listLastBits(bits, docs)
  if (count === 0) return 0
  collector.page.beginSegment(segmentIndex, segment)
  collector.page.rank(docs, new Float64Array(count).fill(points), count)
  return count
}

/** Fills `docs` with the last documents of a segment, the last first. @returns how many */
function listLast(docCount: number, docs: Uint32Array): number {
  for (let i = 0; i < docs.length; i++) docs[i] = docCount - 1 - i
  return docs.length
}

/** The same for a set. */
function listLastBits(bits: Uint32Array, docs: Uint32Array): number {
  let count = 0
  for (let word = bits.length - 1; word >= 0 && count < docs.length; word--) {
    let rest = bits[word]!
    while (rest !== 0 && count < docs.length) {
      const bit = 31 - Math.clz32(rest)
      docs[count++] = (word << 5) + bit
      rest &= ~(1 << bit)
    }
  }
  return count
}

function takeEach(
  { segment, segmentIndex, bits, points }: RankedBits,
  collector: ResultCollector,
  checkDeadline: () => void,
): void {
  const { page } = collector
  page.beginSegment(segmentIndex, segment)
  const nearest = page.isByScore ? undefined : firstOf(segment, bits, page)
  if (nearest !== undefined) {
    page.rank(nearest, new Float64Array(nearest.length).fill(points), nearest.length)
    return
  }
  forEachWindow(segment, bits, collector.docs, checkDeadline, (count) => {
    collector.points.fill(points, 0, count)
    collector.page.rank(collector.docs, collector.points, count)
  })
}

/**
 * The first documents in sort order, if they can be found without visiting all: see
 * `SortedCollector`.
 */
function firstOf(
  { reader }: SegmentView,
  bits: Uint32Array | undefined,
  page: ResultCollector['page'],
): Uint32Array | undefined {
  const set = bits ?? allBits(reader.docCount)
  return page.firstOf(set, bits === undefined ? reader.docCount : popcount(bits))
}

/**
 * Counts facets with the same filter together; caches the counts without a filter.
 *
 * @param uncounted the facets to count
 */
function countFacets(
  run: SearchRun,
  segment: SegmentView,
  allowed: Uint32Array | undefined,
  uncounted: readonly number[],
  { facets: counted }: ResultCollector,
): void {
  counted.beginSegment(segment)
  const byFilter = new Map<FilterNode | undefined, number[]>()
  for (const facet of uncounted) {
    const filter = counted.filters[facet]
    const facets = byFilter.get(filter)
    if (facets === undefined) byFilter.set(filter, [facet])
    else facets.push(facet)
  }
  for (const [filter, facets] of byFilter) {
    if (filter === undefined && allowed === segment.live) {
      counted.countAll(facets, segment)
      continue
    }
    const bits = allowedBits(run, segment, filter, allowed)
    const set = bits ?? allBits(segment.reader.docCount)
    for (let window = 0; window < segment.reader.windowCount; window++) {
      run.checkDeadline()
      const first = (window * WINDOW_SIZE) >>> 5
      counted.countSetUnder(facets, set.subarray(first, first + (WINDOW_SIZE >>> 5)), window)
    }
  }
}

/** Lists the documents of a bitset into `docs`, window by window. */
function forEachWindow(
  { reader }: SegmentView,
  given: Uint32Array | undefined,
  docs: Uint32Array,
  checkDeadline: () => void,
  take: (count: number) => void,
): void {
  const bits = given ?? allBits(reader.docCount)
  for (let base = 0; base < reader.docCount; base += WINDOW_SIZE) {
    checkDeadline()
    const end = Math.min(bits.length, (base + WINDOW_SIZE) >>> 5)
    const count = listBits(bits, base >>> 5, end, base, docs)
    if (count > 0) take(count)
  }
}

function allBits(docCount: number): Uint32Array {
  const bits = newBitset(docCount)
  fillBits(bits, docCount)
  return bits
}

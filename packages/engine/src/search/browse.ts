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
import type { Boosts } from './model/boosts.ts'
import { allowedDocumentsInSteps, hasConditions } from './filters/conditions.ts'
import { allowedBits } from './filters/filterable-segment.ts'
import type { FacetCollector } from './facets/facet-collector.ts'
import type { MatchCount } from './match/count-matches.ts'
import type { PinnedDocuments } from './match/pinned-documents.ts'
import { laterSegments, newestOf } from './match/newest-documents.ts'
import { scratch } from './match/window-scratch.ts'
import type { PageCollector } from './page/page-collector.ts'
import type { SegmentView } from './view/index-view.ts'
import type { SearchRun } from './view/search-run.ts'
import { pause, type Steps } from './view/steps.ts'

/** What a search without words fills. */
export interface Browsed {
  readonly boosts: Boosts
  readonly page: PageCollector
  readonly facets: FacetCollector
  readonly counted: MatchCount
}

/**
 * A search without words. Every live document that meets the conditions matches; only boosts and
 * popularity distinguish them. Finds counts, facets without a filter, and the newest documents
 * without visiting documents one by one.
 *
 * @param pinned match like all others and are counted here; only their positions are special
 */
export function* browse(
  run: SearchRun,
  pinned: PinnedDocuments,
  { boosts, page, facets, counted }: Browsed,
): Generator<void, void> {
  const { view, plan } = run
  const isByAge = plan.sort.every(
    ({ kind }) => kind === 'textMatch' || (kind === 'popularity' && plan.popularity === undefined),
  )
  const isWhole = !hasConditions(plan)
  const uncounted = isWhole ? facets.expectBrowsed() : [...plan.facets.keys()]
  const points = boosts.isEmpty ? 0 : NEUTRAL_POINTS
  const isLater = laterSegments(view.segments)
  let wanted = page.end
  for (let i = view.segments.length - 1; i >= 0; i--) {
    run.checkDeadline()
    if (run.isTurnOver()) yield
    const segment = view.segments[i]!
    const { docCount } = segment.reader
    const allowed = yield* allowedDocumentsInSteps(run, segment)
    const bits = yield* allowedBits(run, segment, plan.filter, allowed)
    counted.found += bits === undefined ? docCount : popcount(bits)
    const admitted = pinned.in(i).filter(({ docOrd }) => bits === undefined || hasBit(bits, docOrd))
    counted.pinned = [...counted.pinned, ...admitted]
    const ranked = { segment, segmentIndex: i, bits: pinned.takenOut(i, docCount, bits), points }
    let taken = 0
    if (isByAge && boosts.isEmpty) taken = takeNewest(ranked, wanted, page)
    else if (page.isByScore) {
      const { raised, others } = splitRaised(ranked, boosts, page.levelsIn(i))
      yield* takeEach(run, raised, page)
      taken = takeNewest(others, wanted, page)
    } else yield* takeEach(run, ranked, page, boosts.isEmpty)
    if (isLater[i]!) wanted -= taken
    if (uncounted.length > 0) yield* countFacets(run, segment, allowed, uncounted, facets)
  }
  if (isWhole) facets.endBrowsed()
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

/** @param wanted how many of the newest to take, at least @returns how many were taken */
function takeNewest(
  { segment, segmentIndex, bits, points }: RankedBits,
  wanted: number,
  page: PageCollector,
): number {
  const docs = newestOf(segment.reader.insertions, bits, wanted)
  if (docs.length === 0) return 0
  page.beginSegment(segmentIndex, segment)
  page.offer(docs, new Float64Array(docs.length).fill(points), docs.length)
  return docs.length
}

function* takeEach(
  run: SearchRun,
  { segment, segmentIndex, bits, points }: RankedBits,
  page: PageCollector,
  areScoresEqual = false,
): Generator<void, void> {
  page.beginSegment(segmentIndex, segment)
  const first = page.isByScore ? undefined : yield* firstOf(segment, bits, page, areScoresEqual)
  if (first !== undefined) {
    yield* page.offerInSteps(first, new Float64Array(first.length).fill(points), first.length)
    return
  }
  const { docCount } = segment.reader
  const all = bits ?? allBits(docCount)
  for (let base = 0; base < docCount; base += WINDOW_SIZE) {
    run.checkDeadline()
    if (run.isTurnOver()) yield
    const end = Math.min(all.length, (base + WINDOW_SIZE) >>> 5)
    const count = listBits(all, base >>> 5, end, base, scratch.docs)
    if (count === 0) continue
    scratch.points.fill(points, 0, count)
    yield* page.offerInSteps(scratch.docs, scratch.points, count)
  }
}

/**
 * The first documents in sort order, if they can be found without visiting all: see
 * `SortedCollector`.
 */
function* firstOf(
  { reader }: SegmentView,
  bits: Uint32Array | undefined,
  page: PageCollector,
  areScoresEqual: boolean,
): Steps<Uint32Array | undefined> {
  const set = bits ?? allBits(reader.docCount)
  const matches = bits === undefined ? reader.docCount : popcount(bits)
  const similar = yield* page.mostSimilar(set, matches)
  return similar ?? (yield* page.firstOf(set, matches, areScoresEqual))
}

/**
 * Counts facets with the same filter together; caches the counts without a filter.
 *
 * @param uncounted the facets to count
 */
function* countFacets(
  run: SearchRun,
  segment: SegmentView,
  allowed: Uint32Array | undefined,
  uncounted: readonly number[],
  counted: FacetCollector,
): Generator<void, void> {
  yield* counted.openSegment(segment)
  const byFilter = new Map<FilterNode | undefined, number[]>()
  for (const facet of uncounted) {
    const filter = counted.filters[facet]
    const facets = byFilter.get(filter)
    if (facets === undefined) byFilter.set(filter, [facet])
    else facets.push(facet)
  }
  for (const [filter, facets] of byFilter) {
    if (filter === undefined && allowed === segment.live) {
      for (const facet of facets) {
        counted.countAll(facet, segment)
        yield* pause(run)
      }
      continue
    }
    const bits = yield* allowedBits(run, segment, filter, allowed)
    const set = bits ?? allBits(segment.reader.docCount)
    for (let window = 0; window < segment.reader.windowCount; window++) {
      run.checkDeadline()
      if (run.isTurnOver()) yield
      const first = (window * WINDOW_SIZE) >>> 5
      counted.countSetUnder(facets, set.subarray(first, first + (WINDOW_SIZE >>> 5)), window)
    }
  }
}

function allBits(docCount: number): Uint32Array {
  const bits = newBitset(docCount)
  fillBits(bits, docCount)
  return bits
}

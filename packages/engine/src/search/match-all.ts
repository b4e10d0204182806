import { hasBit, popcount } from '../codec/bitset.ts'
import { WINDOW_SIZE } from '../postings/postings-format.ts'
import type { SearchPlan } from '../query/plan.ts'
import type { IndexView, SegmentView } from './index-view.ts'
import type { ResultCollector } from './result-collector.ts'

/**
 * A search without words: every live document matches with score 0. What can be answered without looking
 * at documents one by one is: counts, facets without a filter, and the newest documents.
 */
export function searchAll(
  view: IndexView,
  plan: SearchPlan,
  collector: ResultCollector,
  checkDeadline: () => void,
): void {
  const countsOnly = plan.filter === undefined && plan.facets.length > 0
  if (countsOnly) for (const segment of view.segments) collector.countAllFacets(segment)
  const isByAge = plan.sort.every(({ kind }) => kind === 'textMatch' || kind === 'popularity')
  const mayCount = isByAge && (plan.facets.length === 0 || countsOnly)
  let wanted = plan.size === 0 ? 0 : plan.from + plan.size
  for (let i = view.segments.length - 1; i >= 0; i--) {
    checkDeadline()
    const segment = view.segments[i]!
    if (mayCount) wanted -= takeNewest(segment, i, plan, collector, wanted)
    else takeEach(segment, i, plan, collector, !countsOnly, checkDeadline)
  }
}

/** @returns documents handed on: the newest of the segment, as many as are still wanted */
function takeNewest(
  segment: SegmentView,
  segmentIndex: number,
  plan: SearchPlan,
  collector: ResultCollector,
  wanted: number,
): number {
  const bits = collector.matching(segment, plan.filter)
  const count = bits === undefined ? segment.reader.docCount : popcount(bits)
  if (count === 0) return 0
  const take = Math.min(wanted, count)
  if (take > 0) {
    collector.beginRanking(segmentIndex, segment)
    const docs = new Uint32Array(take)
    let filled = 0
    for (let docOrd = segment.reader.docCount - 1; filled < take; docOrd--) {
      if (bits === undefined || hasBit(bits, docOrd)) docs[filled++] = docOrd
    }
    collector.rank(docs, new Float64Array(take), take)
  }
  collector.found += count
  return take
}

function takeEach(
  segment: SegmentView,
  segmentIndex: number,
  plan: SearchPlan,
  collector: ResultCollector,
  withFacets: boolean,
  checkDeadline: () => void,
): void {
  collector.beginSegment(segmentIndex, segment, withFacets)
  const { docCount } = segment.reader
  const { docs, points } = collector
  for (let base = 0; base < docCount; base += WINDOW_SIZE) {
    checkDeadline()
    const end = Math.min(docCount, base + WINDOW_SIZE)
    let count = 0
    for (let docOrd = base; docOrd < end; docOrd++) {
      if (segment.live !== undefined && !hasBit(segment.live, docOrd)) continue
      docs[count] = docOrd
      points[count++] = 0
    }
    if (count > 0) collector.take(count)
  }
}

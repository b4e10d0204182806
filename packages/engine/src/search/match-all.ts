import { fillBits, hasBit, newBitset, popcount } from '../codec/bitset.ts'
import { WINDOW_SIZE } from '../postings/postings-format.ts'
import type { FilterNode } from '../query/filter.ts'
import type { SearchPlan } from '../query/plan.ts'
import { allowedDocuments } from './conditions.ts'
import type { IndexView, SegmentView } from './index-view.ts'
import type { ResultCollector } from './result-collector.ts'

/**
 * A search without words: every live document that meets the conditions matches with score 0. What can be answered without looking
 * at documents one by one is: counts, facets without a filter, and the newest documents.
 */
export function searchAll(
  view: IndexView,
  plan: SearchPlan,
  collector: ResultCollector,
  checkDeadline: () => void,
): void {
  const isByAge = plan.sort.every(({ kind }) => kind === 'textMatch' || kind === 'popularity')
  let wanted = plan.size === 0 ? 0 : plan.from + plan.size
  for (let i = view.segments.length - 1; i >= 0; i--) {
    checkDeadline()
    const segment = view.segments[i]!
    const allowed = allowedDocuments(view, segment, plan, checkDeadline)
    const bits = collector.matching(segment, plan.filter, allowed)
    const count = bits === undefined ? segment.reader.docCount : popcount(bits)
    collector.found += count
    if (isByAge) wanted -= takeNewest(segment, i, bits, Math.min(wanted, count), collector)
    else takeEach(segment, i, bits, collector, checkDeadline)
    if (plan.facets.length > 0) countFacets(segment, allowed, collector, checkDeadline)
  }
}

/** @returns documents handed on: the newest ones */
function takeNewest(
  segment: SegmentView,
  segmentIndex: number,
  bits: Uint32Array | undefined,
  take: number,
  collector: ResultCollector,
): number {
  if (take <= 0) return 0
  collector.beginRanking(segmentIndex, segment)
  const docs = new Uint32Array(take)
  let filled = 0
  for (let docOrd = segment.reader.docCount - 1; filled < take; docOrd--) {
    if (bits === undefined || hasBit(bits, docOrd)) docs[filled++] = docOrd
  }
  collector.rank(docs, new Float64Array(take), take)
  return take
}

function takeEach(
  segment: SegmentView,
  segmentIndex: number,
  bits: Uint32Array | undefined,
  collector: ResultCollector,
  checkDeadline: () => void,
): void {
  collector.beginRanking(segmentIndex, segment)
  collector.points.fill(0)
  forEachWindow(segment, bits, collector.docs, checkDeadline, (count) =>
    collector.rank(collector.docs, collector.points, count),
  )
}

/** Facets are counted together where they share their filter; without one the counts are known already. */
function countFacets(
  segment: SegmentView,
  allowed: Uint32Array | undefined,
  collector: ResultCollector,
  checkDeadline: () => void,
): void {
  const byFilter = new Map<FilterNode | undefined, number[]>()
  collector.facetFilters.forEach((filter, facet) => {
    const facets = byFilter.get(filter)
    if (facets === undefined) byFilter.set(filter, [facet])
    else facets.push(facet)
  })
  for (const [filter, facets] of byFilter) {
    if (filter === undefined && allowed === segment.live) {
      collector.countAllOf(facets, segment)
      continue
    }
    const bits = collector.matching(segment, filter, allowed)
    forEachWindow(segment, bits, collector.docs, checkDeadline, (count) =>
      collector.countFacets(facets, segment, collector.docs, count),
    )
  }
}

/** Lists the documents of a bitset window by window into `docs`. */
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
    const count = listBits(bits, base, docs)
    if (count > 0) take(count)
  }
}

function listBits(bits: Uint32Array, base: number, docs: Uint32Array): number {
  let count = 0
  const last = Math.min(bits.length, (base + WINDOW_SIZE) >>> 5)
  for (let word = base >>> 5; word < last; word++) {
    const from = word << 5
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      docs[count++] = from + 31 - Math.clz32(rest & -rest)
    }
  }
  return count
}

function allBits(docCount: number): Uint32Array {
  const bits = newBitset(docCount)
  fillBits(bits, docCount)
  return bits
}

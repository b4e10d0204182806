import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import { allowedDocuments } from '../filters/conditions.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { PinnedDocuments } from './pinned-documents.ts'
import { SlotUnion } from './slot-union.ts'

/** One per thread is enough, since a search never waits. */
const set = new Uint32Array(WINDOW_SIZE / 32)

/** Takes the documents that match without an order. */
export interface MatchCounter {
  /** A number is not enough: there is a filter, or there are facets. */
  readonly needsUnranked: boolean
  countOnly(count: number): void
  beginCounting(segment: SegmentView): void
  /** @param set a bit per document of a window */
  countSet(set: Uint32Array, window: number): void
}

/**
 * Counts the documents that have one of these words, without reading most of their postings: see
 * `SlotUnion`. Ranking comes first, so it is done once, however many ways of ranking were tried.
 *
 * @param slots those that carry
 * @param pinned documents to leave out
 */
export function countMatches(
  run: SearchRun,
  slots: readonly ResolvedSlot[],
  pinned: Pick<PinnedDocuments, 'takenOut'>,
  counter: MatchCounter,
): void {
  run.view.segments.forEach((segment, segmentIndex) => {
    const union = new SlotUnion(run, segment, segmentIndex, slots)
    if (union.isEmpty) return
    const { docCount, windowCount } = segment.reader
    const allowed = pinned.takenOut(segmentIndex, docCount, allowedDocuments(run, segment))
    if (counter.needsUnranked) counter.beginCounting(segment)
    for (let window = 0; window < windowCount; window++) {
      run.checkDeadline()
      const count = union.fill(window, allowed, set)
      if (!counter.needsUnranked) counter.countOnly(count)
      else if (count > 0) {
        if (allowed !== undefined) keepWindow(set, allowed, window)
        counter.countSet(set, window)
      }
    }
  })
}

/** Keeps the documents of a window that are in a bitset of the segment. */
export function keepWindow(set: Uint32Array, bits: Uint32Array, window: number): void {
  const firstWord = (window << WINDOW_BITS) >>> 5
  const wordCount = Math.min(bits.length - firstWord, set.length)
  for (let i = 0; i < wordCount; i++) set[i]! &= bits[firstWord + i]!
  // Behind the last document: what an earlier window left there.
  set.fill(0, wordCount)
}

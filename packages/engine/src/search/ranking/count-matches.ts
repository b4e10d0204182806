import { WINDOW_BITS } from '../../postings/postings-format.ts'
import { allowedDocuments } from '../filters/conditions.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { PinnedDocuments } from './pinned-documents.ts'
import type { WordSets } from './word-sets.ts'

/** Receives matches without an order. */
export interface MatchCounter {
  /** Whether a count is not enough, because there is a filter or there are facets. */
  readonly needsUnranked: boolean
  countOnly(count: number): void
  beginCounting(segment: SegmentView): void
  /** @param set one bit per document of a window @param count number of documents in it */
  countSet(set: Uint32Array, window: number, count: number): void
}

/**
 * Counts the documents with at least one of these words. Runs after ranking, once for all
 * strategies tried, and uses their sets.
 *
 * @param slots those that make a match
 * @param pinned documents to leave out
 */
export function countMatches(
  run: SearchRun,
  sets: WordSets,
  slots: readonly ResolvedSlot[],
  pinned: Pick<PinnedDocuments, 'takenOut'>,
  counter: MatchCounter,
): void {
  const out = sets.scratch(0)
  const { kernels } = sets
  run.view.segments.forEach((segment, segmentIndex) => {
    const { docCount, windowCount } = segment.reader
    const words = slots.map((slot) => sets.of(slot, segmentIndex))
    const bits = pinned.takenOut(segmentIndex, docCount, allowedDocuments(run, segment))
    const allowed = bits === undefined ? undefined : sets.copyOf(bits, segmentIndex)
    if (counter.needsUnranked) counter.beginCounting(segment)
    for (let window = 0; window < windowCount; window++) {
      run.checkDeadline()
      const bytes = sets.bytesOf(segmentIndex, window)
      sets.unite(words, window, out, bytes)
      if (allowed !== undefined) kernels.and(out, out, sets.inWindow(allowed, window), bytes)
      const count = kernels.count(out, bytes)
      if (!counter.needsUnranked) counter.countOnly(count)
      else if (count > 0) counter.countSet(sets.words(out, bytes), window, count)
    }
  })
}

/** Keeps the documents of a window that are in a bitset of the segment. */
export function keepWindow(set: Uint32Array, bits: Uint32Array, window: number): void {
  const firstWord = (window << WINDOW_BITS) >>> 5
  const wordCount = Math.min(bits.length - firstWord, set.length)
  for (let i = 0; i < wordCount; i++) set[i]! &= bits[firstWord + i]!
  // After the last document: clears what an earlier window left.
  set.fill(0, wordCount)
}

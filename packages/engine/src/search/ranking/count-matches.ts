import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import { allowedDocuments } from '../filters/conditions.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { PinnedDocuments } from './pinned-documents.ts'
import { SlotUnion } from './slot-union.ts'

/** One per thread is enough, since a search never waits. */
const set = new Uint32Array(WINDOW_SIZE / 32)

/**
 * How many documents have one of these words, without reading most of their postings: see
 * `SlotUnion`.
 *
 * @param slots those that carry
 * @param pinned documents to leave out
 */
export function countMatches(
  run: SearchRun,
  slots: readonly ResolvedSlot[],
  pinned: Pick<PinnedDocuments, 'takenOut'>,
): number {
  let count = 0
  run.view.segments.forEach((segment, segmentIndex) => {
    const union = new SlotUnion(run, segment, segmentIndex, slots)
    if (union.isEmpty) return
    const { docCount, windowCount } = segment.reader
    const allowed = pinned.takenOut(segmentIndex, docCount, allowedDocuments(run, segment))
    for (let window = 0; window < windowCount; window++) {
      run.checkDeadline()
      count += union.fill(window, allowed, set)
    }
  })
  return count
}

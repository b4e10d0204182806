import { WINDOW_BITS } from '../../postings/postings-format.ts'
import type { SegmentView } from '../view/index-view.ts'
import { bitHits, findHits, probeHits } from './follow-kernels.ts'
import type { WindowScratch } from './window-scratch.ts'

/** Looking a document up in a list costs as much as reading this many of its ids. */
export const PROBE_RATIO = 24
/** The same with the bitset of the list. */
const BIT_PROBE_RATIO = 4

/**
 * Finds the postings of a chunk whose documents are in the set of the window, the cheapest way.
 * @returns how many were written to `hits`
 */
export function listHits(
  { reader, listBits }: SegmentView,
  list: number,
  chunk: number,
  { touched, seen, hits }: WindowScratch,
  touchedCount: number,
): number {
  const { ids } = reader
  const from = reader.chunkStart(chunk)
  const to = reader.chunkEnd[chunk]!
  const bits = touchedCount * BIT_PROBE_RATIO < to - from ? listBits.of(list) : undefined
  if (bits !== undefined) {
    const firstDoc = reader.chunkWindow[chunk]! << WINDOW_BITS
    return bitHits(bits.bits, bits.blocks, firstDoc, ids, touched, touchedCount, hits)
  }
  return touchedCount * PROBE_RATIO < to - from
    ? probeHits(ids, from, to, touched, touchedCount, hits)
    : findHits(ids, from, to, seen, hits)
}

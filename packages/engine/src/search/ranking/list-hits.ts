import { WINDOW_BITS } from '../../postings/postings-format.ts'
import type { SegmentView } from '../view/index-view.ts'
import { bitHits, findHits, probeHits } from './follow-kernels.ts'

/** Looking a document up in a list costs as much as reading this many of its ids. */
const PROBE_RATIO = 24
/** The same with the bitset of the list. */
const BIT_PROBE_RATIO = 4

/**
 * Finds the postings of a chunk whose documents are in a set of the window, in the cheapest way.
 *
 * @param seen the set; its documents are the first of `touched`
 * @returns number of entries written to `hits`, and their documents to `hitIds`
 */
export function listHits(
  { reader, listBits }: SegmentView,
  list: number,
  chunk: number,
  hits: Uint32Array,
  hitIds: Uint16Array,
  seen: Uint32Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  const { ids } = reader
  const from = reader.chunkStart(chunk)
  const to = reader.chunkEnd[chunk]!
  const bits = touchedCount * BIT_PROBE_RATIO < to - from ? listBits.of(list) : undefined
  if (bits !== undefined) {
    const firstDoc = reader.chunkWindow[chunk]! << WINDOW_BITS
    return bitHits(bits.bits, bits.blocks, firstDoc, touched, touchedCount, hits, hitIds)
  }
  return touchedCount * PROBE_RATIO < to - from
    ? probeHits(ids, from, to, touched, touchedCount, hits, hitIds)
    : findHits(ids, from, to, seen, hits, hitIds)
}

import { WINDOW_BITS } from '../../postings/postings-format.ts'
import { scratch } from '../match/window-scratch.ts'
import type { SegmentView } from '../view/index-view.ts'
import { bitHits, findHits, probeHits } from './hit-kernels.ts'

/** Looking a document up in a list costs as much as reading this many of its ids. */
const PROBE_RATIO = 24
/** The same with the bitset of the list. */
const BIT_PROBE_RATIO = 4

/**
 * Finds the postings of a chunk whose documents are wanted, in the cheapest way.
 *
 * @param wanted the documents: one bit each; the first `wantedCount` of `wantedIds`
 * @returns number of entries written to `scratch.hits`, and their documents to `scratch.hitIds`
 */
export function listHits(
  { reader, listBits }: SegmentView,
  list: number,
  chunk: number,
  wanted: Uint32Array,
  wantedIds: Uint16Array,
  wantedCount: number,
): number {
  const { ids } = reader
  const { hits, hitIds } = scratch
  const from = reader.chunkStart(chunk)
  const to = reader.chunkEnd[chunk]!
  const bits = wantedCount * BIT_PROBE_RATIO < to - from ? listBits.of(list) : undefined
  if (bits !== undefined) {
    const firstDoc = reader.chunkWindow[chunk]! << WINDOW_BITS
    return bitHits(bits.bits, bits.blocks, firstDoc, wantedIds, wantedCount, hits, hitIds)
  }
  return wantedCount * PROBE_RATIO < to - from
    ? probeHits(ids, from, to, wantedIds, wantedCount, hits, hitIds)
    : findHits(ids, from, to, wanted, hits, hitIds)
}

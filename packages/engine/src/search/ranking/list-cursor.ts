import type { SegmentReader } from '../../segment/segment-reader.ts'
import type { SlotList } from './slot-lists.ts'

/** The list of one alternative in one segment, with a cursor over its chunks. */
export interface ListCursor {
  readonly list: number
  readonly quality: Float64Array | number
  chunk: number
  /** The best quality by form mask, once it is worth computing: see `qualitiesByMask`. */
  byMask: Float64Array | undefined
  readonly chunkEnd: number
}

export function openCursor(
  reader: SegmentReader,
  { list, quality }: Pick<SlotList, 'list' | 'quality'>,
): ListCursor {
  return {
    list,
    quality,
    chunk: reader.listChunk[list]!,
    byMask: undefined,
    chunkEnd: reader.listChunk[list + 1]!,
  }
}

/** The chunk of a window, -1 when there is none. Windows must come in ascending order. */
export function chunkAt(
  { chunkWindow }: SegmentReader,
  cursor: ListCursor,
  window: number,
): number {
  while (cursor.chunk < cursor.chunkEnd && chunkWindow[cursor.chunk]! < window) cursor.chunk++
  return cursor.chunk < cursor.chunkEnd && chunkWindow[cursor.chunk] === window ? cursor.chunk : -1
}

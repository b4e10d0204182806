import type { SegmentReader } from '../../segment/segment-reader.ts'

/** The list of one alternative in one segment, with a position among its chunks. */
export interface ListCursor {
  readonly list: number
  readonly quality: Float64Array | number
  /** The chunk of the last requested window. */
  chunk: number
}

/** A cursor before the first chunk of a list. */
export function openCursor(
  { listChunk }: SegmentReader,
  list: number,
  quality: Float64Array | number,
): ListCursor {
  return { list, quality, chunk: listChunk[list]! }
}

/** The chunk of a window, -1 if there is none. Fast for consecutive windows. */
export function chunkAt(
  { chunkWindow, listChunk }: SegmentReader,
  cursor: ListCursor,
  window: number,
): number {
  const chunkStart = listChunk[cursor.list]!
  const chunkEnd = listChunk[cursor.list + 1]!
  let { chunk } = cursor
  while (chunk > chunkStart && chunkWindow[chunk - 1]! >= window) chunk--
  while (chunk < chunkEnd && chunkWindow[chunk]! < window) chunk++
  cursor.chunk = chunk
  return chunk < chunkEnd && chunkWindow[chunk] === window ? chunk : -1
}

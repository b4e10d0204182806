import { WINDOW_BITS } from '../postings/postings-format.ts'
import type { SegmentReader } from '../segment/segment-reader.ts'

/**
 * Do a left and a right posting of one document stand side by side?
 *
 * @param isSearched by index of text field: fields to look at
 */
export function standSideBySide(
  reader: SegmentReader,
  leftPosting: number,
  rightPosting: number,
  isSearched: (textField: number) => boolean,
): boolean {
  const left = reader.occurrencesOf(leftPosting)
  const right = reader.occurrencesOf(rightPosting)
  return left.some(
    (a) =>
      isSearched(a.textField) &&
      right.some((b) => b.textField === a.textField && b.position === a.position + 1),
  )
}

/** Visits the documents that two lists of a segment share, in order. */
export function forEachShared(
  reader: SegmentReader,
  leftList: number,
  rightList: number,
  visit: (docOrd: number, leftPosting: number, rightPosting: number) => void,
): void {
  let rightChunk = reader.listChunk[rightList]!
  const rightEnd = reader.listChunk[rightList + 1]!
  for (let chunk = reader.listChunk[leftList]!; chunk < reader.listChunk[leftList + 1]!; chunk++) {
    const window = reader.chunkWindow[chunk]!
    while (rightChunk < rightEnd && reader.chunkWindow[rightChunk]! < window) rightChunk++
    if (rightChunk === rightEnd) return
    if (reader.chunkWindow[rightChunk] !== window) continue
    let i = reader.chunkStart(chunk)
    let j = reader.chunkStart(rightChunk)
    const iEnd = reader.chunkEnd[chunk]!
    const jEnd = reader.chunkEnd[rightChunk]!
    while (i < iEnd && j < jEnd) {
      const difference = reader.ids[i]! - reader.ids[j]!
      if (difference === 0) visit((window << WINDOW_BITS) + reader.ids[i]!, i, j)
      if (difference <= 0) i++
      if (difference >= 0) j++
    }
  }
}

import { WINDOW_BITS } from '../../postings/postings-format.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'

/**
 * Whether tokens of a left and a right posting of one document stand side by side.
 *
 * @param isSearched by index of text field: fields to look at
 */
export function standSideBySide(
  reader: SegmentReader,
  leftPosting: number,
  rightPosting: number,
  isSearched: (textField: number) => boolean,
): boolean {
  return standInRow(reader, [leftPosting, rightPosting], isSearched)
}

/**
 * Whether tokens of the postings of one document stand side by side, in this order, in one field.
 *
 * @param isSearched by index of text field: fields to look at
 */
export function standInRow(
  reader: SegmentReader,
  postings: readonly number[],
  isSearched: (textField: number) => boolean,
): boolean {
  const [first, ...others] = postings.map((posting) => reader.occurrencesOf(posting))
  return first!.some(
    ({ textField, position }) =>
      isSearched(textField) &&
      others.every((places, i) =>
        places.some(
          (place) => place.textField === textField && place.position === position + 1 + i,
        ),
      ),
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

import { MASK_INDEX, WIDE_MASKS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { EvidenceTable, SegmentView } from '../view/index-view.ts'
import type { FewPostings } from './few-postings.ts'
import type { SlotList } from './slot-lists.ts'

const WINDOW_WORDS = WINDOW_SIZE / 32

/** Adds the documents of a list, in searched fields, to a set that begins at a word. */
export function addList(
  { reader }: SegmentView,
  { list, forms }: SlotList,
  { evidence, isAllSearched }: EvidenceTable,
  words: Uint32Array,
  firstWord: number,
): void {
  if (forms === 0) return
  const { ids, codes, listMasks, listPosting, listChunk, chunkWindow, chunkEnd } = reader
  const masks = listMasks[list]!
  const isWide = (masks & WIDE_MASKS) !== 0
  const offset = (masks & MASK_INDEX) - listPosting[list]!
  for (let chunk = listChunk[list]!; chunk < listChunk[list + 1]!; chunk++) {
    const first = firstWord + chunkWindow[chunk]! * WINDOW_WORDS
    const from = reader.chunkStart(chunk)
    const to = chunkEnd[chunk]!
    if (isAllSearched && forms === undefined) setIds(ids, from, to, words, first)
    else if (isAllSearched && isWide) {
      setForms(ids, reader.masks32, offset, from, to, forms!, words, first)
    } else if (isAllSearched) {
      setForms(ids, reader.masks8, offset, from, to, forms!, words, first)
    } else {
      for (let i = from; i < to; i++) {
        if (evidence[codes[i]!] === 0) continue
        if (forms !== undefined && (reader.formMask(list, i) & forms) === 0) continue
        const id = ids[i]!
        words[first + (id >>> 5)]! |= 1 << (id & 31)
      }
    }
  }
}

/** The same for the copied postings of short lists. */
export function addFew(
  few: FewPostings | undefined,
  { evidence }: EvidenceTable,
  words: Uint32Array,
  firstWord: number,
): void {
  if (few === undefined) return
  let i = 0
  for (let window = 0; window < few.ends.length; window++) {
    const first = firstWord + window * WINDOW_WORDS
    for (const end = few.ends[window]!; i < end; i++) {
      if (evidence[few.codes[i]!] === 0) continue
      const id = few.ids[i]!
      words[first + (id >>> 5)]! |= 1 << (id & 31)
    }
  }
}

/** Adds the documents of a bitset to a set that begins at a word. */
export function addBits(bits: Uint32Array, words: Uint32Array, firstWord: number): void {
  for (let i = 0; i < bits.length; i++) words[firstWord + i]! |= bits[i]!
}

function setIds(
  ids: Uint16Array,
  from: number,
  to: number,
  words: Uint32Array,
  firstWord: number,
): void {
  for (let i = from; i < to; i++) {
    const id = ids[i]!
    words[firstWord + (id >>> 5)]! |= 1 << (id & 31)
  }
}

/** Sets the bits of the documents with one of some forms. @param wanted mask of these */
function setForms(
  ids: Uint16Array,
  masks: Uint8Array | Uint32Array,
  maskOffset: number,
  from: number,
  to: number,
  wanted: number,
  words: Uint32Array,
  firstWord: number,
): void {
  for (let i = from; i < to; i++) {
    if ((masks[maskOffset + i]! & wanted) === 0) continue
    const id = ids[i]!
    words[firstWord + (id >>> 5)]! |= 1 << (id & 31)
  }
}

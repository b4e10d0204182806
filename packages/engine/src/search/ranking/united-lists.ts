import { MASK_INDEX, WIDE_MASKS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { SegmentView } from '../view/index-view.ts'
import { addFew } from './few-postings.ts'
import type { SlotList, SlotLists } from './slot-lists.ts'

const WINDOW_WORDS = WINDOW_SIZE / 32

/** Adds the documents of a list to a set that begins at a word. */
export function addList(
  { reader }: SegmentView,
  { list, forms }: SlotList,
  words: Uint32Array,
  firstWord: number,
): void {
  if (forms === 0) return
  const { ids, listMasks, listPosting, listChunk, chunkWindow, chunkEnd } = reader
  const masks = listMasks[list]!
  const isWide = (masks & WIDE_MASKS) !== 0
  const offset = (masks & MASK_INDEX) - listPosting[list]!
  for (let chunk = listChunk[list]!; chunk < listChunk[list + 1]!; chunk++) {
    const first = firstWord + chunkWindow[chunk]! * WINDOW_WORDS
    const from = reader.chunkStart(chunk)
    const to = chunkEnd[chunk]!
    if (forms === undefined) setIds(ids, from, to, words, first)
    else if (isWide) setForms(ids, reader.masks32, offset, from, to, forms, words, first)
    else setForms(ids, reader.masks8, offset, from, to, forms, words, first)
  }
}

/** Adds the documents of the short lists of a slot. */
export function addShortLists(
  { fewStrong, fewWeak }: SlotLists,
  words: Uint32Array,
  firstWord: number,
): void {
  addFew(fewStrong, words, firstWord, WINDOW_WORDS)
  addFew(fewWeak, words, firstWord, WINDOW_WORDS)
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

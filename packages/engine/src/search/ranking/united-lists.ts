import { MASK_INDEX, SINGLE_FORM, WIDE_MASKS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { openCursor, type ListCursor } from './list-cursor.ts'
import { slotLists } from './slot-lists.ts'

const WINDOW_WORDS = WINDOW_SIZE / 32

/** The list of an alternative, as documents without scores. */
export interface UnitedList {
  readonly cursor: ListCursor
  /** Mask of the forms that match; undefined: all do. */
  readonly forms: number | undefined
}

/** The lists of the groups of these slots in one segment, each once, the longest first. */
export function openUnited(
  { terms }: IndexView,
  segment: SegmentView,
  slots: readonly ResolvedSlot[],
): UnitedList[] {
  const { reader } = segment
  const lists: UnitedList[] = []
  for (const { list, group, forms } of listsWithForms(segment, slots)) {
    const cursor = openCursor(reader, { list, quality: 0 })
    const masks = reader.listMasks[list]!
    if (masks >= SINGLE_FORM) {
      if (((forms >>> (masks & 31)) & 1) === 1) lists.push({ cursor, forms: undefined })
      continue
    }
    const isWhole =
      forms === -1 ||
      terms.formsOf(group).every((form) => ((forms >>> terms.numberOf(form)) & 1) === 1)
    lists.push({ cursor, forms: isWhole ? undefined : forms })
  }
  return longestFirst(lists, reader)
}

/** A list, and a mask of its forms that match. */
interface ListWithForms {
  readonly list: number
  readonly group: number
  readonly forms: number
}

function listsWithForms(
  segment: SegmentView,
  slots: readonly ResolvedSlot[],
): Iterable<ListWithForms> {
  const bySlot = slots.map((slot) =>
    slotLists(slot, segment).map(({ list, group, quality }) => {
      return { list, group, forms: typeof quality === 'number' ? -1 : formsWith(quality) }
    }),
  )
  if (bySlot.length === 1) return bySlot[0]!
  const byList = new Map<number, ListWithForms>()
  for (const one of bySlot.flat()) {
    const known = byList.get(one.list)
    byList.set(one.list, known === undefined ? one : { ...one, forms: one.forms | known.forms })
  }
  return byList.values()
}

/** The order of the others makes no difference, and there may be thousands. */
function longestFirst(lists: UnitedList[], { listPosting }: SegmentReader): UnitedList[] {
  let longest = 0
  let size = 0
  for (let i = 0; i < lists.length; i++) {
    const { list } = lists[i]!.cursor
    const postings = listPosting[list + 1]! - listPosting[list]!
    if (postings <= size) continue
    size = postings
    longest = i
  }
  if (longest > 0) lists.unshift(...lists.splice(longest, 1))
  return lists
}

/** Mask of the forms that match at all. */
function formsWith(quality: Float64Array): number {
  let forms = 0
  for (let number = 0; number < quality.length; number++) {
    if (quality[number]! > 0) forms |= 1 << number
  }
  return forms
}

/** Adds the documents of a list to a set that begins at a word. */
export function addList(
  { reader }: SegmentView,
  { cursor, forms }: UnitedList,
  words: Uint32Array,
  firstWord: number,
): void {
  const { ids, listMasks, listPosting, chunkWindow, chunkEnd } = reader
  const masks = listMasks[cursor.list]!
  const isWide = (masks & WIDE_MASKS) !== 0
  const offset = (masks & MASK_INDEX) - listPosting[cursor.list]!
  for (let chunk = cursor.chunk; chunk < cursor.chunkEnd; chunk++) {
    const first = firstWord + chunkWindow[chunk]! * WINDOW_WORDS
    const from = reader.chunkStart(chunk)
    const to = chunkEnd[chunk]!
    if (forms === undefined) setIds(ids, from, to, words, first)
    else if (isWide) setForms(ids, reader.masks32, offset, from, to, forms, words, first)
    else setForms(ids, reader.masks8, offset, from, to, forms, words, first)
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

/** Sets the bits of the documents that hold one of some forms. @param wanted mask of these */
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

import {
  MASK_INDEX,
  SINGLE_FORM,
  WIDE_MASKS,
  WINDOW_BITS,
  WINDOW_SIZE,
} from '../../postings/postings-format.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { addForms, addIds, addWords } from './count-kernels.ts'
import { chunkAt, openCursor, type ListCursor } from './list-cursor.ts'
import { slotLists } from './slot-lists.ts'

/** Adding a bitset of a window to a set costs as much as adding this many documents of a list. */
const POSTINGS_PER_WINDOW_BITS = 2_500

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

/**
 * Adds the documents of a window that have a list to a set of the window. Windows must come in
 * ascending order.
 * @returns how many were not in it
 */
export function addList(
  { reader, listBits }: SegmentView,
  { cursor, forms }: UnitedList,
  window: number,
  set: Uint32Array,
): number {
  const chunk = chunkAt(reader, cursor, window)
  if (chunk < 0) return 0
  const { ids, listMasks, listPosting } = reader
  const from = reader.chunkStart(chunk)
  const to = reader.chunkEnd[chunk]!
  if (forms !== undefined) {
    const masks = listMasks[cursor.list]!
    const offset = (masks & MASK_INDEX) - listPosting[cursor.list]!
    return (masks & WIDE_MASKS) === 0
      ? addForms(ids, reader.masks8, offset, from, to, forms, set)
      : addForms(ids, reader.masks32, offset, from, to, forms, set)
  }
  const isLong = to - from > POSTINGS_PER_WINDOW_BITS
  const bits = isLong ? listBits.of(cursor.list)?.bits : undefined
  return bits === undefined ? addIds(ids, from, to, set) : addBits(bits, window, set)
}

/** The same for a bitset of the segment. */
export function addBits(bits: Uint32Array, window: number, set: Uint32Array): number {
  const first = (window << WINDOW_BITS) >>> 5
  return addWords(bits, first, Math.min(bits.length - first, set.length), set)
}

/** The documents of a segment with a phrase, with a cursor over them. */
export interface PhraseCursor {
  readonly docOrds: Uint32Array
  next: number
}

/** The same for a phrase. */
export function addPhrase(phrase: PhraseCursor, window: number, set: Uint32Array): number {
  const { docOrds } = phrase
  let count = 0
  for (; phrase.next < docOrds.length; phrase.next++) {
    const docOrd = docOrds[phrase.next]!
    const itsWindow = docOrd >>> WINDOW_BITS
    if (itsWindow > window) break
    if (itsWindow < window) continue
    const word = (docOrd & (WINDOW_SIZE - 1)) >>> 5
    count += ((set[word]! >>> (docOrd & 31)) & 1) ^ 1
    set[word]! |= 1 << (docOrd & 31)
  }
  return count
}

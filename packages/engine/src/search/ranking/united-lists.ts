import {
  MASK_INDEX,
  SINGLE_FORM,
  WIDE_MASKS,
  WINDOW_BITS,
  WINDOW_SIZE,
} from '../../postings/postings-format.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { addForms, addIds, addWords } from './count-kernels.ts'
import { chunkAt, openCursor, type ListCursor } from './list-cursor.ts'

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
  { reader }: SegmentView,
  slots: readonly ResolvedSlot[],
): UnitedList[] {
  const formsByGroup = new Map<number, number>()
  for (const { groups } of slots) {
    for (const { group, quality } of groups) {
      const forms = typeof quality === 'number' ? -1 : formsWith(quality)
      formsByGroup.set(group, (formsByGroup.get(group) ?? 0) | forms)
    }
  }
  const lists: UnitedList[] = []
  for (const [group, forms] of formsByGroup) {
    const cursor = openCursor(reader, group, 0)
    if (cursor === undefined) continue
    const masks = reader.listMasks[cursor.list]!
    if (masks >= SINGLE_FORM) {
      if (((forms >>> (masks & 31)) & 1) === 1) lists.push({ cursor, forms: undefined })
      continue
    }
    const isWhole =
      forms === -1 ||
      terms.formsOf(group).every((form) => ((forms >>> terms.numberOf(form)) & 1) === 1)
    lists.push({ cursor, forms: isWhole ? undefined : forms })
  }
  const sizeOf = ({ cursor: { list } }: UnitedList) =>
    reader.listPosting[list + 1]! - reader.listPosting[list]!
  return lists.sort((a, b) => sizeOf(b) - sizeOf(a))
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

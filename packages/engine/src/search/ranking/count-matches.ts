import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import { allowedDocuments } from '../filters/conditions.ts'
import { shortPrefixBits } from '../filters/word-bits.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { chunkAt } from './list-cursor.ts'
import type { PinnedDocuments } from './pinned-documents.ts'
import { addBits, addList, addPhrase, openUnited, type UnitedList } from './united-lists.ts'

const WINDOW_WORDS = WINDOW_SIZE / 32

/** The documents of a window that were counted, and those that must not be. */
const counted = new Uint32Array(WINDOW_WORDS)

/**
 * How many documents have one of these words. Every posting of their lists must be in a searched
 * field. The longest list of a window is not read but copied as a bitset, whose documents are as
 * many as its postings; the others add theirs.
 *
 * @param slots those that carry
 * @param pinned documents to leave out
 */
export function countMatches(
  run: SearchRun,
  slots: readonly ResolvedSlot[],
  pinned: Pick<PinnedDocuments, 'takenOut'>,
): number {
  const { view, checkDeadline } = run
  let count = 0
  view.segments.forEach((segment, segmentIndex) => {
    const lists = openUnited(view, segment, slots)
    const prefixBits = slots.flatMap(({ shortPrefix, slot }) =>
      shortPrefix === undefined
        ? []
        : [shortPrefixBits(run, segment, shortPrefix.prefix, slot.stem)],
    )
    const phrases = slots.flatMap((slot) =>
      slot.phrases.map(({ documents }) => ({ ...documents[segmentIndex]!, next: 0 })),
    )
    const hasNone = phrases.every(({ docOrds }) => docOrds.length === 0)
    if (lists.length === 0 && prefixBits.length === 0 && hasNone) return
    const allowed = pinned.takenOut(
      segmentIndex,
      segment.reader.docCount,
      allowedDocuments(run, segment),
    )
    for (let window = 0; window < segment.reader.windowCount; window++) {
      checkDeadline()
      count += countLists(segment, lists, window, allowed)
      for (const bits of prefixBits) count += addBits(bits, window, counted)
      for (const phrase of phrases) count += addPhrase(phrase, window, counted)
    }
  })
  return count
}

/** Starts the set of a window with its lists. @returns the number of documents */
function countLists(
  segment: SegmentView,
  lists: readonly UnitedList[],
  window: number,
  allowed: Uint32Array | undefined,
): number {
  const firstWord = (window << WINDOW_BITS) >>> 5
  const [longest, ...others] = lists
  let count = 0
  if (allowed === undefined && longest !== undefined) count = startWith(segment, longest, window)
  else {
    if (allowed === undefined) counted.fill(0)
    else setForbidden(allowed, firstWord)
    if (longest !== undefined) count = addList(segment, longest, window, counted)
  }
  for (const list of others) count += addList(segment, list, window, counted)
  return count
}

/** Starts the set of a window with a list, by its bitset if it has one. */
function startWith(segment: SegmentView, list: UnitedList, window: number): number {
  const { reader, listBits } = segment
  const { cursor, forms } = list
  const chunk = forms === undefined ? chunkAt(reader, cursor, window) : -1
  const bits = chunk < 0 ? undefined : listBits.of(cursor.list)?.bits
  if (bits === undefined) {
    counted.fill(0)
    return addList(segment, list, window, counted)
  }
  const firstWord = (window << WINDOW_BITS) >>> 5
  const words = bits.subarray(firstWord, firstWord + WINDOW_WORDS)
  counted.set(words)
  counted.fill(0, words.length)
  return reader.chunkEnd[chunk]! - reader.chunkStart(chunk)
}

/** The set begins with the documents that must not be counted. */
function setForbidden(allowed: Uint32Array, firstWord: number): void {
  const wordCount = Math.min(allowed.length - firstWord, WINDOW_WORDS)
  for (let i = 0; i < wordCount; i++) counted[i] = ~allowed[firstWord + i]!
}

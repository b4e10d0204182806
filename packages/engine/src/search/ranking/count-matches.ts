import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import { allowedDocuments } from '../filters/conditions.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { addIds, addWords } from './count-kernels.ts'
import type { ListCursor } from './list-cursor.ts'
import { chunkAt, openCursor } from './list-cursor.ts'
import type { PinnedDocuments } from './pinned-documents.ts'

const WINDOW_WORDS = WINDOW_SIZE / 32

/**
 * Uniting a bitset of a window with the set costs as much as adding this many documents of a list.
 */
const WORDS_PER_POSTINGS = 2_500

/** The documents of a window that were counted, and those that must not be. */
const counted = new Uint32Array(WINDOW_WORDS)

/**
 * How many documents have one of these words. Every posting of their lists must match
 * (`mainGroupOf` in slot-roles.ts). The longest list of a window is not read but copied as a
 * bitset, whose documents are as many as its postings; the others add theirs.
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
    const lists = openLists(segment, slots)
    const phrases = slots.flatMap((slot) =>
      slot.phrases.map(({ documents }) => ({ ...documents[segmentIndex]!, next: 0 })),
    )
    if (lists.length === 0 && phrases.every(({ docOrds }) => docOrds.length === 0)) return
    const allowed = pinned.takenOut(
      segmentIndex,
      segment.reader.docCount,
      allowedDocuments(run, segment),
    )
    for (let window = 0; window < segment.reader.windowCount; window++) {
      checkDeadline()
      count += countLists(segment, lists, window, allowed)
      for (const phrase of phrases) count += countPhrase(phrase, window)
    }
  })
  return count
}

/** The lists of the slots, each once, the longest first. */
function openLists({ reader }: SegmentView, slots: readonly ResolvedSlot[]): ListCursor[] {
  const groups = new Set(slots.flatMap((slot) => slot.groups.map(({ group }) => group)))
  const sizeOf = ({ list }: ListCursor) => reader.listPosting[list + 1]! - reader.listPosting[list]!
  return [...groups]
    .map((group) => openCursor(reader, group, 0))
    .filter((cursor) => cursor !== undefined)
    .sort((a, b) => sizeOf(b) - sizeOf(a))
}

/** Starts the set of a window with its lists. @returns the number of documents */
function countLists(
  { reader, listBits }: SegmentView,
  lists: readonly ListCursor[],
  window: number,
  allowed: Uint32Array | undefined,
): number {
  const firstWord = (window << WINDOW_BITS) >>> 5
  let count = 0
  let isEmpty = allowed === undefined
  if (allowed !== undefined) setForbidden(allowed, firstWord)
  for (const cursor of lists) {
    const chunk = chunkAt(reader, cursor, window)
    if (chunk < 0) continue
    const from = reader.chunkStart(chunk)
    const to = reader.chunkEnd[chunk]!
    const isLong = isEmpty || to - from > WORDS_PER_POSTINGS
    const bits = isLong ? listBits.of(cursor.list)?.bits : undefined
    if (bits === undefined) {
      if (isEmpty) counted.fill(0)
      count += addIds(reader.ids, from, to, counted)
    } else if (isEmpty) {
      const words = bits.subarray(firstWord, firstWord + WINDOW_WORDS)
      counted.set(words)
      counted.fill(0, words.length)
      count += to - from
    } else {
      count += addWords(bits, firstWord, Math.min(bits.length - firstWord, WINDOW_WORDS), counted)
    }
    isEmpty = false
  }
  if (isEmpty) counted.fill(0)
  return count
}

/** The set begins with the documents that must not be counted. */
function setForbidden(allowed: Uint32Array, firstWord: number): void {
  const wordCount = Math.min(allowed.length - firstWord, WINDOW_WORDS)
  for (let i = 0; i < wordCount; i++) counted[i] = ~allowed[firstWord + i]!
}

function countPhrase(
  phrase: { readonly docOrds: Uint32Array; next: number },
  window: number,
): number {
  const { docOrds } = phrase
  let count = 0
  for (; phrase.next < docOrds.length; phrase.next++) {
    const docOrd = docOrds[phrase.next]!
    if (docOrd >>> WINDOW_BITS > window) break
    const word = (docOrd & (WINDOW_SIZE - 1)) >>> 5
    count += ((counted[word]! >>> (docOrd & 31)) & 1) ^ 1
    counted[word]! |= 1 << (docOrd & 31)
  }
  return count
}

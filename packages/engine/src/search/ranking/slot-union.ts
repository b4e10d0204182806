import { WINDOW_BITS } from '../../postings/postings-format.ts'
import { shortPrefixBits } from '../filters/word-bits.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { chunkAt } from './list-cursor.ts'
import {
  addBits,
  addList,
  addPhrase,
  openUnited,
  type PhraseCursor,
  type UnitedList,
} from './united-lists.ts'

/**
 * The documents of one segment that have one of several words, as a set, window by window in
 * ascending order. Every posting of their lists must be in a searched field. The longest list of a
 * window is not read but copied as a bitset, whose documents are as many as its postings; the
 * others add theirs.
 */
export class SlotUnion {
  readonly #segment: SegmentView
  readonly #lists: readonly UnitedList[]
  readonly #prefixBits: readonly Uint32Array[]
  readonly #phrases: readonly PhraseCursor[]

  constructor(
    run: SearchRun,
    segment: SegmentView,
    segmentIndex: number,
    slots: readonly ResolvedSlot[],
  ) {
    this.#segment = segment
    this.#lists = openUnited(run.view, segment, slots)
    this.#prefixBits = slots.flatMap(({ shortPrefix, slot }) =>
      shortPrefix === undefined
        ? []
        : [shortPrefixBits(run, segment, shortPrefix.prefix, slot.stem)],
    )
    this.#phrases = slots.flatMap((slot) =>
      slot.phrases.map(({ documents }) => ({ ...documents[segmentIndex]!, next: 0 })),
    )
  }

  get isEmpty(): boolean {
    const hasNoPhrase = this.#phrases.every(({ docOrds }) => docOrds.length === 0)
    return this.#lists.length === 0 && this.#prefixBits.length === 0 && hasNoPhrase
  }

  /**
   * Fills a set, a bit per document of a window, with its documents and with those that are not
   * allowed.
   *
   * @returns how many documents are allowed and have a word
   */
  fill(window: number, allowed: Uint32Array | undefined, set: Uint32Array): number {
    const [longest, ...others] = this.#lists
    let count = 0
    if (allowed === undefined && longest !== undefined) {
      count = startWith(this.#segment, longest, window, set)
    } else {
      if (allowed === undefined) set.fill(0)
      else setForbidden(set, allowed, window)
      if (longest !== undefined) count = addList(this.#segment, longest, window, set)
    }
    for (const list of others) count += addList(this.#segment, list, window, set)
    for (const bits of this.#prefixBits) count += addBits(bits, window, set)
    for (const phrase of this.#phrases) count += addPhrase(phrase, window, set)
    return count
  }
}

/** Starts the set of a window with a list, by its bitset if it has one. */
function startWith(
  segment: SegmentView,
  list: UnitedList,
  window: number,
  set: Uint32Array,
): number {
  const { reader, listBits } = segment
  const { cursor, forms } = list
  const chunk = forms === undefined ? chunkAt(reader, cursor, window) : -1
  const bits = chunk < 0 ? undefined : listBits.of(cursor.list)?.bits
  if (bits === undefined) {
    set.fill(0)
    return addList(segment, list, window, set)
  }
  const firstWord = (window << WINDOW_BITS) >>> 5
  const words = bits.subarray(firstWord, firstWord + set.length)
  set.set(words)
  set.fill(0, words.length)
  return reader.chunkEnd[chunk]! - reader.chunkStart(chunk)
}

/** The set begins with the documents that must not be counted. */
function setForbidden(set: Uint32Array, allowed: Uint32Array, window: number): void {
  const firstWord = (window << WINDOW_BITS) >>> 5
  const wordCount = Math.min(allowed.length - firstWord, set.length)
  for (let i = 0; i < wordCount; i++) set[i] = ~allowed[firstWord + i]!
}

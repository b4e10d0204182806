import { GrowableU32 } from '../../codec/growable.ts'
import { hasBit } from '../../codec/bitset.ts'
import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import { shortPrefixBits } from '../filters/word-bits.ts'
import type { EvidenceTable, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { WordDemand } from '../words/matching-words.ts'
import { ListedDocuments } from './document-set.ts'
import type { FewPostings } from './few-postings.ts'
import { infixBits } from './infix-bits.ts'
import { chunkAt } from './list-cursor.ts'
import { unitedLists, type SlotList, type SlotLists } from './slot-lists.ts'
import { scratch } from './window-scratch.ts'

/** The documents listed so far. */
const listed = new GrowableU32(256)

/**
 * Lists the documents of a segment that meet a demand on words with few postings: reading them
 * costs less than clearing a set.
 *
 * @param allowed documents that may match; undefined: all
 */
export function listDocuments(
  run: SearchRun,
  { demanded, count }: WordDemand,
  segmentIndex: number,
  allowed: Uint32Array | undefined,
): ListedDocuments {
  const { windowCount } = run.view.segments[segmentIndex]!.reader
  const words = demanded.map((slot) => new WordDocuments(run, slot, segmentIndex))
  const ends = new Uint32Array(windowCount)
  listed.length = 0
  for (let window = 0; window < windowCount; window++) {
    const found = count === 'all' ? markShared(words, window) : markAny(words, window)
    const base = window << WINDOW_BITS
    for (let i = 0; i < found; i++) {
      const docOrd = base + scratch.touched[i]!
      if (allowed === undefined || hasBit(allowed, docOrd)) listed.push(docOrd)
    }
    ends[window] = listed.length
  }
  return new ListedDocuments(listed.data.slice(0, listed.length), ends)
}

/** Lists the documents with any of the words in `scratch.touched`. @returns their number */
function markAny(words: readonly WordDocuments[], window: number): number {
  let count = 0
  for (const word of words) {
    count = word.mark(window, scratch.seen, scratch.touched, count)
  }
  scratch.forget(count)
  return count
}

/** The same for those with all of the words. */
function markShared(words: readonly WordDocuments[], window: number): number {
  const { touched, seen, rest, inRest } = scratch
  let count = words[0]!.mark(window, seen, touched, 0)
  scratch.forget(count)
  for (let i = 1; i < words.length && count > 0; i++) {
    const others = words[i]!.mark(window, inRest, rest, 0)
    let kept = 0
    for (let at = 0; at < count; at++) {
      const id = touched[at]!
      touched[kept] = id
      kept += (inRest[id >>> 5]! >>> (id & 31)) & 1
    }
    for (let at = 0; at < others; at++) inRest[rest[at]! >>> 5] = 0
    count = kept
  }
  return count
}

/** The documents of a segment with a word in a searched field. */
class WordDocuments {
  readonly #segment: SegmentView
  readonly #table: EvidenceTable
  readonly #lists: SlotLists
  /** Of short prefixes and infixes. */
  readonly #bits: readonly Uint32Array[]
  readonly #phrases: readonly Uint32Array[]

  constructor(run: SearchRun, slot: ResolvedSlot, segmentIndex: number) {
    const segment = run.view.segments[segmentIndex]!
    const { shortPrefix, infix, phrases } = slot
    this.#segment = segment
    this.#table = run.tables.of(segment)
    this.#lists = unitedLists(run.view, slot, segment)
    this.#phrases = phrases.map(({ documents }) => documents[segmentIndex]!.docOrds)
    const bits: Uint32Array[] = []
    if (shortPrefix !== undefined) {
      bits.push(shortPrefixBits(run, segment, shortPrefix.prefix, slot.slot.stem))
    }
    if (infix !== undefined) bits.push(infixBits(run, infix, segment))
    this.#bits = bits
  }

  /**
   * Appends the documents of a window that are not in the set, and adds them to it.
   * @returns the new length of the list
   */
  mark(window: number, set: Uint32Array, list: Uint16Array, length: number): number {
    const { lists, fewStrong, fewWeak } = this.#lists
    let count = length
    for (const one of lists) count = this.#markList(one, window, set, list, count)
    count = this.#markFew(fewStrong, window, set, list, count)
    count = this.#markFew(fewWeak, window, set, list, count)
    for (const docOrds of this.#phrases) count = markDocs(docOrds, window, set, list, count)
    for (const bits of this.#bits) count = markBits(bits, window, set, list, count)
    return count
  }

  #markList(
    of: SlotList,
    window: number,
    set: Uint32Array,
    list: Uint16Array,
    length: number,
  ): number {
    const { reader } = this.#segment
    const { forms } = of
    const chunk = forms === 0 ? -1 : chunkAt(reader, of, window)
    if (chunk < 0) return length
    const { ids, codes } = reader
    const { evidence } = this.#table
    const to = reader.chunkEnd[chunk]!
    let count = length
    for (let i = reader.chunkStart(chunk); i < to; i++) {
      if (evidence[codes[i]!] === 0) continue
      if (forms !== undefined && (reader.formMask(of.list, i) & forms) === 0) continue
      count = mark(ids[i]!, set, list, count)
    }
    return count
  }

  #markFew(
    few: FewPostings | undefined,
    window: number,
    set: Uint32Array,
    list: Uint16Array,
    length: number,
  ): number {
    if (few === undefined) return length
    const { evidence } = this.#table
    const to = few.ends[window]!
    let count = length
    for (let i = window === 0 ? 0 : few.ends[window - 1]!; i < to; i++) {
      if (evidence[few.codes[i]!] !== 0) count = mark(few.ids[i]!, set, list, count)
    }
    return count
  }
}

function mark(id: number, set: Uint32Array, list: Uint16Array, count: number): number {
  const word = set[id >>> 5]!
  list[count] = id
  set[id >>> 5] = word | (1 << (id & 31))
  return count + (((word >>> (id & 31)) & 1) ^ 1)
}

/** @param docOrds ascending */
function markDocs(
  docOrds: Uint32Array,
  window: number,
  set: Uint32Array,
  list: Uint16Array,
  length: number,
): number {
  let count = length
  for (let i = 0; i < docOrds.length; i++) {
    const docOrd = docOrds[i]!
    if (docOrd >>> WINDOW_BITS === window) {
      count = mark(docOrd & (WINDOW_SIZE - 1), set, list, count)
    }
  }
  return count
}

/** @param bits by docOrd */
function markBits(
  bits: Uint32Array,
  window: number,
  set: Uint32Array,
  list: Uint16Array,
  length: number,
): number {
  const first = (window << WINDOW_BITS) >>> 5
  const end = Math.min(bits.length, first + (WINDOW_SIZE >>> 5))
  let count = length
  for (let at = first; at < end; at++) {
    for (let rest = bits[at]!; rest !== 0; rest &= rest - 1) {
      const id = ((at - first) << 5) + 31 - Math.clz32(rest & -rest)
      count = mark(id, set, list, count)
    }
  }
  return count
}

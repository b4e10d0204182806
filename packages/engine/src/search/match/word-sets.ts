import { setBit, wordCount } from '../../codec/bitset.ts'
import { LISTED_BEYOND_BYTES, SET_ALIGN } from '../../codec/set-kernels.ts'
import { SetMemory } from '../../codec/set-memory.ts'
import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import { shortPrefixBits } from '../filters/word-bits.ts'
import type { EvidenceTable, SegmentView } from '../view/index-view.ts'
import { Pool } from '../view/pool.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { infixBits } from './infix-bits.ts'
import { unitedLists, type SlotList } from './slot-lists.ts'
import { addBits, addFew, addList } from './united-lists.ts'
import { scratch } from './window-scratch.ts'

const memories = new Pool(() => new SetMemory())

const WINDOW_BYTES = WINDOW_SIZE / 8
/** Minimum number of documents to copy a window at once. */
const COPIED_MIN = 256
/** Lists read between two deadline checks. */
const LISTS_PER_CHECK = 16

/**
 * The documents with the words of a query in searched fields, one set per word and segment, made on
 * demand. Reading the lists of a word once costs 1 ns per posting; combining sets, 65,536 documents
 * at a time, costs next to nothing.
 *
 * A set is given by its address in the memory of the search, and includes deleted documents.
 */
export class WordSets {
  readonly #run: SearchRun
  readonly #memory = memories.take()
  readonly #bySlot = new Map<ResolvedSlot, (number | undefined)[]>()
  /** Space for sets of one window. */
  readonly #scratch: number[] = []
  readonly #numbers: number

  constructor(run: SearchRun) {
    this.#run = run
    this.#memory.clear()
    this.#numbers = this.#memory.take(2 * WINDOW_SIZE + LISTED_BEYOND_BYTES)
  }

  /** Releases all sets. */
  close(): void {
    memories.giveBack(this.#memory)
  }

  get kernels(): SetMemory['kernels'] {
    return this.#memory.kernels
  }

  /** The set of a slot in a segment. */
  of(slot: ResolvedSlot, segmentIndex: number): number {
    let sets = this.#bySlot.get(slot)
    if (sets === undefined) this.#bySlot.set(slot, (sets = []))
    return (sets[segmentIndex] ??= this.#make(slot, segmentIndex))
  }

  /** A copy of a bitset of a segment as a set. */
  copyOf(bits: Uint32Array, segmentIndex: number): number {
    const bytes = this.bytes(segmentIndex)
    const set = this.#memory.take(bytes)
    const { words } = this.#memory
    words.set(bits, set >>> 2)
    words.fill(0, (set >>> 2) + bits.length, (set + bytes) >>> 2)
    return set
  }

  /** A set of a segment, with undefined contents. */
  room(segmentIndex: number): number {
    return this.#memory.take(this.bytes(segmentIndex))
  }

  /** The documents of a segment in two sets, as a further set. */
  both(a: number, b: number, segmentIndex: number): number {
    const set = this.room(segmentIndex)
    this.kernels.and(set, a, b, this.bytes(segmentIndex))
    return set
  }

  /** A set of one window, with undefined contents. @param number of the set: 0, 1 .. */
  scratch(number: number): number {
    return (this.#scratch[number] ??= this.#memory.take(WINDOW_BYTES))
  }

  /** The bytes of a set of a segment. */
  bytes(segmentIndex: number): number {
    const { docCount } = this.#run.view.segments[segmentIndex]!.reader
    return Math.ceil((4 * wordCount(docCount)) / SET_ALIGN) * SET_ALIGN
  }

  /** The bytes of a window in a set. */
  bytesOf(segmentIndex: number, window: number): number {
    return Math.min(WINDOW_BYTES, this.bytes(segmentIndex) - window * WINDOW_BYTES)
  }

  /** The address of a window in a set. */
  inWindow(set: number, window: number): number {
    return set + window * WINDOW_BYTES
  }

  /** The words of a part of a set. Valid until the next set is made. */
  words(set: number, bytes: number): Uint32Array {
    return this.#memory.words.subarray(set >>> 2, (set + bytes) >>> 2)
  }

  /** Copies a set of one window into the scratch memory. @returns the number of documents */
  touch(set: number, bytes: number): number {
    const { kernels, numbers } = this.#memory
    const count = kernels.list(set, bytes, this.#numbers)
    const { seen, touched } = scratch
    const first = this.#numbers >>> 1
    if (count > COPIED_MIN) {
      touched.set(numbers.subarray(first, first + count))
      seen.set(this.words(set, bytes))
      return count
    }
    for (let i = 0; i < count; i++) {
      const id = numbers[first + i]!
      touched[i] = id
      seen[id >>> 5]! |= 1 << (id & 31)
    }
    return count
  }

  /** Writes the documents that are in one of these sets; at least one set. */
  unite(sets: readonly number[], out: number, bytes: number): void {
    const { kernels } = this.#memory
    kernels.or(out, sets[0]!, sets[sets.length > 1 ? 1 : 0]!, bytes)
    for (let i = 2; i < sets.length; i++) kernels.or(out, out, sets[i]!, bytes)
  }

  /** The same for those that are in all of these sets. */
  intersect(sets: readonly number[], out: number, bytes: number): void {
    const { kernels } = this.#memory
    kernels.and(out, sets[0]!, sets[sets.length > 1 ? 1 : 0]!, bytes)
    for (let i = 2; i < sets.length; i++) kernels.and(out, out, sets[i]!, bytes)
  }

  #make(slot: ResolvedSlot, segmentIndex: number): number {
    const run = this.#run
    const segment = run.view.segments[segmentIndex]!
    const table = run.tables.of(segment)
    const { lists, longest: longestAt, fewStrong, fewWeak } = unitedLists(run.view, slot, segment)
    const longest = lists[longestAt]
    const bits = longest && bitsOf(segment, longest, table)
    const set = bits === undefined ? this.room(segmentIndex) : this.copyOf(bits, segmentIndex)
    const first = set >>> 2
    const { words } = this.#memory
    if (bits === undefined) words.fill(0, first, (set + this.bytes(segmentIndex)) >>> 2)
    for (let i = 0; i < lists.length; i++) {
      if (i === longestAt && bits !== undefined) continue
      if (i % LISTS_PER_CHECK === 0) run.checkDeadline()
      addList(segment, lists[i]!, table, words, first)
    }
    addFew(fewStrong, table, words, first)
    addFew(fewWeak, table, words, first)
    const { shortPrefix, slot: word } = slot
    if (shortPrefix !== undefined) {
      addBits(shortPrefixBits(run, segment, shortPrefix.prefix, word.stem), words, first)
    }
    if (slot.infix !== undefined) addBits(infixBits(run, slot.infix, segment), words, first)
    const own = words.subarray(first)
    for (const { documents } of slot.phrases) {
      for (const docOrd of documents[segmentIndex]!.docOrds) setBit(own, docOrd)
    }
    return set
  }
}

/** The bitset of a list, if it has one and all of its documents count. */
function bitsOf(
  { listBits }: SegmentView,
  { list, forms }: SlotList,
  { isAllSearched }: EvidenceTable,
): Uint32Array | undefined {
  return isAllSearched && forms === undefined ? listBits.of(list)?.bits : undefined
}

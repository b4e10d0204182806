import { LISTED_BEYOND_BYTES, SET_ALIGN } from '../../codec/set-kernels.ts'
import { SetMemory } from '../../codec/set-memory.ts'
import { setBit, wordCount } from '../../codec/bitset.ts'
import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { FilterNode } from '../../query/filter.ts'
import { filterBits } from '../filters/filterable-segment.ts'
import { shortPrefixBits } from '../filters/word-bits.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { unitedLists, type SlotList } from './slot-lists.ts'
import { addBits, addList, addShortLists } from './united-lists.ts'
import type { WindowScratch } from './window-scratch.ts'

/** One per thread is enough, because a search never waits. */
const memory = new SetMemory()

const WINDOW_BYTES = WINDOW_SIZE / 8
/** Minimum number of documents to copy a window at once. */
const COPIED_MIN = 256
/** Lists read between two deadline checks. */
const LISTS_PER_CHECK = 16

interface CountedSet {
  readonly set: number
  readonly count: number
}

/**
 * The documents with the words of a query, one set per word and segment. Each is made on demand and
 * serves all strategies and the count. Reading the lists of a word once costs 1 ns per posting;
 * combining sets, 65,536 documents at a time, costs next to nothing. Only for words whose postings
 * are all in searched fields.
 *
 * A set is given by its address in the memory of sets, and includes deleted documents. With a
 * filter, sets contain only documents that match it: three words and a range leave few to score.
 */
export class WordSets {
  readonly #run: SearchRun
  readonly #bySlot = new Map<ResolvedSlot, (number | undefined)[]>()
  /** Space for sets of one window. */
  readonly #scratch: number[] = []
  readonly #numbers: number
  readonly #filter: FilterNode | undefined
  /** By segment: the documents that match the filter. */
  readonly #admitted: number[] = []
  /** By the intersected sets, which belong to one segment. */
  readonly #inAll = new Map<string, CountedSet>()

  /**
   * Invalidates all earlier sets.
   *
   * @param filter sets contain only documents that match it
   */
  constructor(run: SearchRun, filter?: FilterNode) {
    this.#run = run
    this.#filter = filter
    memory.clear()
    this.#numbers = memory.take(2 * WINDOW_SIZE + LISTED_BEYOND_BYTES)
  }

  get kernels(): SetMemory['kernels'] {
    return memory.kernels
  }

  /** The set of a slot in a segment. */
  of(slot: ResolvedSlot, segmentIndex: number): number {
    let sets = this.#bySlot.get(slot)
    if (sets === undefined) this.#bySlot.set(slot, (sets = []))
    return (sets[segmentIndex] ??= this.#make(slot, segmentIndex))
  }

  /** A copy of a bitset of a segment as a set. */
  copyOf(bits: Uint32Array, segmentIndex: number): number {
    const set = memory.take(this.#bytes(segmentIndex))
    memory.words.set(bits, set >>> 2)
    memory.words.fill(0, (set >>> 2) + bits.length, (set + this.#bytes(segmentIndex)) >>> 2)
    return set
  }

  /** A set of one window, with undefined contents. @param number of the set: 0, 1 .. */
  scratch(number: number): number {
    return (this.#scratch[number] ??= memory.take(WINDOW_BYTES))
  }

  /** The bytes of a window in a set. */
  bytesOf(segmentIndex: number, window: number): number {
    return Math.min(WINDOW_BYTES, this.#bytes(segmentIndex) - window * WINDOW_BYTES)
  }

  /** The address of a window in a set. */
  inWindow(set: number, window: number): number {
    return set + window * WINDOW_BYTES
  }

  /** The words of a part of a set. Valid until the next set is made. */
  words(set: number, bytes: number): Uint32Array {
    return memory.words.subarray(set >>> 2, (set + bytes) >>> 2)
  }

  /** Lists the documents of a set of one window. Valid until the next set is listed or made. */
  list(set: number, bytes: number): Uint16Array {
    const count = memory.kernels.list(set, bytes, this.#numbers)
    return memory.numbers.subarray(this.#numbers >>> 1, (this.#numbers >>> 1) + count)
  }

  /** Makes a set of one window the set of the scratch memory, which is empty. @returns its size */
  touch(set: number, bytes: number, { seen, touched }: WindowScratch): number {
    const count = memory.kernels.list(set, bytes, this.#numbers)
    const { numbers } = memory
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

  /** The documents of a segment that are in all of these sets; at least one set. */
  inAll(sets: readonly number[], segmentIndex: number): CountedSet {
    const key = sets.join()
    let counted = this.#inAll.get(key)
    if (counted === undefined) {
      const bytes = this.#bytes(segmentIndex)
      const set = memory.take(bytes)
      this.intersect(sets, 0, set, bytes)
      counted = { set, count: memory.kernels.count(set, bytes) }
      this.#inAll.set(key, counted)
    }
    return counted
  }

  /** Writes the documents of a window that are in one of these sets. @param out of one window */
  unite(sets: readonly number[], window: number, out: number, bytes: number): void {
    const at = window * WINDOW_BYTES
    const { kernels, words } = memory
    if (sets.length === 0) {
      words.fill(0, out >>> 2, (out + bytes) >>> 2)
      return
    }
    kernels.or(out, sets[0]! + at, sets[sets.length > 1 ? 1 : 0]! + at, bytes)
    for (let i = 2; i < sets.length; i++) kernels.or(out, out, sets[i]! + at, bytes)
  }

  /** The same for those that are in all of these sets; at least one set. */
  intersect(sets: readonly number[], window: number, out: number, bytes: number): void {
    const at = window * WINDOW_BYTES
    const { kernels } = memory
    kernels.and(out, sets[0]! + at, sets[sets.length > 1 ? 1 : 0]! + at, bytes)
    for (let i = 2; i < sets.length; i++) kernels.and(out, out, sets[i]! + at, bytes)
  }

  /** An empty set of a segment. */
  room(segmentIndex: number): { readonly set: number; readonly bytes: number } {
    return { set: this.#room(segmentIndex), bytes: this.#bytes(segmentIndex) }
  }

  #bytes(segmentIndex: number): number {
    const { docCount } = this.#run.view.segments[segmentIndex]!.reader
    return Math.ceil((4 * wordCount(docCount)) / SET_ALIGN) * SET_ALIGN
  }

  #room(segmentIndex: number): number {
    const bytes = this.#bytes(segmentIndex)
    const set = memory.take(bytes)
    memory.words.fill(0, set >>> 2, (set + bytes) >>> 2)
    return set
  }

  #make(slot: ResolvedSlot, segmentIndex: number): number {
    const run = this.#run
    const segment = run.view.segments[segmentIndex]!
    const admitted = this.#admittedIn(segmentIndex)
    const united = unitedLists(run.view, slot, segment)
    const { lists, longest: longestAt } = united
    const longest = lists[longestAt]
    const bits = longest && bitsOf(segment, longest)
    const set = bits === undefined ? this.#room(segmentIndex) : this.copyOf(bits, segmentIndex)
    const { words } = memory
    if (bits === undefined && longest !== undefined) addList(segment, longest, words, set >>> 2)
    for (let i = 0; i < lists.length; i++) {
      if (i === longestAt) continue
      if (i % LISTS_PER_CHECK === 0) run.checkDeadline()
      addList(segment, lists[i]!, words, set >>> 2)
    }
    addShortLists(united, words, set >>> 2)
    const { shortPrefix, slot: word } = slot
    if (shortPrefix !== undefined) {
      addBits(shortPrefixBits(run, segment, shortPrefix.prefix, word.stem), words, set >>> 2)
    }
    const own = words.subarray(set >>> 2)
    for (const { documents } of slot.phrases) {
      for (const docOrd of documents[segmentIndex]!.docOrds) setBit(own, docOrd)
    }
    if (admitted !== undefined) {
      memory.kernels.and(set, set, admitted, this.#bytes(segmentIndex))
    }
    return set
  }

  #admittedIn(segmentIndex: number): number | undefined {
    const filter = this.#filter
    if (filter === undefined) return undefined
    const run = this.#run
    return (this.#admitted[segmentIndex] ??= this.copyOf(
      filterBits(run, run.view.segments[segmentIndex]!, filter),
      segmentIndex,
    ))
  }
}

/** The bitset of a list, if it has one and all of its documents count. */
function bitsOf({ listBits }: SegmentView, { list, forms }: SlotList): Uint32Array | undefined {
  return forms === undefined ? listBits.of(list)?.bits : undefined
}

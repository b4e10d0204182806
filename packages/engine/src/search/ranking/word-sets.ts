import { SET_ALIGN } from '../../codec/set-kernels.ts'
import { SetMemory } from '../../codec/set-memory.ts'
import { setBit, wordCount } from '../../codec/bitset.ts'
import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import { shortPrefixBits } from '../filters/word-bits.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { addBits, addList, openUnited, type UnitedList } from './united-lists.ts'
import type { WindowScratch } from './window-scratch.ts'

/** One per thread is enough, since a search never waits. */
const memory = new SetMemory()

const WINDOW_BYTES = WINDOW_SIZE / 8

/**
 * The documents that hold the words of a query, a set per word and segment: each is made when a way
 * of ranking first asks for it, and serves all others, and the count. Reading the lists of a word
 * once costs 1 ns per posting; what the sets are asked then, 65,536 documents at a time, costs
 * next to nothing. Only for words whose postings are all in searched fields.
 *
 * A set is known by its place in the memory of sets; documents of deleted versions are in it.
 */
export class WordSets {
  readonly #run: SearchRun
  readonly #bySlot = new Map<ResolvedSlot, (number | undefined)[]>()
  /** Room for sets of one window. */
  readonly #scratch: number[] = []
  readonly #numbers: number

  /** Ends the life of all sets before. */
  constructor(run: SearchRun) {
    this.#run = run
    memory.clear()
    this.#numbers = memory.take(2 * WINDOW_SIZE)
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

  /** The set of a bitset of a segment. */
  copyOf(bits: Uint32Array, segmentIndex: number): number {
    const set = memory.take(this.#bytes(segmentIndex))
    memory.words.set(bits, set >>> 2)
    memory.words.fill(0, (set >>> 2) + bits.length, (set + this.#bytes(segmentIndex)) >>> 2)
    return set
  }

  /** A set of one window, which holds anything. @param number of the set: 0, 1 .. */
  scratch(number: number): number {
    return (this.#scratch[number] ??= memory.take(WINDOW_BYTES))
  }

  /** How many bytes of a set are those of a window. */
  bytesOf(segmentIndex: number, window: number): number {
    return Math.min(WINDOW_BYTES, this.#bytes(segmentIndex) - window * WINDOW_BYTES)
  }

  /** Where the documents of a window start in a set. */
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

  /** Makes a set of one window the set of the scratch space, which is empty. @returns its size */
  touch(set: number, bytes: number, { seen, touched }: WindowScratch): number {
    const listed = this.list(set, bytes)
    if (listed.length === 0) return 0
    touched.set(listed)
    seen.set(this.words(set, bytes))
    return listed.length
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

  /** Likewise those that are in all of these sets; there is one at least. */
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
    const [longest, ...others] = openUnited(run.view, segment, [slot])
    const bits = longest && bitsOf(segment, longest)
    const set = bits === undefined ? this.#room(segmentIndex) : this.copyOf(bits, segmentIndex)
    const { words } = memory
    if (bits === undefined && longest !== undefined) addList(segment, longest, words, set >>> 2)
    for (const list of others) {
      run.checkDeadline()
      addList(segment, list, words, set >>> 2)
    }
    const { shortPrefix, slot: word } = slot
    if (shortPrefix !== undefined) {
      addBits(shortPrefixBits(run, segment, shortPrefix.prefix, word.stem), words, set >>> 2)
    }
    const own = words.subarray(set >>> 2)
    for (const { documents } of slot.phrases) {
      for (const docOrd of documents[segmentIndex]!.docOrds) setBit(own, docOrd)
    }
    return set
  }
}

/** The documents of a list, if it has a bitset and all of them count. */
function bitsOf({ listBits }: SegmentView, { cursor, forms }: UnitedList): Uint32Array | undefined {
  return forms === undefined ? listBits.of(cursor.list)?.bits : undefined
}

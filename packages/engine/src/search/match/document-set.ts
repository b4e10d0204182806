import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { WindowVisitor } from '../facets/facet-collector.ts'
import { scratch } from './window-scratch.ts'
import type { WordSets } from './word-sets.ts'

/** Documents of one segment. */
export interface DocumentSet {
  readonly count: number
  /** Fills the empty scratch memory with the documents of a window. @returns their number */
  touch(window: number): number
  /** Calls the visitor for each document of a window. */
  visit(window: number, visitor: WindowVisitor): void
}

/** One bit per document, in the memory of the search. */
export class BitDocuments implements DocumentSet {
  readonly #sets: WordSets
  readonly #segmentIndex: number
  #count: number | undefined
  /** Address in the memory of sets. */
  readonly set: number

  constructor(sets: WordSets, set: number, segmentIndex: number) {
    this.#sets = sets
    this.set = set
    this.#segmentIndex = segmentIndex
  }

  get count(): number {
    const sets = this.#sets
    return (this.#count ??= sets.kernels.count(this.set, sets.bytes(this.#segmentIndex)))
  }

  /** Valid until the next set is made. */
  get words(): Uint32Array {
    return this.#sets.words(this.set, this.#sets.bytes(this.#segmentIndex))
  }

  touch(window: number): number {
    const sets = this.#sets
    return sets.touch(sets.inWindow(this.set, window), sets.bytesOf(this.#segmentIndex, window))
  }

  visit(window: number, visitor: WindowVisitor): void {
    const sets = this.#sets
    const bytes = sets.bytesOf(this.#segmentIndex, window)
    visitor.addSet(sets.words(sets.inWindow(this.set, window), bytes), window)
  }
}

/** A list, for few documents. */
export class ListedDocuments implements DocumentSet {
  /** By window, unordered within one. */
  readonly #docOrds: Uint32Array
  /** By window: the index after its documents. */
  readonly #ends: Uint32Array

  constructor(docOrds: Uint32Array, ends: Uint32Array) {
    this.#docOrds = docOrds
    this.#ends = ends
  }

  get count(): number {
    return this.#docOrds.length
  }

  touch(window: number): number {
    const { seen, touched } = scratch
    const docOrds = this.#docOrds
    const from = this.#from(window)
    const count = this.#ends[window]! - from
    for (let i = 0; i < count; i++) {
      const id = docOrds[from + i]! & (WINDOW_SIZE - 1)
      touched[i] = id
      seen[id >>> 5]! |= 1 << (id & 31)
    }
    return count
  }

  visit(window: number, visitor: WindowVisitor): void {
    const from = this.#from(window)
    const to = this.#ends[window]!
    if (to > from) visitor.addDocs(this.#docOrds.subarray(from, to), to - from)
  }

  /** The documents that are also in a bitset of the segment. */
  within(bits: Uint32Array): ListedDocuments {
    const kept = this.#docOrds.filter(
      (docOrd) => ((bits[docOrd >>> 5]! >>> (docOrd & 31)) & 1) === 1,
    )
    const ends = new Uint32Array(this.#ends.length)
    for (const docOrd of kept) ends[docOrd >>> WINDOW_BITS]!++
    for (let window = 1; window < ends.length; window++) ends[window]! += ends[window - 1]!
    return new ListedDocuments(kept, ends)
  }

  #from(window: number): number {
    return window === 0 ? 0 : this.#ends[window - 1]!
  }
}

export const NO_DOCUMENTS: DocumentSet = { count: 0, touch: () => 0, visit: () => undefined }

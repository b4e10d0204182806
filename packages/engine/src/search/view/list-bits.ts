import { hasBit, newBitset, popcount32 } from '../../codec/bitset.ts'
import { WINDOW_BITS } from '../../postings/postings-format.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'

/** Documents per block of a list (see `ListBits`), as a power of two. */
export const BLOCK_BITS = 7
const BLOCK_WORDS = 2 ** (BLOCK_BITS - 5)

/**
 * A long posting list as a set of the documents of its segment. One bit tells whether a document is
 * in the list, and the number of bits before it (rank) gives its posting, so that the list need not
 * be read (Jacobson, "Space-efficient static trees and graphs", 1989).
 */
export interface ListBits {
  /** A bit per document of the segment. */
  readonly bits: Uint32Array
  /** By block of documents: the first posting at or after the start of the block. */
  readonly blocks: Uint32Array
}

/** Which lists get a bitset, and which are copied. Tests give every list a bitset. */
export interface ListBitsRule {
  /** Shorter lists are read faster than their bitset. */
  readonly postingsMin: number
  /** Maximum number of documents of the segment per posting. */
  readonly spread: number
  /**
   * Shorter lists of a word with several lists are copied next to each other: see `FewPostings`.
   */
  readonly copiedBelow: number
}

/** Lists with fewer postings are copied. */
export const COPIED_BELOW = 128
/** Maximum bytes of a copied posting. */
export const COPIED_POSTING_BYTES = 7

export const USUAL_LIST_BITS: ListBitsRule = {
  postingsMin: 1024,
  spread: 64,
  copiedBelow: COPIED_BELOW,
}

/**
 * Lists with a bitset per segment and thread: 80 bytes per document with their blocks, if all are
 * in use. About this many words of a shop are in more than one document in 64; with half the space,
 * real queries rebuilt bitsets again and again.
 */
const LISTS_MAX = 512

/**
 * The bitsets of the long lists of one segment that this thread used recently. Building one costs
 * about as much as reading the list twice, so segments do not store them: the bitsets of the 380
 * words in more than one document in 48 would take 47 bytes per document.
 */
export class ListBitsCache {
  readonly #reader: SegmentReader
  readonly #rule: ListBitsRule
  readonly #kept = new Map<number, KeptBits>()
  /** Counts uses. */
  #now = 0

  constructor(reader: SegmentReader, rule: ListBitsRule) {
    this.#reader = reader
    this.#rule = rule
  }

  /** @returns undefined for a list too short for a bitset */
  of(list: number): ListBits | undefined {
    const known = this.made(list)
    if (known !== undefined) return known
    const { listPosting, docCount } = this.#reader
    const postings = listPosting[list + 1]! - listPosting[list]!
    if (postings < this.#rule.postingsMin || postings * this.#rule.spread < docCount)
      return undefined
    const made = listBits(this.#reader, list)
    if (this.#kept.size >= LISTS_MAX) this.#dropOldest()
    this.#kept.set(list, { bits: made, usedAt: this.#now++ })
    return made
  }

  /** The same without building one. */
  made(list: number): ListBits | undefined {
    const known = this.#kept.get(list)
    if (known === undefined) return undefined
    // Called for every window: keeping the entries in order would cost more than searching for the
    // oldest.
    known.usedAt = this.#now++
    return known.bits
  }

  /** A list for look-ups of single documents. */
  opened(list: number): OpenedList {
    return new OpenedList(this.#reader, list, this.made(list))
  }

  #dropOldest(): void {
    let oldest = -1
    let usedAt = Infinity
    for (const [list, kept] of this.#kept) {
      if (kept.usedAt >= usedAt) continue
      oldest = list
      usedAt = kept.usedAt
    }
    this.#kept.delete(oldest)
  }
}

/**
 * A posting list with its bitset, if it has one. Valid for one search, because bitsets are evicted.
 */
export class OpenedList {
  readonly list: number
  readonly #reader: SegmentReader
  readonly #known: ListBits | undefined

  constructor(reader: SegmentReader, list: number, known: ListBits | undefined) {
    this.list = list
    this.#reader = reader
    this.#known = known
  }

  /** @returns the posting of a document in the list; -1 if it is not in the list */
  postingOf(docOrd: number): number {
    const known = this.#known
    if (known === undefined) return this.#reader.postingOf(this.list, docOrd)
    if (!hasBit(known.bits, docOrd)) return -1
    return known.blocks[docOrd >>> BLOCK_BITS]! + rankIn(known.bits, docOrd)
  }
}

interface KeptBits {
  readonly bits: ListBits
  usedAt: number
}

/** Number of documents of the block in the list before this one. */
export function rankIn(bits: Uint32Array, docOrd: number): number {
  const last = docOrd >>> 5
  let count = popcount32(bits[last]! & ((1 << (docOrd & 31)) - 1))
  for (let word = last & -BLOCK_WORDS; word < last; word++) count += popcount32(bits[word]!)
  return count
}

function listBits(reader: SegmentReader, list: number): ListBits {
  const { ids, docCount, listChunk, chunkWindow, chunkEnd } = reader
  const bits = newBitset(docCount)
  const blocks = new Uint32Array((docCount >>> BLOCK_BITS) + 2)
  let block = 0
  for (let chunk = listChunk[list]!; chunk < listChunk[list + 1]!; chunk++) {
    const base = chunkWindow[chunk]! << WINDOW_BITS
    const end = chunkEnd[chunk]!
    for (let posting = reader.chunkStart(chunk); posting < end; posting++) {
      const docOrd = base + ids[posting]!
      bits[docOrd >>> 5]! |= 1 << (docOrd & 31)
      while (block <= docOrd >>> BLOCK_BITS) blocks[block++] = posting
    }
  }
  blocks.fill(reader.listPosting[list + 1]!, block)
  return { bits, blocks }
}

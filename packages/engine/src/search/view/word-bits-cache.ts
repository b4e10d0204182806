import { newBitset, popcount, setBit } from '../../codec/bitset.ts'
import { FilterCache } from './filter-cache.ts'

/**
 * A set with at most one document in this many is stored as document numbers: a quarter of the
 * bytes.
 */
const SPARSE_SPREAD = 128

interface KeptBits {
  readonly docOrds: Uint32Array | undefined
  readonly bits: Uint32Array | undefined
  readonly byteLength: number
}

/**
 * Caches bitsets of words of one segment. Most have few documents ("ower" inside a word); setting
 * their bits again takes microseconds, while reading the lists of a thousand words takes
 * milliseconds.
 */
export class WordBitsCache {
  readonly #docCount: number
  readonly #kept: FilterCache<KeptBits>

  constructor(docCount: number, maxBytes: number) {
    this.#docCount = docCount
    this.#kept = new FilterCache(maxBytes)
  }

  get bytes(): number {
    return this.#kept.bytes
  }

  /** @returns an immutable bitset */
  get(key: string): Uint32Array | undefined {
    const kept = this.#kept.get(key)
    if (kept?.docOrds === undefined) return kept?.bits
    const bits = newBitset(this.#docCount)
    for (const docOrd of kept.docOrds) setBit(bits, docOrd)
    return bits
  }

  set(key: string, bits: Uint32Array): void {
    const count = popcount(bits)
    if (count * SPARSE_SPREAD > this.#docCount) {
      this.#kept.set(key, { docOrds: undefined, bits, byteLength: bits.byteLength })
      return
    }
    const docOrds = docOrdsOf(bits, count)
    this.#kept.set(key, { docOrds, bits: undefined, byteLength: docOrds.byteLength })
  }
}

function docOrdsOf(bits: Uint32Array, count: number): Uint32Array {
  const docOrds = new Uint32Array(count)
  let at = 0
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      docOrds[at++] = (word << 5) + 31 - Math.clz32(rest & -rest)
    }
  }
  return docOrds
}

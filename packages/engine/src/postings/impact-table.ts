import { FNV_START, fnvEnd, fnvNext } from '../codec/fnv.ts'

/**
 * The distinct impact tuples of a segment: how strongly each searchable field of a document
 * supports a word, one byte per field (`encodeImpact`, 0 = not in the field). A posting stores the
 * number of its tuple, its **code**. A query converts the whole table to scores once and then reads
 * one number per posting.
 */
export class ImpactTable {
  /** Bytes per tuple. */
  readonly width: number
  #tuples: Uint8Array
  #count = 0
  /** Open addressing: code + 1, 0 = free; at most half full. */
  #slots = new Int32Array(256)

  constructor(width: number) {
    this.width = width
    this.#tuples = new Uint8Array(Math.max(1, width) * 64)
  }

  get count(): number {
    return this.#count
  }

  /** @returns the code of `tuple[offset .. offset + width)` */
  codeOf(tuple: Uint8Array, offset: number): number {
    const { width } = this
    let hash = FNV_START
    for (let i = 0; i < width; i++) hash = fnvNext(hash, tuple[offset + i]!)
    const mask = this.#slots.length - 1
    let slot = fnvEnd(hash) & mask
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const code = this.#slots[slot]! - 1
      let i = 0
      while (i < width && this.#tuples[code * width + i] === tuple[offset + i]) i++
      if (i === width) return code
    }
    const code = this.#count
    if ((code + 1) * width > this.#tuples.length) {
      const grown = new Uint8Array(this.#tuples.length * 2)
      grown.set(this.#tuples)
      this.#tuples = grown
    }
    this.#tuples.set(tuple.subarray(offset, offset + width), code * width)
    this.#count = code + 1
    this.#slots[slot] = code + 1
    if ((code + 1) * 2 > this.#slots.length) this.#grow()
    return code
  }

  /** All tuples, concatenated. */
  bytes(): Uint8Array {
    return this.#tuples.subarray(0, this.#count * this.width)
  }

  #grow(): void {
    const tuples = this.#tuples
    const count = this.#count
    this.#slots = new Int32Array(this.#slots.length * 2)
    this.#count = 0
    for (let code = 0; code < count; code++) this.codeOf(tuples, code * this.width)
  }
}

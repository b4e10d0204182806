import { fillBits, hasBit, newBitset, setBit, wordCount } from '../../codec/bitset.ts'

/** More ids take a bitset. */
const FEW_IDS = 8

/** A set of ids below a count: a list while they are few, then a bitset. */
export class IdSet {
  readonly #count: number
  readonly #few: number[] = []
  #bits: Uint32Array | undefined

  constructor(count: number) {
    this.#count = count
  }

  get byteLength(): number {
    return 4 * (this.#bits === undefined ? FEW_IDS : wordCount(this.#count))
  }

  add(id: number): void {
    if (this.#bits !== undefined) setBit(this.#bits, id)
    else if (!this.#few.includes(id) && this.#few.push(id) > FEW_IDS) {
      this.#bits = newBitset(this.#count)
      for (const one of this.#few) setBit(this.#bits, one)
    }
  }

  addAll(): void {
    this.#bits ??= newBitset(this.#count)
    fillBits(this.#bits, this.#count)
  }

  /** Marks the places of the ids with 1 in `marks`, which is as long as `ids`. */
  markIn(ids: Uint32Array, marks: Uint8Array): void {
    const bits = this.#bits
    if (bits === undefined) {
      for (const id of this.#few) {
        const at = ids.indexOf(id)
        if (at >= 0) marks[at] = 1
      }
      return
    }
    for (let at = 0; at < ids.length; at++) if (hasBit(bits, ids[at]!)) marks[at] = 1
  }
}

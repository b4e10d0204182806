import { ID_BYTES } from './record.ts'

/** Initial number of slots, and maximum load factor. */
const SLOTS_FIRST = 256
const LOAD_MAX = 0.6
const WORDS = ID_BYTES / 4

/**
 * A set of 128-bit ids in one typed array: open addressing, four words per slot; the zero id marks
 * a free one. Ids are hashes already, so their first word chooses the slot. 27 to 54 bytes per id.
 */
export class IdTable {
  #words = new Uint32Array(SLOTS_FIRST * WORDS)
  #count = 0

  get count(): number {
    return this.#count
  }

  has(bytes: Buffer, offset: number): boolean {
    const slot = this.#find(
      bytes.readUInt32LE(offset) || 1,
      bytes.readUInt32LE(offset + 4),
      bytes.readUInt32LE(offset + 8),
      bytes.readUInt32LE(offset + 12),
    )
    return this.#words[slot] !== 0
  }

  /** @returns whether the id is new */
  add(bytes: Buffer, offset: number): boolean {
    if (this.#count >= (this.#words.length / WORDS) * LOAD_MAX) this.#grow()
    // Stored ids never have a zero first word, which marks a free slot.
    return this.#put(
      bytes.readUInt32LE(offset) || 1,
      bytes.readUInt32LE(offset + 4),
      bytes.readUInt32LE(offset + 8),
      bytes.readUInt32LE(offset + 12),
    )
  }

  addAll(other: IdTable): void {
    const ids = other.words()
    for (let i = 0; i < ids.length; i += WORDS) {
      if (this.#count >= (this.#words.length / WORDS) * LOAD_MAX) this.#grow()
      this.#put(ids[i]!, ids[i + 1]!, ids[i + 2]!, ids[i + 3]!)
    }
  }

  /** The ids, four words each, in no order. */
  words(): Uint32Array {
    const ids = new Uint32Array(this.#count * WORDS)
    let at = 0
    for (let slot = 0; slot < this.#words.length; slot += WORDS) {
      if (this.#words[slot] === 0) continue
      ids.set(this.#words.subarray(slot, slot + WORDS), at)
      at += WORDS
    }
    return ids
  }

  #put(a: number, b: number, c: number, d: number): boolean {
    const slot = this.#find(a, b, c, d)
    const words = this.#words
    if (words[slot] !== 0) return false
    words[slot] = a
    words[slot + 1] = b
    words[slot + 2] = c
    words[slot + 3] = d
    this.#count++
    return true
  }

  /** The slot of the id, or the free slot for it. */
  #find(a: number, b: number, c: number, d: number): number {
    const words = this.#words
    const mask = words.length - 1
    for (let slot = (a * WORDS) & mask; ; slot = (slot + WORDS) & mask) {
      if (words[slot] === 0) return slot
      if (
        words[slot] === a &&
        words[slot + 1] === b &&
        words[slot + 2] === c &&
        words[slot + 3] === d
      ) {
        return slot
      }
    }
  }

  #grow(): void {
    const ids = this.words()
    this.#words = new Uint32Array(this.#words.length * 2)
    this.#count = 0
    for (let i = 0; i < ids.length; i += WORDS) {
      this.#put(ids[i]!, ids[i + 1]!, ids[i + 2]!, ids[i + 3]!)
    }
  }
}

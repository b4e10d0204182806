import { FNV_START, fnvEnd, fnvNext } from '../codec/fnv.ts'
import { GrowableU32 } from '../codec/growable.ts'

/**
 * Distinct sets of value ranks, each with a **set ordinal**, dense from 0; set 0 is the empty one.
 *
 *     set s = values[start[s] .. start[s + 1])     ascending, distinct
 */
export class ValueSets {
  readonly #start = new GrowableU32(64)
  readonly #values = new GrowableU32(64)
  /**
   * Open addressing: set ordinal, 0 = free (the empty set is never looked up). At most half full.
   */
  #table = new Uint32Array(64)

  constructor() {
    this.#start.push(0)
    this.#start.push(0)
  }

  /** Number of sets, the empty one included. */
  get count(): number {
    return this.#start.length - 1
  }

  get start(): Uint32Array {
    return this.#start.data.subarray(0, this.#start.length)
  }

  get values(): Uint32Array {
    return this.#values.data.subarray(0, this.#values.length)
  }

  /**
   * @param ranks ascending and distinct in its first `length` elements
   * @returns the ordinal of the set; adds it if it is new
   */
  intern(ranks: Uint32Array, length: number): number {
    if (length === 0) return 0
    const mask = this.#table.length - 1
    let slot = hashOf(ranks, 0, length) & mask
    for (; this.#table[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#equals(this.#table[slot]!, ranks, length)) return this.#table[slot]!
    }
    const set = this.count
    for (let i = 0; i < length; i++) this.#values.push(ranks[i]!)
    this.#start.push(this.#values.length)
    this.#table[slot] = set
    if (set * 2 >= this.#table.length) this.#growTable()
    return set
  }

  #equals(set: number, ranks: Uint32Array, length: number): boolean {
    const start = this.#start.data[set]!
    if (this.#start.data[set + 1]! - start !== length) return false
    const values = this.#values.data
    let i = 0
    while (i < length && values[start + i] === ranks[i]) i++
    return i === length
  }

  #growTable(): void {
    const grown = new Uint32Array(this.#table.length * 2)
    const mask = grown.length - 1
    for (let set = 1; set < this.count; set++) {
      const start = this.#start.data[set]!
      const end = this.#start.data[set + 1]!
      let slot = hashOf(this.#values.data, start, end) & mask
      while (grown[slot] !== 0) slot = (slot + 1) & mask
      grown[slot] = set
    }
    this.#table = grown
  }
}

function hashOf(ranks: Uint32Array, start: number, end: number): number {
  let hash = FNV_START
  for (let i = start; i < end; i++) hash = fnvNext(hash, ranks[i]!)
  return fnvEnd(hash)
}

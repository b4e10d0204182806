/** Up to this many values are counted exactly. */
const EXACT_MAX = 2_000
/** Bits of the estimate beyond that: 16 kB, within a few percent up to half a million values. */
const BITS = 131_072

/**
 * The number of distinct texts, exact for few and estimated for many, in bounded memory. Whang,
 * Vander-Zanden and Taylor, "A Linear-Time Probabilistic Counting Algorithm" (1990).
 */
export class DistinctCount {
  #exact: Set<string> | undefined = new Set()
  #bits: Uint8Array | undefined
  #setCount = 0

  add(text: string): void {
    if (this.#exact !== undefined) {
      this.#exact.add(text)
      if (this.#exact.size <= EXACT_MAX) return
      this.#bits = new Uint8Array(BITS / 8)
      for (const one of this.#exact) this.#mark(one)
      this.#exact = undefined
      return
    }
    this.#mark(text)
  }

  get count(): number {
    if (this.#exact !== undefined) return this.#exact.size
    const free = (BITS - this.#setCount) / BITS
    return free === 0 ? Infinity : -BITS * Math.log(free)
  }

  copy(): DistinctCount {
    const copy = new DistinctCount()
    copy.#exact = this.#exact === undefined ? undefined : new Set(this.#exact)
    copy.#bits = this.#bits?.slice()
    copy.#setCount = this.#setCount
    return copy
  }

  #mark(text: string): void {
    const bits = this.#bits!
    const bit = hash32(text, 0) % BITS
    const mask = 1 << (bit & 7)
    if ((bits[bit >> 3]! & mask) !== 0) return
    bits[bit >> 3]! |= mask
    this.#setCount++
  }
}

/** FNV-1a with a final mix, over UTF-16 units. */
export function hash32(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

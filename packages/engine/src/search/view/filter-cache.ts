/** Approximate bytes of an entry besides its bits and its key. */
const ENTRY_BYTES = 128

/**
 * Filter bitsets of one segment. Evicts the least recently used first; bounded by bytes. A cached
 * bitset is shared: nobody may change it.
 */
export class FilterCache {
  readonly #maxBytes: number
  /** In order of use, the latest last. */
  readonly #entries = new Map<string, Uint32Array>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): Uint32Array | undefined {
    const bits = this.#entries.get(key)
    if (bits === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, bits)
    return bits
  }

  /** A bitset larger than the whole cache is not kept. */
  set(key: string, bits: Uint32Array): void {
    const known = this.#entries.get(key)
    if (known !== undefined) {
      this.#entries.delete(key)
      this.#bytes -= bytesOf(key, known)
    }
    const bytes = bytesOf(key, bits)
    if (bytes > this.#maxBytes) return
    this.#entries.set(key, bits)
    this.#bytes += bytes
    for (const [oldest, oldestBits] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#entries.delete(oldest)
      this.#bytes -= bytesOf(oldest, oldestBits)
    }
  }
}

function bytesOf(key: string, bits: Uint32Array): number {
  return bits.byteLength + key.length * 2 + ENTRY_BYTES
}

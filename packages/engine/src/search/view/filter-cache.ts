/** Approximate bytes of an entry besides its bits and its key. */
const ENTRY_BYTES = 128

/**
 * Filter bitsets of one segment, or other results in bytes. Evicts the least recently used first;
 * bounded by bytes. What is cached is shared: nobody may change it.
 */
export class FilterCache<Cached extends { readonly byteLength: number } = Uint32Array> {
  readonly #maxBytes: number
  /** In order of use, the latest last. */
  readonly #entries = new Map<string, Cached>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): Cached | undefined {
    const bits = this.#entries.get(key)
    if (bits === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, bits)
    return bits
  }

  /** An entry larger than the whole cache is not kept. */
  set(key: string, bits: Cached): void {
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

function bytesOf(key: string, bits: { readonly byteLength: number }): number {
  return bits.byteLength + key.length * 2 + ENTRY_BYTES
}

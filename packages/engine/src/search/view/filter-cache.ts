/** Approximate bytes of an entry besides its bits and its key. */
const ENTRY_BYTES = 128

/** A cached value, and whether it was used since it was added or spared. */
interface Entry<Cached> {
  readonly cached: Cached
  isUsed: boolean
}

/**
 * Caches filter bitsets of one segment, or other results, bounded by bytes. Cached values are
 * shared and immutable.
 *
 * Evicts first in, first out, but spares an entry once if it was used since (second chance:
 * Corbató, "A paging experiment with the Multics system", 1968), because every search would change
 * an LRU order.
 */
export class FilterCache<Cached extends { readonly byteLength: number } = Uint32Array> {
  readonly #maxBytes: number
  /** In the order in which they were added or spared. */
  readonly #entries = new Map<string, Entry<Cached>>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): Cached | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    entry.isUsed = true
    return entry.cached
  }

  /** Does not store an entry larger than the whole cache. */
  set(key: string, bits: Cached): void {
    const known = this.#entries.get(key)
    if (known !== undefined) {
      this.#entries.delete(key)
      this.#bytes -= bytesOf(key, known.cached)
    }
    const bytes = bytesOf(key, bits)
    if (bytes > this.#maxBytes) return
    this.#entries.set(key, { cached: bits, isUsed: false })
    this.#bytes += bytes
    // A spared entry is visited again, and then evicted.
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#entries.delete(oldest)
      if (entry.isUsed) {
        entry.isUsed = false
        this.#entries.set(oldest, entry)
      } else this.#bytes -= bytesOf(oldest, entry.cached)
    }
  }
}

function bytesOf(key: string, bits: { readonly byteLength: number }): number {
  return bits.byteLength + key.length * 2 + ENTRY_BYTES
}

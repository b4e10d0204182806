/** Approximate bytes of an entry besides its bits and its key. */
const ENTRY_BYTES = 128

/** What is kept, and whether it was used since it was put in or spared. */
interface Entry<Cached> {
  readonly cached: Cached
  isUsed: boolean
}

/**
 * Filter bitsets of one segment, or other results in bytes; bounded by bytes. What is cached is
 * shared: nobody may change it.
 *
 * The first in are the first out, but what was used meanwhile is spared once (Corbató, "A paging
 * experiment with the Multics system", 1968): an order of use would be changed by every search.
 */
export class FilterCache<Cached extends { readonly byteLength: number } = Uint32Array> {
  readonly #maxBytes: number
  /** In the order in which they came, or were spared. */
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

  /** An entry larger than the whole cache is not kept. */
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
    // What is spared comes round again, and is not spared twice.
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

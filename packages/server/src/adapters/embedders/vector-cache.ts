/** Beside its vector and text: an entry of a map, and two objects. */
const ENTRY_BYTES = 200

/** Vectors of texts, bounded in bytes; the least recently used are evicted. */
export class VectorCache {
  readonly #bytesMax: number
  /** By text, the least recently used first. */
  readonly #vectors = new Map<string, Float32Array>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): Float32Array | undefined {
    const vector = this.#vectors.get(key)
    if (vector === undefined) return undefined
    this.#vectors.delete(key)
    this.#vectors.set(key, vector)
    return vector
  }

  set(key: string, vector: Float32Array): void {
    this.#remove(key)
    this.#vectors.set(key, vector)
    this.#bytes += bytesOf(key, vector)
    for (const oldest of this.#vectors.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const vector = this.#vectors.get(key)
    if (vector === undefined) return
    this.#vectors.delete(key)
    this.#bytes -= bytesOf(key, vector)
  }
}

function bytesOf(key: string, vector: Float32Array): number {
  return 2 * key.length + vector.byteLength + ENTRY_BYTES
}

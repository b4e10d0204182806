/** Approximate overhead of the object besides its words. */
const OBJECT_BYTES = 150
/** Bytes of the count of each word. */
const COUNT_BYTES = 4

/**
 * Words with their document counts, in the given order. They are stored as one string, an eighth of
 * the memory of a map; the map is built when needed.
 */
export class CountedWords {
  readonly size: number
  /** The words, separated by line breaks, which no word contains. */
  readonly #text: string
  readonly #counts: Uint32Array
  #map: WeakRef<ReadonlyMap<string, number>> | undefined

  constructor(entries: readonly (readonly [word: string, count: number])[] = []) {
    this.size = entries.length
    this.#text = entries.map(([word]) => word).join('\n')
    this.#counts = Uint32Array.from(entries, ([, count]) => count)
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    const perCharacter = isNarrow(this.#text) ? 1 : 2
    return OBJECT_BYTES + perCharacter * this.#text.length + COUNT_BYTES * this.size
  }

  /** The counts by word. */
  get map(): ReadonlyMap<string, number> {
    let map = this.#map?.deref()
    if (map === undefined) {
      const words = this.size === 0 ? [] : this.#text.split('\n')
      map = new Map(words.map((word, at) => [word, this.#counts[at]!]))
      this.#map = new WeakRef(map)
    }
    return map
  }

  equals(other: CountedWords): boolean {
    return (
      this.#text === other.#text &&
      this.size === other.size &&
      this.#counts.every((count, at) => count === other.#counts[at])
    )
  }
}

/** Whether a string takes one byte per character, as Latin-1 does in V8. */
function isNarrow(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false
  return true
}

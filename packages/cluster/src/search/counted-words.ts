/** Approximate overhead of the object besides its words. */
const OBJECT_BYTES = 150
/** Of the number of each word. */
const COUNT_BYTES = 4

/**
 * Words with the number of documents of each, in the order in which they were given. They are kept
 * as one text, an eighth of what a map takes, and a map is made of it while they are looked at.
 */
export class CountedWords {
  readonly size: number
  /** Between two words is a line break: no word has one. */
  readonly #text: string
  readonly #counts: Uint32Array
  #map: WeakRef<ReadonlyMap<string, number>> | undefined

  constructor(entries: readonly (readonly [word: string, count: number])[] = []) {
    this.size = entries.length
    this.#text = entries.map(([word]) => word).join('\n')
    this.#counts = Uint32Array.from(entries, ([, count]) => count)
  }

  /** Of its memory, about. */
  get bytes(): number {
    const perCharacter = isNarrow(this.#text) ? 1 : 2
    return OBJECT_BYTES + perCharacter * this.#text.length + COUNT_BYTES * this.size
  }

  /** By word. */
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

/** Whether a text takes a byte for each character: V8 keeps those of Latin-1 so. */
function isNarrow(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false
  return true
}

const LETTERS = 32
/** Longer words share one bit. */
const LENGTH_MAX = 31

/**
 * Rules out most words that are not in a set, by their first letter and length. A map lookup of a
 * string that V8 has not hashed yet takes ten times as long.
 */
export class WordLengths {
  /** By first letter: a bit for each length. */
  readonly #lengths = new Uint32Array(LETTERS)

  /** @param words of the set, none of them empty */
  constructor(words: Iterable<string>) {
    for (const word of words) {
      this.#lengths[word.charCodeAt(0) % LETTERS]! |= 1 << Math.min(word.length, LENGTH_MAX)
    }
  }

  mayHave(word: string): boolean {
    const lengths = this.#lengths[word.charCodeAt(0) % LETTERS]!
    return ((lengths >>> Math.min(word.length, LENGTH_MAX)) & 1) === 1
  }
}

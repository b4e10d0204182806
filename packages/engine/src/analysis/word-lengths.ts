const LETTERS = 32
/** Longer ones are not told apart. */
const LENGTH_MAX = 31

/**
 * Tells of most words that they are none of a set, by their first letter and length: looking for a
 * string that no map has seen yet takes V8 ten times as long.
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

import type { SoughtWords } from '@aisle/engine/candidates'

/** A word that is looked for among packed ones. */
export interface FoundWord {
  readonly text: string
  /** The same in UTF-8, a character for each byte. */
  readonly bytes: string
  readonly next: FoundWord | undefined
}

/** Places of the table for each word. */
const PLACES_PER_WORD = 8

/**
 * Finds out whether a few bytes are one of the words of a search, without making a text of them:
 * most words of a document are none. Words of the same length that begin and end with the same byte
 * are compared.
 */
export class WordFinder {
  readonly #table: (FoundWord | undefined)[]
  readonly #mask: number

  constructor({ stems, forms }: SoughtWords) {
    const words = new Set([...stems, ...forms])
    words.delete('')
    let size = 64
    while (size < PLACES_PER_WORD * words.size) size *= 2
    this.#mask = size - 1
    this.#table = Array.from<FoundWord | undefined>({ length: size }).fill(undefined)
    for (const text of words) {
      const bytes = Buffer.from(text).toString('latin1')
      const place = placeOf(bytes, 0, bytes.length) & this.#mask
      this.#table[place] = { text, bytes, next: this.#table[place] }
    }
  }

  /** @param text with a character for each byte @param length not 0 */
  find(text: string, at: number, length: number): FoundWord | undefined {
    let word = this.#table[placeOf(text, at, length) & this.#mask]
    while (
      word !== undefined &&
      !(word.bytes.length === length && text.startsWith(word.bytes, at))
    ) {
      word = word.next
    }
    return word
  }
}

function placeOf(text: string, at: number, length: number): number {
  const last = at + length - 1
  return text.charCodeAt(at) * 31 + text.charCodeAt(last) * 197 + length * 7
}

import type { SoughtWords } from '@aisle/engine/rescoring'

/** A word to find among packed ones. */
export interface FoundWord {
  readonly text: string
  /** The text in UTF-8, a character for each byte. */
  readonly bytes: string
  readonly next: FoundWord | undefined
}

/** Table slots per word. */
const PLACES_PER_WORD = 8

/**
 * Tests whether a few bytes are one of the words of a search without decoding them, because most
 * words of a document are not. Words of the same length that begin and end with the same byte are
 * compared.
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
      const place = placeOf(bytes, 0, bytes.length - 1, bytes.length) & this.#mask
      this.#table[place] = { text, bytes, next: this.#table[place] }
    }
  }

  /** @param text with a character for each byte @param length not 0 */
  find(text: string, at: number, length: number): FoundWord | undefined {
    let word = this.#table[placeOf(text, at, at + length - 1, length) & this.#mask]
    while (
      word !== undefined &&
      !(word.bytes.length === length && text.startsWith(word.bytes, at))
    ) {
      word = word.next
    }
    return word
  }

  /** Tests a word in two parts. @param length of the second part */
  findParts(
    text: string,
    firstAt: number,
    firstLength: number,
    at: number,
    length: number,
  ): FoundWord | undefined {
    if (firstLength === 0) return length === 0 ? undefined : this.find(text, at, length)
    if (length === 0) return this.find(text, firstAt, firstLength)
    const whole = firstLength + length
    let word = this.#table[placeOf(text, firstAt, at + length - 1, whole) & this.#mask]
    while (word !== undefined) {
      const { bytes } = word
      const isLong = bytes.length === whole
      if (
        isLong &&
        text.startsWith(bytes.slice(0, firstLength), firstAt) &&
        text.startsWith(bytes.slice(firstLength), at)
      ) {
        return word
      }
      word = word.next
    }
    return undefined
  }
}

function placeOf(text: string, first: number, last: number, length: number): number {
  return text.charCodeAt(first) * 31 + text.charCodeAt(last) * 197 + length * 7
}

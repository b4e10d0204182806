import type { Analyzer } from '../../analysis/analyzer.ts'
import type { DictionaryReader } from '../../dictionary/shared-dictionary.ts'
import { FilterCache } from './filter-cache.ts'

/** Maximum number of indexed values of a field; with more, filters analyse each value they test. */
export const VALUES_INDEXED_MAX = 262_144

/** Values analysed between two looks at the clock. */
const VALUES_PER_CHECK = 256
/** Bytes of cached results: a search asks for the same words in each segment. */
const CACHED_BYTES_MAX = 64 * 1024

/** One word that a value must have. */
export interface WantedWord {
  readonly form: string
  /** Whether a longer word that begins with it is enough. */
  readonly isBegun: boolean
}

/**
 * The words of the values of a text field, by the ids of its dictionary. One filter by a word would
 * otherwise analyse all values: 100 ms for 50,000 brands.
 *
 * Values are analysed once, on the first search that needs them; ids only grow, so later searches
 * add new ones. Layout: the words of value `id` are `#words[#starts[id] .. #starts[id + 1])`.
 */
export class ValueIndex {
  readonly analyzer: Analyzer
  #dictionary: DictionaryReader
  /** Number of values read so far. */
  #count = 0
  #starts = new Uint32Array(64)
  #words = new Uint32Array(64)
  /** Numbers of the distinct words. */
  readonly #numbers = new Map<string, number>()
  readonly #forms: string[] = []
  readonly #results = new FilterCache<Uint32Array>(CACHED_BYTES_MAX)

  constructor(analyzer: Analyzer, dictionary: DictionaryReader) {
    this.analyzer = analyzer
    this.#dictionary = dictionary
  }

  /**
   * Switches to a dictionary with more values.
   *
   * @returns whether its first values are those of this index
   */
  follow(dictionary: DictionaryReader): boolean {
    if (!this.#dictionary.isBeginningOf(dictionary))
      return dictionary.isBeginningOf(this.#dictionary)
    this.#dictionary = dictionary
    return true
  }

  /** Reads values added since the last call. Yields whenever a turn is over. */
  *read(isTurnOver: () => boolean, checkDeadline: () => void): Generator<void, void> {
    for (; this.#count < this.#dictionary.count; this.#count++) {
      if (this.#count % VALUES_PER_CHECK === 0) {
        checkDeadline()
        if (isTurnOver()) yield
      }
      this.#add(this.#dictionary.text(this.#count))
    }
  }

  /** The forms of a value, with joined spellings. */
  formsOf(id: number): string[] {
    const forms: string[] = []
    for (let i = this.#starts[id]!; i < this.#starts[id + 1]!; i++)
      forms.push(this.#forms[this.#words[i]!]!)
    return forms
  }

  /** The ids of the values read that have all of the words, ascending. */
  idsWith(wanted: readonly WantedWord[]): Uint32Array {
    const key = `${this.#count} ${JSON.stringify(wanted)}`
    let ids = this.#results.get(key)
    if (ids === undefined) {
      const [first, ...others] = wanted.map((word) => this.#marked(word))
      ids =
        first === undefined
          ? Uint32Array.from({ length: this.#count }, (_, id) => id)
          : this.#idsWithOne(first)
      for (const other of others) ids = ids.filter((id) => this.#hasOne(id, other))
      this.#results.set(key, ids)
    }
    return ids
  }

  /** By number: 1 for words that are the wanted one. */
  #marked({ form, isBegun }: WantedWord): Uint8Array {
    const marked = new Uint8Array(this.#forms.length)
    const number = this.#numbers.get(form)
    if (number !== undefined) marked[number] = 1
    if (!isBegun) return marked
    for (let i = 0; i < marked.length; i++) {
      if (this.#forms[i]!.startsWith(form)) marked[i] = 1
    }
    return marked
  }

  #idsWithOne(marked: Uint8Array): Uint32Array {
    const [starts, words] = [this.#starts, this.#words]
    const ids: number[] = []
    let id = 0
    for (let i = 0; i < starts[this.#count]!; i++) {
      if (marked[words[i]!] === 0) continue
      while (starts[id + 1]! <= i) id++
      if (ids.at(-1) !== id) ids.push(id)
    }
    return Uint32Array.from(ids)
  }

  #hasOne(id: number, marked: Uint8Array): boolean {
    for (let i = this.#starts[id]!; i < this.#starts[id + 1]!; i++) {
      if (marked[this.#words[i]!] === 1) return true
    }
    return false
  }

  #add(text: string): void {
    const id = this.#count
    let end = this.#starts[id]!
    for (const { form } of this.analyzer.analyze(text)) {
      if (end === this.#words.length) this.#words = grown(this.#words)
      this.#words[end++] = this.#numberOf(form)
    }
    if (id + 1 === this.#starts.length) this.#starts = grown(this.#starts)
    this.#starts[id + 1] = end
  }

  #numberOf(form: string): number {
    let number = this.#numbers.get(form)
    if (number === undefined) {
      number = this.#forms.push(form) - 1
      this.#numbers.set(form, number)
    }
    return number
  }
}

function grown(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}

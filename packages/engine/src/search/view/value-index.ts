import type { Analyzer } from '../../analysis/analyzer.ts'
import type { DictionaryReader } from '../../dictionary/shared-dictionary.ts'
import { BegunForms } from './begun-forms.ts'
import { FilterCache } from './filter-cache.ts'
import { IdSet } from './id-set.ts'
import { pause, type Pace, type Steps } from './steps.ts'

/** Maximum number of indexed values of a field; with more, filters analyse each value they test. */
export const VALUES_INDEXED_MAX = 262_144

/** Values analysed between two looks at the clock. */
const VALUES_PER_CHECK = 256
/** Bytes of cached results: a search asks for the same words in each segment. */
const CACHED_BYTES_MIN = 64 * 1024
/** About 64 results for a field of many values. */
const CACHED_BYTES_PER_VALUE = 8

/** One word that a value must have. */
export interface WantedWord {
  readonly form: string
  /** Whether a longer word that begins with it is enough. */
  readonly isBegun: boolean
}

/** Words that a value must have all. */
export type WordList = readonly WantedWord[]

/** The end of a list. */
const NONE = 0xffff_ffff

/**
 * The words of the values of a text field, by the ids of its dictionary. One filter by a word would
 * otherwise analyse all values: 100 ms for 50,000 brands.
 *
 * Values are analysed once, on the first search that needs them; ids only grow, so later searches
 * add new ones. Layout: the words of value `id` are `#words[#starts[id] .. #starts[id + 1])`. The
 * places of a word are a list from the last to the first: `#lastPlaces[word]`, then
 * `#earlierPlaces[place]`; `#owners[place]` is the value. So a filter by 900 words of a field with
 * 100,000 values reads 900 lists.
 */
export class ValueIndex {
  readonly analyzer: Analyzer
  #dictionary: DictionaryReader
  /** Number of values read so far. */
  #count = 0
  #starts = new Uint32Array(64)
  #words = new Uint32Array(64)
  #owners = new Uint32Array(64)
  #earlierPlaces = new Uint32Array(64)
  /** By word, as are the next two. */
  #lastPlaces = new Uint32Array(64)
  #placeCounts = new Uint32Array(64)
  /** The distinct words. */
  readonly forms = new BegunForms()
  readonly #results: FilterCache<IdSet>

  constructor(analyzer: Analyzer, dictionary: DictionaryReader) {
    this.analyzer = analyzer
    this.#dictionary = dictionary
    this.#results = new FilterCache(CACHED_BYTES_MIN + dictionary.count * CACHED_BYTES_PER_VALUE)
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

  /** Reads values added since the last call. */
  *read(pace: Pace): Steps {
    for (let seen = 0; this.#count < this.#dictionary.count; seen++) {
      if (seen % VALUES_PER_CHECK === 0) {
        yield* pause(pace)
        // Another search may have read on in the meantime.
        if (this.#count === this.#dictionary.count) return
      }
      this.#add(this.#dictionary.text(this.#count))
    }
  }

  /** Number of values read. */
  get count(): number {
    return this.#count
  }

  /** The last place of a word, by its number; -1: none. */
  lastPlace(word: number): number {
    return placeOrNone(this.#lastPlaces[word]!)
  }

  /** The place of the same word before this one; -1: none. */
  placeBefore(place: number): number {
    return placeOrNone(this.#earlierPlaces[place]!)
  }

  /** The id of the value that has its word at a place. */
  valueAt(place: number): number {
    return this.#owners[place]!
  }

  /** The forms of a value, with joined spellings. */
  formsOf(id: number): string[] {
    const forms: string[] = []
    for (let i = this.#starts[id]!; i < this.#starts[id + 1]!; i++)
      forms.push(this.forms.forms[this.#words[i]!]!)
    return forms
  }

  /**
   * The values read that have all words of any of the lists.
   *
   * @returns their ids, possibly shared: do not modify
   */
  *idsWithAny(lists: readonly WordList[], pace: Pace): Steps<IdSet> {
    const key = `${this.#count} ${JSON.stringify(lists)}`
    const known = this.#results.get(key)
    if (known !== undefined) return known
    const ids = new IdSet(this.#count)
    for (const wanted of lists) {
      yield* pause(pace)
      this.#addIds(wanted, ids)
    }
    this.#results.set(key, ids)
    return ids
  }

  #addIds(wanted: WordList, ids: IdSet): void {
    if (wanted.length === 0) return ids.addAll()
    const found = wanted.map((word) => ({ word, numbers: this.#numbersOf(word) }))
    const placeCounts = found.map(({ numbers }) =>
      numbers.reduce((sum, number) => sum + this.#placeCounts[number]!, 0),
    )
    const rarest = placeCounts.indexOf(Math.min(...placeCounts))
    const others = found.filter((_, i) => i !== rarest)
    for (const number of found[rarest]!.numbers) {
      for (let at = this.#lastPlaces[number]!; at !== NONE; at = this.#earlierPlaces[at]!) {
        const id = this.#owners[at]!
        if (others.every((other) => this.#has(id, other.word, other.numbers))) ids.add(id)
      }
    }
  }

  #numbersOf({ form, isBegun }: WantedWord): number[] {
    if (!isBegun) {
      const number = this.forms.numberOf(form)
      return number === undefined ? [] : [number]
    }
    const numbers: number[] = []
    this.forms.forEachBegun(form, (number) => numbers.push(number))
    return numbers
  }

  #has(id: number, { form, isBegun }: WantedWord, numbers: readonly number[]): boolean {
    for (let i = this.#starts[id]!; i < this.#starts[id + 1]!; i++) {
      const number = this.#words[i]!
      if (isBegun ? this.forms.forms[number]!.startsWith(form) : number === numbers[0]) return true
    }
    return false
  }

  #add(text: string): void {
    const id = this.#count
    let end = this.#starts[id]!
    for (const { form } of this.analyzer.analyze(text)) {
      if (end === this.#words.length) {
        this.#words = grown(this.#words)
        this.#owners = grown(this.#owners)
        this.#earlierPlaces = grown(this.#earlierPlaces)
      }
      const number = this.#numberOf(form)
      this.#words[end] = number
      this.#owners[end] = id
      this.#earlierPlaces[end] = this.#lastPlaces[number]!
      this.#lastPlaces[number] = end++
      this.#placeCounts[number]!++
    }
    this.#count++
    if (this.#count === this.#starts.length) this.#starts = grown(this.#starts)
    this.#starts[this.#count] = end
  }

  #numberOf(form: string): number {
    let number = this.forms.numberOf(form)
    if (number === undefined) {
      number = this.forms.add(form)
      if (number === this.#lastPlaces.length) {
        this.#lastPlaces = grown(this.#lastPlaces)
        this.#placeCounts = grown(this.#placeCounts)
      }
      this.#lastPlaces[number] = NONE
    }
    return number
  }
}

function placeOrNone(place: number): number {
  return place === NONE ? -1 : place
}

function grown(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}

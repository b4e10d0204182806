import type { Analyzer } from '@aisle/engine'
import { featureNumber, fieldTerm, inflectedTerm, shortForm } from './product-terms.ts'

/** A stem, and its use in the document being read. */
export interface Stem {
  /** The stem as it is in terms. */
  readonly short: string
  /** The same within a JSON string. */
  readonly json: string
  /** The same as the end of `fieldTerm`. */
  readonly asStem: string
  /** Number of its feature of evidence. */
  readonly feature: number
  /** Its frequency in the field being read. */
  termFreq: number
  /** Its evidence in the document being read. */
  evidence: number
  /** Number of the last document that has it. */
  document: number
  readonly text: string
  /** Number of the last document whose words were packed, and the number of its group there. */
  packed: number
  words: Word[]
}

/** A form with its stem. */
export interface Word {
  /** The form as it is in terms. */
  readonly short: string
  /** The same within a JSON string. */
  readonly json: string
  /** The same as the end of `fieldTerm`, or of `inflectedTerm` if it is not its own stem. */
  readonly asForm: string
  readonly stem: Stem
  /** Whether it is its own stem. */
  readonly isStem: boolean
  /** Number of the last document that has it. */
  document: number
  readonly form: string
  /** Number of the last document whose words were packed, and its places there. */
  packed: number
  places: number[]
}

/** Between the field of a term and a stem, or another form. */
const AS_STEM = fieldTerm('', 0, '').slice(-1)
const AS_FORM = inflectedTerm('', 0, '').slice(-1)

/** Maximum of cached words; a catalog has fewer common ones. */
const KNOWN_MAX = 65_536
/** Maximum of UTF-16 units of all cached words, because some texts have very long ones. */
const KNOWN_MAX_UNITS = 2_000_000
/** V8 stores longer parts of a string as views, which would keep the whole string alive. */
const COPIED_LENGTH = 13

/**
 * Caches the words that an analyzer has seen, one object each. A single lookup then gives
 * everything about a token: its stem, its terms, and whether the current document already has it.
 */
export class KnownWords {
  static readonly #all = new WeakMap<Analyzer, KnownWords>()
  readonly #analyzer: Analyzer
  readonly #words = new Map<string, Word>()
  readonly #stems = new Map<string, Stem>()
  #document = 0
  #units = 0

  private constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer
  }

  static of(analyzer: Analyzer): KnownWords {
    let known = KnownWords.#all.get(analyzer)
    if (known === undefined) KnownWords.#all.set(analyzer, (known = new KnownWords(analyzer)))
    return known
  }

  /**
   * Begins a document, or an element of one.
   * @returns its number
   */
  begin(): number {
    if (this.#words.size > KNOWN_MAX || this.#units > KNOWN_MAX_UNITS) {
      this.#words.clear()
      this.#stems.clear()
      this.#units = 0
    }
    return ++this.#document
  }

  word(form: string): Word {
    let word = this.#words.get(form)
    if (word !== undefined) return word
    const kept =
      form.length < COPIED_LENGTH ? form : Buffer.from(form, 'utf16le').toString('utf16le')
    const stem = this.#analyzer.stem(kept)
    const short = shortForm(kept)
    word = {
      form: kept,
      short,
      json: inJson(short),
      asForm: (kept === stem ? AS_STEM : AS_FORM) + inJson(short),
      stem: this.#stem(stem),
      isStem: kept === stem,
      document: 0,
      packed: 0,
      places: [],
    }
    this.#words.set(kept, word)
    this.#units += kept.length
    return word
  }

  #stem(text: string): Stem {
    let stem = this.#stems.get(text)
    if (stem === undefined) {
      const short = shortForm(text)
      const json = inJson(short)
      const feature = featureNumber(text)
      const unused = { termFreq: 0, evidence: 0, document: 0, packed: 0, words: [] }
      stem = { text, short, json, asStem: AS_STEM + json, feature, ...unused }
      this.#stems.set(text, stem)
    }
    return stem
  }
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

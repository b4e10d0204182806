import type { Analyzer } from '../../analysis/analyzer.ts'

/** Texts cached per index and analyzer: with the next limit, a megabyte at most. */
const TEXTS_MAX = 8_192

/** Maximum length of a cached text in UTF-16 units. */
const TEXT_LENGTH_MAX = 64

/**
 * The words of values of one index, joined ones too, for values that are not in a `ValueIndex`.
 * Caches those in use: when the texts since the last change are half of the maximum, only they are
 * kept, along with what is asked for again.
 */
export class ValueWords {
  readonly #memos = new Map<Analyzer, Memo>()
  readonly #textsMax: number

  /** Tests cache less. */
  constructor(textsMax = TEXTS_MAX) {
    this.#textsMax = textsMax
  }

  formsOf(text: string, analyzer: Analyzer): readonly string[] {
    if (text.length > TEXT_LENGTH_MAX) return analyzedForms(text, analyzer)
    let memo = this.#memos.get(analyzer)
    if (memo === undefined) this.#memos.set(analyzer, (memo = new Memo()))
    return memo.get(text, analyzer, this.#textsMax)
  }
}

class Memo {
  #young = new Map<string, readonly string[]>()
  #old = new Map<string, readonly string[]>()

  get(text: string, analyzer: Analyzer, textsMax: number): readonly string[] {
    let forms = this.#young.get(text)
    if (forms !== undefined) return forms
    forms = this.#old.get(text) ?? analyzedForms(text, analyzer)
    if (this.#young.size >= textsMax / 2) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(text, forms)
    return forms
  }
}

function analyzedForms(text: string, analyzer: Analyzer): readonly string[] {
  return analyzer.analyze(text).map(({ form }) => form)
}

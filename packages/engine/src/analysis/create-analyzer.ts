import { readAnalysisName } from './analysis-name.ts'
import type { Analyzer, Token, TokenSink } from './analyzer.ts'
import { fold } from './fold.ts'
import { languageOf, type Language } from './language.ts'
import { withSymbols } from './symbols.ts'
import { scanTokens, tokenize } from './tokenizer.ts'
import { WordLengths } from './word-lengths.ts'

/**
 * The analyzer of a language, or of an analysis by its name; one object for each.
 *
 * @param name BCP 47 tag, of which only the first part counts (the en of en-GB), or a name as by
 *   `analysisName`. A language without a stemmer has the same tokens, each equal to its stem, and
 *   no stopwords.
 */
export function createAnalyzer(name = 'en'): Analyzer {
  const { language, symbols, separators } = readAnalysisName(name)
  return analyzerWithSymbols(analyzerOf(language), symbols, separators)
}

/** Maximum number of analyzers with symbols that are kept; further ones are created on demand. */
const WITH_SYMBOLS_MAX = 1_000
/** By analyzer without symbols, then by symbols and separators. */
const withSymbolsOf = new WeakMap<Analyzer, Map<string, Analyzer>>()

/** The analyzer with these symbols and separators instead; one object for each. */
export function analyzerWithSymbols(
  analyzer: Analyzer,
  symbols: string,
  separators: string,
): Analyzer {
  const plain = analyzer.plain ?? analyzer
  if (symbols === '' && separators === '') return plain
  let known = withSymbolsOf.get(plain)
  if (known === undefined) withSymbolsOf.set(plain, (known = new Map()))
  const key = `${symbols} ${separators}`
  let own = known.get(key)
  if (own === undefined) {
    if (known.size >= WITH_SYMBOLS_MAX) known.clear()
    known.set(key, (own = withSymbols(plain, symbols, separators)))
  }
  return own
}

function analyzerOf(language: string): Analyzer {
  const subtag = language.toLowerCase().split(/[-_]/, 1)[0]!
  // Not a tag of ISO 639: "und", undetermined.
  const primary = /^[a-z]{2,3}$/.test(subtag) ? subtag : 'und'
  let analyzer = analyzers.get(primary)
  if (analyzer === undefined) {
    analyzer = new LanguageAnalyzer(primary, languageOf(primary))
    analyzers.set(primary, analyzer)
  }
  return analyzer
}

/** By primary language subtag: two or three letters, so there can be no more than 18,253. */
const analyzers = new Map<string, Analyzer>()

/** Memo size for stems; a catalog has fewer common words. */
const STEM_MEMO_MAX = 65_536

/** V8 represents longer forms as views of the text, which a map would keep alive. */
const COPIED_FORM_LENGTH = 13

class LanguageAnalyzer implements Analyzer {
  readonly language: string
  readonly hasPlainWords = true
  readonly name: string
  readonly #language: Language
  readonly #stems = new Map<string, string>()
  readonly #stemmer: (form: string) => string
  readonly #stopwordLengths: WordLengths

  constructor(name: string, language: Language) {
    this.language = name
    this.name = name
    this.#language = language
    this.#stopwordLengths = new WordLengths(language.stopwords)
    this.#stemmer = (form) => this.stem(form)
  }

  analyze(text: string): Token[] {
    return tokenize(text, this.#stemmer, this.#language.decimalComma, this.#language.unspaced)
  }

  scan(text: string, sink: TokenSink): void {
    const { decimalComma, unspaced } = this.#language
    scanTokens(text, this.#stemmer, decimalComma, unspaced, sink)
  }

  stem(form: string): string {
    // Forms that begin with a digit have no inflections and would fill the memo.
    const code = form.charCodeAt(0)
    if (code >= 0x30 && code <= 0x39) return form
    // A stem of another language already: see field-analyzer.ts.
    if (code === 0xe000) return form
    const known = this.#stems.get(form)
    if (known !== undefined) return known
    const key = form.length < COPIED_FORM_LENGTH ? form : copyOf(form)
    const stem = this.#language.stem(key)
    if (this.#stems.size === STEM_MEMO_MAX) this.#stems.clear()
    this.#stems.set(key, stem)
    return stem
  }

  isStopword(form: string): boolean {
    // A plan asks about both halves of every possible split.
    return this.#stopwordLengths.mayHave(form) && this.#language.stopwords.has(form)
  }

  get firstLetters(): Language['firstLetters'] {
    return this.#language.firstLetters
  }

  get stemsBegin(): boolean {
    return this.#language.stemsBegin
  }

  get secondLetters(): Language['secondLetters'] {
    return this.#language.secondLetters
  }

  get thirdLetters(): Language['thirdLetters'] {
    return this.#language.thirdLetters
  }

  get isPlural(): Language['isPlural'] {
    return this.#language.isPlural
  }

  get pieces(): Analyzer['pieces'] {
    return this.#language.unspaced?.pieces
  }

  get compounds(): Language['compounds'] {
    return this.#language.compounds
  }

  fold(text: string): string {
    return fold(text)
  }
}

/** A flat copy of the string. */
function copyOf(form: string): string {
  return Buffer.from(form, 'utf16le').toString('utf16le')
}

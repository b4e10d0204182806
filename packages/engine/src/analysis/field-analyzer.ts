import type { Analyzer, Token } from './analyzer.ts'
import type { Schema } from '../schema/schema.ts'
import { characterList } from './analysis-name.ts'
import { analyzerWithSymbols, createAnalyzer } from './create-analyzer.ts'

/**
 * Prefix of forms that are stems of a field's language: a private character that no token of a text
 * contains.
 */
const FOREIGN_MARK = '\uE000'

/** What a field sets for the analysis of its text; absent members inherit from the store. */
export interface FieldAnalysis {
  /** BCP 47 tag. */
  readonly language?: string
  readonly symbols?: string
  readonly separators?: string
}

/**
 * The analyzer of a field whose text is in another language than its store, or has other symbols
 * and separators.
 *
 * In another language ("Fields in another language" in docs/languages.md) words keep the forms and
 * stem groups of the store's language, since a form has one group. Each has a second token at its
 * position, joined and thus not counted, whose form is its stem in the field's language. A query
 * has the same forms among the joined spellings of its words.
 *
 * @param analyzer of the store, or of queries to it
 */
export function fieldAnalyzer(analyzer: Analyzer, field: FieldAnalysis): Analyzer {
  const store = analyzer.store ?? analyzer
  const { language, symbols, separators } = field
  const foreign = language === undefined ? store : createAnalyzer(language)
  const isForeign = foreign.language !== store.language
  const hasOwn = symbols !== undefined || separators !== undefined
  if (!isForeign && !hasOwn) return store
  const plain = store.plain ?? store
  return analyzerWithSymbols(
    isForeign ? inLanguage(plain, foreign) : plain,
    symbols === undefined ? without(store.symbols, separators) : characterList(symbols),
    separators === undefined ? without(store.separators, symbols) : characterList(separators),
  )
}

/** The characters that a field inherits from its store, without those it sets otherwise. */
function without(inherited = '', own = ''): string {
  return characterList([...inherited].filter((character) => !own.includes(character)))
}

/** The analyzer of field values for filters and facets, which ignores the field's language. */
export function valueAnalyzer(
  analyzer: Analyzer,
  { symbols, separators }: Omit<FieldAnalysis, 'language'>,
): Analyzer {
  return fieldAnalyzer(analyzer, {
    ...(symbols === undefined ? {} : { symbols }),
    ...(separators === undefined ? {} : { separators }),
  })
}

function inLanguage(analyzer: Analyzer, foreign: Analyzer): Analyzer {
  let known = made.get(analyzer)
  if (known === undefined) made.set(analyzer, (known = new Map()))
  let own = known.get(foreign.language)
  if (own === undefined) known.set(foreign.language, (own = withStemsOf(foreign, analyzer)))
  return own
}

/** By analyzer of a store, then by language: one object for each. */
const made = new WeakMap<Analyzer, Map<string, Analyzer>>()

function withStemsOf(foreign: Analyzer, analyzer: Analyzer): Analyzer {
  return {
    language: foreign.language,
    name: foreign.language,
    compounds: analyzer.compounds,
    isPlural: analyzer.isPlural,
    stem: (form) => analyzer.stem(form),
    firstLetters: analyzer.firstLetters,
    stemsBegin: analyzer.stemsBegin,
    secondLetters: analyzer.secondLetters,
    thirdLetters: analyzer.thirdLetters,
    isStopword: (form) => analyzer.isStopword(form),
    fold: (text) => analyzer.fold(text),
    analyze: (text) => analyzer.analyze(text).flatMap((token) => withForeignStem(token, foreign)),
  }
}

/**
 * The analyzer of queries to a store: that of the store, with the symbols of all fields. A word
 * with symbols matches as itself in every field, and without them in fields that lack the symbols.
 */
export function queryAnalyzer(analyzer: Analyzer, schema: Schema | undefined): Analyzer {
  let own = ''
  for (const field of schema?.fields ?? []) own += field.symbols ?? ''
  if (own === '') return analyzer
  const symbols = characterList(`${analyzer.symbols ?? ''}${own}`)
  if (symbols === (analyzer.symbols ?? '')) return analyzer
  let known = ofQueries.get(analyzer)
  if (known === undefined) ofQueries.set(analyzer, (known = new Map()))
  let made = known.get(symbols)
  if (made === undefined) {
    const all = analyzerWithSymbols(analyzer, symbols, analyzer.separators ?? '')
    known.set(symbols, (made = { ...all, store: analyzer }))
  }
  return made
}

/**
 * By analyzer of a store, then by symbols: one object for each, because sets are compiled for it.
 */
const ofQueries = new WeakMap<Analyzer, Map<string, Analyzer>>()

function withForeignStem(token: Token, foreign: Analyzer): Token[] {
  const form = token.kind === 'word' ? foreignForm(token.form, foreign) : undefined
  return form === undefined ? [token] : [token, { ...token, form, kind: 'joined' }]
}

/**
 * The form of a word in fields of another language, which equals its stem; undefined for stopwords.
 */
export function foreignForm(form: string, foreign: Analyzer): string | undefined {
  if (foreign.isStopword(form)) return undefined
  return `${FOREIGN_MARK}${foreign.language}:${foreign.stem(form)}`
}

/** A form for display: without the mark and the language. */
export function shownForm(form: string): string {
  return form.startsWith(FOREIGN_MARK) ? form.slice(form.indexOf(':') + 1) : form
}

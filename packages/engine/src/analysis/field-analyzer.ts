import type { Analyzer, Token } from './analyzer.ts'
import { createAnalyzer } from './create-analyzer.ts'

/**
 * Begins the forms that are stems of a field's own language: a private character, which no token of
 * a text has.
 */
const FOREIGN_MARK = '\uE000'

/**
 * The analyzer of a field that is in another language than its store ("Fields in another language"
 * in docs/languages.md). Words keep the forms and stem groups of the store's language, since a form
 * has one group; beside each stands a second token, joined and thus not counted, whose form is its
 * stem in the field's language. A query has the same forms among the joined spellings of its words.
 *
 * @param language BCP 47 tag of the field; undefined, or the store's own: its analyzer as it is
 */
export function fieldAnalyzer(analyzer: Analyzer, language: string | undefined): Analyzer {
  if (language === undefined) return analyzer
  const foreign = createAnalyzer(language)
  if (foreign.language === analyzer.language) return analyzer
  let known = made.get(analyzer)
  if (known === undefined) made.set(analyzer, (known = new Map()))
  let own = known.get(foreign.language)
  if (own === undefined) known.set(foreign.language, (own = withStemsOf(foreign, analyzer)))
  return own
}

/** By analyzer of a store, then by language: one object each. */
const made = new WeakMap<Analyzer, Map<string, Analyzer>>()

function withStemsOf(foreign: Analyzer, analyzer: Analyzer): Analyzer {
  return {
    language: foreign.language,
    compounds: analyzer.compounds,
    isPlural: analyzer.isPlural,
    stem: (form) => analyzer.stem(form),
    firstLetters: analyzer.firstLetters,
    secondLetters: analyzer.secondLetters,
    isStopword: (form) => analyzer.isStopword(form),
    fold: (text) => analyzer.fold(text),
    analyze: (text) => analyzer.analyze(text).flatMap((token) => withForeignStem(token, foreign)),
  }
}

function withForeignStem(token: Token, foreign: Analyzer): Token[] {
  const form = token.kind === 'word' ? foreignForm(token.form, foreign) : undefined
  return form === undefined ? [token] : [token, { ...token, form, kind: 'joined' }]
}

/** The form of a word in fields of another language, which is its own stem; none for stopwords. */
export function foreignForm(form: string, foreign: Analyzer): string | undefined {
  if (foreign.isStopword(form)) return undefined
  return `${FOREIGN_MARK}${foreign.language}:${foreign.stem(form)}`
}

/** A form for display: without the mark and the language. */
export function shownForm(form: string): string {
  return form.startsWith(FOREIGN_MARK) ? form.slice(form.indexOf(':') + 1) : form
}

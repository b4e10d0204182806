import { englishStem } from './english-stem.ts'
import { ENGLISH_STOPWORDS } from './english-words.ts'

/** What an analyzer knows of a language. Tokens are cut the same way in all of them. */
export interface Language {
  /**
   * The stem that all inflections of a folded form share. Invariant: it begins with the same UTF-16
   * unit as the form.
   */
  readonly stem: (form: string) => string
  /** Folded forms that carry no meaning of their own. */
  readonly stopwords: ReadonlySet<string>
}

/** By primary language subtag of BCP 47. A new language is a line here. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ['en', { stem: englishStem, stopwords: ENGLISH_STOPWORDS }],
])

/** Every other language: words match as they are written. */
export const ANY_LANGUAGE: Language = { stem: (form) => form, stopwords: new Set() }

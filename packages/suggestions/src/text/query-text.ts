import { SUGGESTED_QUERY_MAX_CHARS } from '@aisle/contract'
import type { Analyzer } from '@aisle/engine'
import { looksLikeMarkup } from './markup-text.ts'
import { looksPersonal } from './personal-text.ts'

const SUGGESTED_MAX_WORDS = 10

/** A query in the form in which it is counted. */
export interface QueryText {
  /** The form for display: lower case, spaces collapsed. */
  readonly shown: string
  /**
   * The key of near-duplicates: the stems of its words, in order. "Shoes", "shoe" and "shoé" are
   * one query.
   */
  readonly key: string
}

/** Longer texts are ignored: sorting combining marks takes time quadratic in their number. */
const READ_MAX_CHARS = 4 * SUGGESTED_QUERY_MAX_CHARS

/** @returns undefined for text that must not or need not be suggested */
export function readQuery(text: string, analyzer: Analyzer): QueryText | undefined {
  if (text.length > READ_MAX_CHARS) return undefined
  const shown = shownText(text)
  if (shown === '' || shown === '*' || shown.length > SUGGESTED_QUERY_MAX_CHARS) return undefined
  if (!shown.isWellFormed() || !mayBeShown(shown)) return undefined
  const forms = wordsOf(shown, analyzer)
  if (forms.length === 0 || forms.length > SUGGESTED_MAX_WORDS) return undefined
  return { shown, key: forms.map((form) => analyzer.stem(form)).join(' ') }
}

/** Whether a text on its own may be shown to other visitors. */
export function mayBeShown(text: string): boolean {
  return !looksPersonal(text) && !looksLikeMarkup(text)
}

/** Quotes and a leading minus are search syntax, not part of the query. */
function shownText(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/["\u201c\u201d]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The folded words of a text, in order, without further spellings (t-shirt: tshirt). */
function wordsOf(text: string, analyzer: Analyzer): string[] {
  return analyzer.analyze(text).flatMap((token) => (token.kind === 'joined' ? [] : [token.form]))
}

import type { Analyzer } from '../../analysis/analyzer.ts'

/** Texts cached per analyzer; with the next limit, some megabytes at most. */
const TEXTS_MAX = 32_768

/** Maximum length of a cached text in UTF-16 units. */
const TEXT_LENGTH_MAX = 64

/** By analyzer and text; shared by all stores of a thread. */
const memos = new WeakMap<Analyzer, Map<string, string>>()

/**
 * The words of a value (joined ones too) as one string. Line feeds, which no form contains,
 * surround each form. Filters and facet queries search it for forms.
 */
export function wordsOf(text: string, analyzer: Analyzer): string {
  if (text.length > TEXT_LENGTH_MAX) return joinForms(text, analyzer)
  let memo = memos.get(analyzer)
  if (memo === undefined) {
    memo = new Map()
    memos.set(analyzer, memo)
  }
  let words = memo.get(text)
  if (words === undefined) {
    words = joinForms(text, analyzer)
    if (memo.size >= TEXTS_MAX) memo.clear()
    memo.set(text, words)
  }
  return words
}

/** @returns the string to find a whole form in `wordsOf` */
export function wholeWord(form: string): string {
  return `\n${form}\n`
}

/** @returns the string to find a form with this prefix in `wordsOf` */
export function begunWord(prefix: string): string {
  return `\n${prefix}`
}

/** @returns the forms that `wordsOf` joined */
export function formsOf(words: string): string[] {
  return words.split('\n').slice(1, -1)
}

function joinForms(text: string, analyzer: Analyzer): string {
  let words = '\n'
  for (const token of analyzer.analyze(text)) words += `${token.form}\n`
  return words
}

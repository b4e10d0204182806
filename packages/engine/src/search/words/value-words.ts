import type { Analyzer } from '../../analysis/analyzer.ts'

/** Texts remembered per analyzer; together with the next limit some megabytes at most. */
const TEXTS_MAX = 32_768

/** Longer texts are analysed each time, UTF-16 units. */
const TEXT_LENGTH_MAX = 64

/** By analyzer and text; shared by all stores of a thread. */
const memos = new WeakMap<Analyzer, Map<string, string>>()

/**
 * The words of a value (joined ones too) as one string: each form between line feeds, which no form
 * contains. Filters and facet queries look for forms in it.
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

/** @returns what to look for in `wordsOf` to find a whole form */
export function wholeWord(form: string): string {
  return `\n${form}\n`
}

/** @returns what to look for in `wordsOf` to find a form that starts so */
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

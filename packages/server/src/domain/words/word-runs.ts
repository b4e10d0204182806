import type { Analyzer, Token } from '@aisle/engine'
import { isSpelling, joinedForm, joinedSpelling } from './joined-spelling.ts'

/**
 * A text in the form that query sets compare: its words, and which of them also form one joined
 * word.
 */
export interface WordRun {
  /** Plain tokens and units, in order. */
  readonly words: readonly Token[]
  readonly joined: readonly Token[]
}

export function wordRun(tokens: readonly Token[]): WordRun {
  return {
    words: tokens.filter((token) => token.kind !== 'joined'),
    joined: tokens.filter(isSpelling),
  }
}

/**
 * The keys for looking up words `from` to `to - 1`: their stems side by side, and the stem of their
 * joined spelling, if they have one (t-shirt: `t shirt`, `tshirt`; bed spread: `bedspread`).
 */
export function runKeys(
  { words, joined }: WordRun,
  from: number,
  to: number,
  analyzer: Analyzer,
): string[] {
  const run = words.slice(from, to)
  const keys = [run.map((word) => analyzer.stem(word.form)).join(' ')]
  if (run.length === 1) return keys
  const form = spellingAsOne(run, joined)
  const spelling = form === undefined ? undefined : joinedSpelling(form, run, analyzer)
  if (spelling !== undefined) keys.push(spelling.stem)
  return keys
}

function spellingAsOne(run: readonly Token[], joined: readonly Token[]): string | undefined {
  const covering = joined.find(
    (token) => token.position === run[0]!.position && token.span === run.length,
  )
  if (covering !== undefined) return covering.form
  return run.length === 2 ? joinedForm(run[0]!, run[1]!) : undefined
}

import { ApiError } from '@aisle/contract'
import type { Analyzer, Token } from '@aisle/engine'

/** A compiled stopword set: folded texts, and the number of words of the longest. */
export interface StopwordRules {
  readonly longest: number
  readonly texts: ReadonlySet<string>
}

/**
 * In steps, like `compileStopwords`. @throws ApiError invalid_parameter for a text without a word
 */
export function* checkStopwords(
  stopwords: readonly string[],
  analyzer: Analyzer,
): Generator<void, void> {
  for (const [at, text] of stopwords.entries()) {
    if (analyzer.analyze(text).length === 0) {
      const param = `stopwords[${at}]`
      throw new ApiError('invalid_parameter', `Parameter \`${param}\` must contain a word`, {
        param,
      })
    }
    yield
  }
}

/** In steps: the largest set takes 20 ms and more. */
export function* compileStopwords(
  stopwords: readonly string[],
  analyzer: Analyzer,
): Generator<void, StopwordRules> {
  const texts = new Set<string>()
  let longest = 0
  for (const text of stopwords) {
    const run = analyzer.analyze(text).filter((token) => token.kind !== 'joined')
    if (run.length > 0) texts.add(textOf(run))
    longest = Math.max(longest, run.length)
    yield
  }
  return { longest, texts }
}

const NO_TOKENS: ReadonlySet<Token> = new Set()

/**
 * Returns which words of a query the sets drop: every word of each run that a set contains. None if
 * they would drop every word.
 */
export function droppedWords(
  words: readonly Token[],
  sets: readonly StopwordRules[],
): ReadonlySet<Token> {
  if (sets.length === 0) return NO_TOKENS
  const longest = Math.max(0, ...sets.map((set) => set.longest))
  const dropped = new Set<Token>()
  for (let from = 0; from < words.length; from++) {
    for (let to = Math.min(words.length, from + longest); to > from; to--) {
      const run = words.slice(from, to)
      const text = textOf(run)
      if (!sets.some((set) => set.texts.has(text))) continue
      for (const word of run) dropped.add(word)
      break
    }
  }
  return dropped.size === words.length ? NO_TOKENS : dropped
}

function textOf(run: readonly Token[]): string {
  return run.map((word) => word.form).join(' ')
}

import {
  editDistance,
  TYPO_MIN_LEN_1_DEFAULT_CHARS,
  TYPO_MIN_LEN_2_DEFAULT_CHARS,
} from '@aisle/contract'
import type { Analyzer } from '@aisle/engine'
import type { SynonymRules } from './synonym-rules.ts'
import { runKeys, wordRun } from './word-runs.ts'

/**
 * Whether two phrases could be synonyms by their words alone: they are not spellings, forms or
 * sizes of the same words. Section 2 of docs/synonym-suggestions.md, point 5.
 */
export function areReplaceable(from: string, to: string, analyzer: Analyzer): boolean {
  const [a, b] = [from, to].map((text) => formsOf(text, analyzer)) as [string[], string[]]
  if (!saysSomething(a, analyzer) || !saysSomething(b, analyzer)) return false
  const stems = new Set(a.map((form) => analyzer.stem(form)))
  if (b.some((form) => stems.has(analyzer.stem(form)))) return false
  const [x, y] = [a.join(''), b.join('')]
  if (analyzer.stem(x) === analyzer.stem(y)) return false
  const shorter = Math.min(x.length, y.length)
  const edits =
    shorter >= TYPO_MIN_LEN_2_DEFAULT_CHARS ? 2 : shorter >= TYPO_MIN_LEN_1_DEFAULT_CHARS ? 1 : 0
  if (Math.abs(x.length - y.length) <= edits && editDistance(x, y) <= edits) return false
  const [digits, others] = [digitsOf(x), digitsOf(y)]
  return digits === '' || others === '' || digits === others
}

/** Whether a query for a text finds another one already, by some set. */
export function isSynonymOf(
  from: string,
  to: string,
  sets: readonly SynonymRules[],
  analyzer: Analyzer,
): boolean {
  const asked = keysOf(from, analyzer)
  const wanted = new Set(keysOf(to, analyzer))
  return sets.some(({ groups }) =>
    asked.some((key) =>
      (groups.get(key) ?? []).some((group) =>
        group.some(({ keys }) => keys.some((one) => wanted.has(one))),
      ),
    ),
  )
}

/**
 * Key of a pair of phrases in either order, in any form, under which a decision is stored.
 */
export function pairKey(from: string, to: string, analyzer: Analyzer): string {
  const [a = '', b = ''] = [from, to].map((text) => keysOf(text, analyzer)[0] ?? '').toSorted()
  return `${a}\n${b}`
}

function keysOf(text: string, analyzer: Analyzer): string[] {
  const run = wordRun(analyzer.analyze(text))
  return runKeys(run, 0, run.words.length, analyzer)
}

function formsOf(text: string, analyzer: Analyzer): string[] {
  return wordRun(analyzer.analyze(text)).words.map(({ form }) => form)
}

function saysSomething(forms: readonly string[], analyzer: Analyzer): boolean {
  return forms.some((form) => form.length > 1 && !analyzer.isStopword(form))
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '')
}

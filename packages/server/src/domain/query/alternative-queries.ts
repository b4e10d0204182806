import { SUGGESTIONS_MAX } from '@aisle/contract'
import type {
  Analyzer,
  Completion,
  CompletionRequest,
  QuerySlot,
  SlotExpansion,
} from '@aisle/engine'
import type { AnalysedQuery } from './analysed-query.ts'
import { readingsOf, replaceWords } from './correct-query.ts'
import { covers } from '../words/measures.ts'
import { isLiteral } from './query-syntax.ts'

/** Another query, offered to the visitor. */
export interface QuerySuggestion {
  readonly text: string
  /** 0..1; higher is better. */
  readonly score: number
}

/** Number of other readings offered for a misspelt query. */
export const READINGS_OFFERED_MAX = 3
/** Scores above this are corrections, the others completions. */
const CORRECTION_SCORE_MIN = 0.9
const CORRECTION_SCORE_STEP = 0.03
/** Share of the documents of the best completion; rarer words are misspelt or cut off. */
const COMPLETION_SHARE_MIN = 0.01

/**
 * A query that may have been meant, and the stems that a document must contain to match it.
 */
export interface Reading {
  readonly text: string
  readonly words: CompletionRequest['words']
}

/** The last word, still being typed, and the text before it. */
export interface Unfinished {
  readonly before: string
  readonly request: Required<Pick<CompletionRequest, 'words' | 'prefix' | 'limit'>>
}

export interface AlternativeSources {
  /** Best first; the response may be based on the first one. */
  readonly readings: readonly Reading[]
  /** Undefined if the last word is complete (a space follows), or there is none. */
  readonly unfinished: Unfinished | undefined
}

/**
 * Candidates for suggestions: readings of the whole query with words corrected, and completions of
 * its last word beside the others. Pure; whether they find something is decided by the index.
 *
 * @param expansions the expansions of each of `words`, in their order
 */
export function alternativeSources(
  query: AnalysedQuery,
  words: readonly QuerySlot[],
  expansions: readonly SlotExpansion[],
): AlternativeSources {
  if (words.length === 0 || expansions.length < words.length) {
    return { readings: [], unfinished: undefined }
  }
  const { text: q, analyzer, tokens } = query
  const choices = words.map((word, i) => {
    const expansion = expansions[i]!
    const readings = readingsOf(expansion)
    return { word, expansion, readings: expansion.known ? ['', ...readings] : readings }
  })
  const best = choices.map(() => 0)

  // The best reading, then those that differ from it in one word.
  const variants = [best]
  for (let rank = 1; rank <= READINGS_OFFERED_MAX; rank++) {
    choices.forEach(({ readings }, i) => {
      if (readings[rank] !== undefined) variants.push(best.with(i, rank))
    })
  }
  const read = (variant: readonly number[]) => {
    const replacements = new Map<string, string>()
    const conditions: string[][][] = []
    choices.forEach(({ word, expansion, readings }, i) => {
      const reading = readings[variant[i]!] ?? ''
      if (reading !== '') replacements.set(word.stem, reading)
      conditions.push(
        reading === '' ? ownCondition(word, expansion, analyzer) : conditionsOf(reading, analyzer),
      )
    })
    return { replacements, conditions }
  }
  const readings = variants.flatMap((variant) => {
    const { replacements, conditions } = read(variant)
    const text = replaceWords(query, replacements)
    return text === q ? [] : [{ text, words: conditions.flat() }]
  })

  const last = tokens.findLast((token) => token.kind !== 'joined')!
  const isOpen =
    last.end === q.length &&
    analyzer.fold(q.slice(last.start)) === last.form &&
    !isLiteral(query.syntax, last)
  if (!isOpen) return { readings, unfinished: undefined }
  const { replacements, conditions } = read(best)
  const lastStems = new Set([analyzer.stem(last.form)])
  // "iphone 13 m" may become "iphone 13 mini": then 13 is a word, not a part of 13 meters.
  const measure = tokens.find((token) => token.measure === true && covers(token, last.position))
  const number =
    measure &&
    tokens.find(({ kind, position }) => {
      return kind !== 'joined' && position === measure.position
    })
  if (measure !== undefined) lastStems.add(analyzer.stem(measure.form))
  const others = conditions.filter((_, i) => !lastStems.has(words[i]!.stem))
  if (number !== undefined && number !== last) others.push([[analyzer.stem(number.form)]])
  return {
    readings,
    unfinished: {
      before: replaceWords(query.with(q.slice(0, last.start)), replacements),
      request: {
        words: others.flat(),
        prefix: last.form,
        limit: SUGGESTIONS_MAX,
      },
    },
  }
}

/** Stopwords, and words matched only by others (synonyms, a prefix), are not a condition. */
export function ownCondition(
  { stem, stopword }: QuerySlot,
  { known, joined, compounds, apart }: SlotExpansion,
  analyzer: Analyzer,
): string[][] {
  if (!known || stopword) return []
  const whole = [stem, ...[...joined, ...compounds].map((form) => analyzer.stem(form))]
  // Written as one word, or as all of these.
  return apart[0]?.map((form) => [...whole, analyzer.stem(form)]) ?? [whole]
}

/** The stems that a document with a text contains, one list per word. */
export function conditionsOf(text: string, analyzer: Analyzer): string[][] {
  return analyzer
    .analyze(text)
    .filter((token) => token.kind !== 'joined')
    .map((token) => [analyzer.stem(token.form)])
}

/**
 * Readings first, then completions by the share of the catalog that they find.
 *
 * @param readings that find something
 * @param docCount live documents of the store
 */
export function rankAlternatives(
  q: string,
  readings: readonly Reading[],
  before: string,
  completions: readonly Completion[],
  docCount: number,
): QuerySuggestion[] {
  const suggestions = new Map<string, QuerySuggestion>()
  const add = (text: string, score: number): void => {
    if (text === q || suggestions.has(text) || suggestions.size === SUGGESTIONS_MAX) return
    suggestions.set(text, { text, score: Math.round(score * 10_000) / 10_000 })
  }
  readings.slice(0, READINGS_OFFERED_MAX).forEach(({ text }, rank) => {
    add(text, 1 - rank * CORRECTION_SCORE_STEP)
  })
  const mostFound = completions[0]?.docCount ?? 0
  for (const { form, docCount: found } of completions) {
    if (found < mostFound * COMPLETION_SHARE_MIN) break
    add(before + form, (CORRECTION_SCORE_MIN * Math.log1p(found)) / Math.log1p(docCount))
  }
  return [...suggestions.values()]
}

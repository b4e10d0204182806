import { QUERY_CONDITIONS_MAX } from '@aisle/contract'
import type { Analyzer, Phrase, PlannedWord, SearchPlan, Token } from '@aisle/engine'
import { apartSpellings } from '../words/letters-and-digits.ts'
import { joinedSpelling } from '../words/joined-spelling.ts'
import type { QueryPart, QuerySyntax } from '../query/query-syntax.ts'

/**
 * Maximum number of spellings of a phrase that are searched; a phrase of many joined words has
 * more.
 */
const SPELLINGS_MAX = 8

type Conditions = Pick<SearchPlan, 'phrases' | 'exclusions'>

const NO_CONDITIONS: Conditions = { phrases: [], exclusions: [] }

/**
 * Turns the phrases and exclusions of a query into conditions. Those without a word (`""`, `-"!"`)
 * are ignored.
 *
 * @param warnings gets one when there are too many
 */
export function planConditions(
  q: string,
  { phrases, exclusions }: QuerySyntax,
  analyzer: Analyzer,
  warnings: string[],
): Conditions {
  if (phrases.length === 0 && exclusions.length === 0) return NO_CONDITIONS
  const planned = ({ start, end }: QueryPart, inflected: boolean): Phrase => {
    const tokens = analyzer.analyze(q.slice(start, end))
    if (!inflected) return { spellings: phraseSpellings(tokens, analyzer), inflected }
    const spellings = phraseSpellings(withoutFalseJoins(tokens, analyzer), analyzer)
    // `-ps4` excludes "PS 4" too.
    const isOneWord = spellings.length === 1 && spellings[0]!.length === 1
    const apart = isOneWord ? apartSpellings(spellings[0]![0]!.form, analyzer) : []
    return { spellings: [...spellings, ...apart], inflected }
  }
  const withWords = ({ spellings }: Phrase) => spellings.length > 0
  const all = {
    phrases: phrases.map((part) => planned(part, false)).filter(withWords),
    exclusions: exclusions.map((part) => planned(part, !part.quoted)).filter(withWords),
  }
  if (all.phrases.length + all.exclusions.length <= QUERY_CONDITIONS_MAX) return all
  warnings.push(
    `Only the first ${QUERY_CONDITIONS_MAX} phrases and exclusions of the query have an effect`,
  )
  const kept = all.phrases.slice(0, QUERY_CONDITIONS_MAX)
  return {
    phrases: kept,
    exclusions: all.exclusions.slice(0, QUERY_CONDITIONS_MAX - kept.length),
  }
}

/**
 * Returns a condition for all words of a text, adjacent; undefined if it has none.
 *
 * @param inflected in any of their forms
 */
export function rowOf(text: string, analyzer: Analyzer, inflected: boolean): Phrase | undefined {
  const tokens = analyzer.analyze(text)
  const spellings = phraseSpellings(
    inflected ? withoutFalseJoins(tokens, analyzer) : tokens,
    analyzer,
  )
  return spellings.length === 0 ? undefined : { spellings, inflected }
}

/**
 * Word by word, and with the analyzer's joined spellings instead of their parts: t, shirt and
 * tshirt.
 */
function phraseSpellings(tokens: readonly Token[], analyzer: Analyzer): PlannedWord[][] {
  const length = tokens.reduce((end, { position }) => Math.max(end, position + 1), 0)
  const spellings: PlannedWord[][] = []
  const extend = (words: readonly PlannedWord[], position: number): void => {
    if (spellings.length === SPELLINGS_MAX) return
    if (position >= length) {
      if (words.length > 0) spellings.push([...words])
      return
    }
    const next = tokens.filter((token) => token.position === position && isWhole(token, tokens))
    if (next.length === 0) extend(words, position + 1)
    for (const { form, span } of next) {
      extend([...words, { form, stem: analyzer.stem(form) }], position + span)
    }
  }
  extend([], 0)
  return spellings
}

/**
 * A word matched by its stem must not be joined to another: `-chair-red` must not exclude chairs.
 */
function withoutFalseJoins(tokens: readonly Token[], analyzer: Analyzer): Token[] {
  return tokens.filter((token) => {
    if (token.kind !== 'joined') return true
    const end = token.position + token.span
    const parts = tokens.filter(
      ({ kind, position }) => kind !== 'joined' && position >= token.position && position < end,
    )
    return joinedSpelling(token.form, parts, analyzer) !== undefined
  })
}

/**
 * A bigram of a text without spaces is a word only if it is the whole text; a word without
 * its symbols never does.
 */
function isWhole({ bigram, bare, start, end }: Token, tokens: readonly Token[]): boolean {
  if (bare === true) return false
  if (bigram !== true) return true
  const words = tokens.filter((token) => token.kind !== 'joined')
  return words.some((word) => word.start === start) && words.some((word) => word.end === end)
}

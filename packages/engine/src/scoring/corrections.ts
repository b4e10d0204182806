import { codePointCount } from '../codec/code-points.ts'
import { editCost } from './edit-cost.ts'
import { WEIGHT_COUNTED_MIN } from './formula.ts'

/**
 * Which other words may be meant, as numbers: neighbours of rare words, corrections, unfinished
 * words and words typed together. Definition: `docs/ranking.md`.
 */

/**
 * A word in at most this many documents is rare: a frequent word may be meant instead and counts as
 * much as a typed one. In a small catalog no word is rare, because the shop may sell just one such
 * product.
 */
export function rareDocFreqMax(docCount: number): number {
  return docCount / 10_000
}
/** ... if that neighbour is this many times as frequent. */
export const RARE_FREQUENCY_RATIO = 20
/** A word in at most this many documents may have neighbours ... */
export function neighbourDocFreqMax(docCount: number): number {
  return Math.max(5, docCount / 1_000)
}
/** ... that are this many times as frequent. */
export const NEIGHBOUR_FREQUENCY_RATIO = 10
/**
 * ... or, for a word in at most this many documents that is in none with another word of the query,
 * that are in documents with each of those ...
 */
export const ALONE_DOCS_MAX = 5
/** ... and one edit away. */
export const NEIGHBOUR_EDITS_MAX = 1
/**
 * ... or, for a word that is only a prefix of others, this many times as frequent as all of those
 * together.
 */
export const BEGINNING_FREQUENCY_RATIO = 5
/** Whether the only difference is one more letter at the end, as in most plurals. */
export function differByLastLetter(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long.startsWith(short) && Array.from(long.slice(short.length)).length === 1
}
/**
 * Maximum number of corrections of a word: further ones are rarely meant and would match half the
 * catalog.
 */
export const CORRECTIONS_MAX = 16
/** Synonyms of one word that can earn the pair bonus. */
export const BONUS_SYNONYMS_MAX = 8
/** Corrections that are named in the outcome and can earn the pair bonus. */
export const CORRECTIONS_NAMED_MAX = 8
/** The names of a word's corrections and of the words that only synonym sets know, best first. */
export function namedCorrections(
  corrections: readonly { readonly text: string; readonly quality: number }[],
  explained: readonly {
    readonly form: string
    readonly quality: number
    readonly isNew: boolean
  }[],
): string[] {
  return [
    ...corrections,
    ...explained.flatMap(({ form: text, quality, isNew }) => (isNew ? [{ text, quality }] : [])),
  ]
    .filter(({ quality }) => quality >= WEIGHT_COUNTED_MIN)
    .toSorted((a, b) => b.quality - a.quality)
    .slice(0, CORRECTIONS_NAMED_MAX)
    .map(({ text }) => text)
}
/**
 * A word in at most this many documents is also looked up as two words: "bedspread" finds "bed
 * spread". For more common words the lookup costs more than it finds.
 */
export function splitDocFreqMax(docCount: number): number {
  return Math.max(100, docCount / 10_000)
}

/**
 * Log-odds that this candidate was meant rather than another one, without company.
 *
 * @param cost `editCost` of the typed word, or `begunCost`
 * @param docFreq live documents with the candidate form, >= 1
 */
export function correctionScore(cost: number, docFreq: number): number {
  return 0.4 * Math.log(1 + docFreq) - cost
}

/** The ending is guessed too, and many words share a prefix. */
const UNFINISHED_COST = 1.2

/**
 * Minimum likelihood of a candidate to replace the typed word. Below it, the catalog rather lacks
 * the typed word: torch is not touch.
 */
const LIKELIHOOD_MIN = 0.5
/** Minimum likelihood of a candidate to be offered as a question. */
const LIKELIHOOD_OFFERED_MIN = -1
/** Maximum number of unlikely candidates in the outcome. */
const UNLIKELY_NAMED_MAX = 3
/** Longer words have fewer neighbours by chance. */
const LIKELIHOOD_PER_LETTER = 0.6
const LETTERS_COUNTED_MAX = 12
const COMPANY_LIKELIHOOD = 0.55

/** Document frequencies of a candidate, of another query term, and of both together. */
export interface Company {
  readonly docFreq: number
  readonly otherDocFreq: number
  readonly bothDocFreq: number
}

/**
 * Log-odds that a candidate was meant rather than a word that the catalog lacks. Company counts by
 * its difference from chance, because frequent words co-occur anywhere.
 *
 * @param score `correctionScore` of the candidate
 * @param companies with the other words of the query
 * @param docCount N
 */
export function correctionLikelihood(
  typed: string,
  score: number,
  companies: readonly Company[],
  docCount: number,
): number {
  const letters = Math.min(LETTERS_COUNTED_MAX, codePointCount(typed))
  let likelihood = score + LIKELIHOOD_PER_LETTER * letters
  for (const { docFreq, otherDocFreq, bothDocFreq } of companies) {
    const byChance = (docFreq * otherDocFreq) / docCount
    const surprise = Math.log((1 + bothDocFreq) / (1 + byChance))
    likelihood += (COMPANY_LIKELIHOOD * surprise) / companies.length
  }
  return likelihood
}

/** Whether a candidate of this likelihood replaces the typed word. */
export function isLikely(likelihood: number): boolean {
  return likelihood >= LIKELIHOOD_MIN
}

/** Unlikely candidates to offer as a question, given candidates with the best first. */
export function namedUnlikely(
  candidates: readonly { readonly text: string; readonly likelihood: number }[],
): string[] {
  return candidates
    .filter(({ likelihood }) => likelihood >= LIKELIHOOD_OFFERED_MIN)
    .slice(0, UNLIKELY_NAMED_MAX)
    .map(({ text }) => text)
}

/** The cost of a misspelt prefix of a longer word. */
export function begunCost(typed: string, beginning: string): number {
  return editCost(typed, beginning) + UNFINISHED_COST
}

/** Score for company: the mean over the other words of ln(1 + documents with both). */
export function companyScore(docCountsWithBoth: readonly number[]): number {
  if (docCountsWithBoth.length === 0) return 0
  let sum = 0
  for (const count of docCountsWithBoth) sum += Math.log(1 + count)
  return sum / docCountsWithBoth.length
}

/** An unfinished word is not corrected to a shorter prefix than this. */
const BEGUN_LENGTH_MIN = 3

/**
 * Whether an unfinished word may be a misspelt prefix of a longer word. Both must have the same
 * first and last letter, or consist of the same letters: with no further letter typed, a wrong last
 * letter could mean any other.
 */
export function looksBegun(typed: string, beginning: string): boolean {
  if (codePointCount(beginning) < BEGUN_LENGTH_MIN) return false
  if (sameLetters(typed, beginning)) return true
  const [a, b] = [Array.from(typed), Array.from(beginning)]
  return a[0] === b[0] && a.at(-1) === b.at(-1)
}

function sameLetters(a: string, b: string): boolean {
  return (
    a.length === b.length && [...new Set(a)].sort().join('') === [...new Set(b)].sort().join('')
  )
}

/**
 * Added to the edits if only a prefix of a value's word is near the typed word: whole words always
 * rank first.
 */
export const FACET_BEGUN_MISTAKES = 10_000

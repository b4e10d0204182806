import { codePointCount } from '../codec/code-points.ts'
import { WEIGHT_COUNTED_MIN } from './formula.ts'
import { rankingParts } from './ranking-parts.ts'

/**
 * Which other words may be meant, as numbers: neighbours of rare words, corrections, words begun or
 * typed together. `docs/ranking.md` tells the whole story.
 */

/**
 * A word in at most this many documents is rare enough that a frequent one may be what was meant,
 * as good as typed. In a small catalog none is: there one document may well say what its shop has
 * one of.
 */
export function rareDocFreqMax(docCount: number): number {
  return docCount / 10_000
}
/** ... when that neighbour is this many times as frequent. */
export const RARE_FREQUENCY_RATIO = 20
/** A word in at most this many documents may have neighbours ... */
export function neighbourDocFreqMax(docCount: number): number {
  return Math.max(5, docCount / 1_000)
}
/** ... that are this many times as frequent. */
export const NEIGHBOUR_FREQUENCY_RATIO = 10
/** ... and one edit away. */
export const NEIGHBOUR_EDITS_MAX = 1
/** ... of a word that only begins others, as many times as frequent as all of those. */
export const BEGINNING_FREQUENCY_RATIO = 5
/** The same word but for one more letter at the end of one of them, as most plurals are. */
export function differByLastLetter(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long.startsWith(short) && Array.from(long.slice(short.length)).length === 1
}
/**
 * Maximum of corrections of a word: later ones say nothing about what was meant, and find half the
 * catalog.
 */
export const CORRECTIONS_MAX = 16
/** Synonyms of one word that can earn the pair bonus. */
export const BONUS_SYNONYMS_MAX = 8
/** Corrections that are named in the outcome and can earn the pair bonus. */
export const CORRECTIONS_NAMED_MAX = 8
/**
 * The corrections of a word and the words that only synonym sets know, as they are named: the best
 * first.
 */
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
 * A word in at most this many documents is also looked for as two words: "bedspread" finds "bed
 * spread". Words that are common as one are left alone, because looking costs more than it finds.
 */
export function splitDocFreqMax(docCount: number): number {
  return Math.max(100, docCount / 10_000)
}

/**
 * How likely `candidate` is what was meant, without its company: `-cost + 0.5 ln(1 + df)`. Cost:
 * two edits 2, else 0 for the first; another first letter 2; the same letters in another order
 * -0.7.
 *
 * @param distance edits between typed and candidate, 1 or 2
 * @param docFreq live documents with the candidate form, >= 1
 */
export function correctionScore(
  typed: string,
  candidate: string,
  distance: number,
  docFreq: number,
): number {
  let cost = distance === 2 ? (rankingParts.typoCosts ? 2 : 3) : 0
  if (typed.codePointAt(0) !== candidate.codePointAt(0)) cost += 2
  if (sameLetters(typed, candidate)) cost -= 0.7
  return -cost + 0.5 * Math.log(1 + docFreq)
}

/** What the company adds: the mean over the other words of ln(1 + documents with both). */
export function companyScore(docCountsWithBoth: readonly number[]): number {
  if (docCountsWithBoth.length === 0) return 0
  let sum = 0
  for (const count of docCountsWithBoth) sum += Math.log(1 + count)
  return sum / docCountsWithBoth.length
}

/** Beginnings shorter than this are not what an unfinished word was meant to be. */
const BEGUN_LENGTH_MIN = 3

/**
 * May `beginning` (of a longer word) be what an unfinished word was meant to be? Both begin and end
 * alike, or have the same letters: a wrong last letter cannot be told from any other, for nothing
 * behind it speaks.
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
 * A word of a facet value that a mistyped beginning may become is further off than any whole word.
 */
export const FACET_BEGUN_MISTAKES = 10_000

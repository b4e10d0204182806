import { codePointCount } from '../codec/code-points.ts'
import { WEIGHT_COUNTED_MIN } from './formula.ts'
import { rankingParts } from './ranking-parts.ts'

/**
 * Which other words may be meant, as numbers: neighbours of rare words, corrections, unfinished
 * words and words typed together. `docs/ranking.md` describes them all.
 */

/**
 * A word in at most this many documents is rare: a frequent word may have been meant instead, and
 * counts as good as typed. In a small catalog no word is rare, because its shop may sell just one
 * such thing.
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
/**
 * ... or, for a word that only begins others, this many times as frequent as all of those together.
 */
export const BEGINNING_FREQUENCY_RATIO = 5
/** Whether one of them only has one more letter at its end, as most plurals do. */
export function differByLastLetter(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long.startsWith(short) && Array.from(long.slice(short.length)).length === 1
}
/**
 * Maximum number of corrections of a word: further ones are hardly ever meant, and would match half
 * the catalog.
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
 * How likely `candidate` was meant, company aside: `-cost + 0.5 ln(1 + df)`. Cost: 2 for two edits,
 * 0 for one; another first letter 2; the same letters in another order -0.7.
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

/** Added for company: the mean over the other words of ln(1 + documents with both). */
export function companyScore(docCountsWithBoth: readonly number[]): number {
  if (docCountsWithBoth.length === 0) return 0
  let sum = 0
  for (const count of docCountsWithBoth) sum += Math.log(1 + count)
  return sum / docCountsWithBoth.length
}

/** An unfinished word is not corrected to a beginning shorter than this. */
const BEGUN_LENGTH_MIN = 3

/**
 * Whether an unfinished word may be a misspelt `beginning` of a longer word. Both must begin and
 * end with the same letter, or consist of the same letters: with nothing typed behind it, a wrong
 * last letter could stand for any other.
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
 * Added to the mistakes when only a beginning of a value's word is near the typed word: whole words
 * always come first.
 */
export const FACET_BEGUN_MISTAKES = 10_000

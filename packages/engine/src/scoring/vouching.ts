import { POINTS_PER_UNIT, SATURATED_MAX } from './formula.ts'

/**
 * "Vouching" in docs/ranking.md, as numbers: title words vouch for a query word that the document
 * lacks. Shares and weights are integers, so that sums are exact in any order.
 */

/** Number of best documents to check; each takes some microseconds. */
export const VOUCHING_CANDIDATES_MAX = 40
/** Distinct title words of a document that count: the first ones. */
export const TITLE_WORDS_MAX = 64
/** Sample size: documents with the word whose other title words are read. */
export const COMPANY_SAMPLE_MAX = 300
/** Maximum number of title words in an explanation. */
export const VOUCHERS_NAMED_MAX = 3

/** The integer for a share of 1. */
const WHOLE_SHARE = 4096
/**
 * A rare title word proves little: this many further titles with it, without the query word, are
 * assumed.
 */
const COMPANY_SHRINK = 3
/** Minimum number of documents with both: one proves nothing ... */
export const COMPANY_BOTH_MIN = 2
/** ... and minimum share worth storing. */
const SHARE_MIN = WHOLE_SHARE / 64
/** Worth of a share of 1, in full matches of the word ... */
const VOUCHING_WORTH = 2
/** ... with shares capped here, so that no word is worth more than .6 of a match. */
export const VOUCHING_SHARE_MAX = 0.3

/** Document number of the `i`-th sample among `size` documents. */
export function sampledAt(i: number, size: number): number {
  return size <= COMPANY_SAMPLE_MAX ? i : Math.floor((i * size) / COMPANY_SAMPLE_MAX)
}

/**
 * How often a title with one word has the other, beyond chance: 64..4096, or 0 for less.
 *
 * @param both documents of the sample with both words in their titles
 * @param factor documents with the other word in the title per document of the sample
 * @param titleDocFreq documents with the one word in the title
 * @param otherDocFreq documents with the other word in the title
 */
export function companyShare(
  both: number,
  factor: number,
  titleDocFreq: number,
  otherDocFreq: number,
  docCount: number,
): number {
  if (both < COMPANY_BOTH_MIN) return 0
  const share = Math.min(1, (factor * both) / (titleDocFreq + COMPANY_SHRINK))
  const rounded = Math.floor((share - otherDocFreq / docCount) * WHOLE_SHARE + 0.5)
  return rounded < SHARE_MIN ? 0 : rounded
}

/** Weight of a title word, an integer: the rarer, the heavier. */
export function titleWordWeight(titleDocFreq: number, docCount: number): number {
  return Math.floor(Math.log(1 + docCount / (titleDocFreq + 1)) * WHOLE_SHARE + 0.5)
}

/**
 * The share of a title: the weighted mean of the shares of its words, 0..1.
 * @param sum of weight times share over the words; @param weights their sum
 */
export function vouchedShare(sum: number, weights: number): number {
  return weights === 0 ? 0 : sum / weights / WHOLE_SHARE
}

/**
 * Points of a document for a vouched-for word (an integer).
 * @param quality q of the vouched-for word: a correction is worth no more here than where it occurs
 */
export function vouchedPoints(slotWeight: number, quality: number, share: number): number {
  const counted = Math.min(share, VOUCHING_SHARE_MAX)
  const score = VOUCHING_WORTH * SATURATED_MAX * slotWeight * quality * counted
  return Math.floor(score * POINTS_PER_UNIT + 0.5)
}

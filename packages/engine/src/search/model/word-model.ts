import { countedMin, pointsOfFactor, slotFactor } from '../../scoring/formula.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'

/**
 * The sum of a document over its words, in one int32:
 *
 *     bits  0 .. 25  points
 *     bits 26 .. 30  significant words that it has with a counted quality
 *
 * At most 31 words of a query are scored (QUERY_WORDS_MAX of the contract), and points stay below
 * 2^22, so neither overflows.
 */
const POINTS_BITS = 26
const HAS_SIGNIFICANT = 1 << POINTS_BITS

export function pointsIn(sum: number): number {
  return sum & (HAS_SIGNIFICANT - 1)
}

export function significantIn(sum: number): number {
  return sum >>> POINTS_BITS
}

/** What a query term adds to the sum of a document: the formula, for all loops over postings. */
export class WordModel {
  readonly slot: ResolvedSlot
  readonly #flag: number
  readonly #countedMin: number

  constructor(slot: ResolvedSlot) {
    this.slot = slot
    this.#flag = slot.slot.stopword ? 0 : HAS_SIGNIFICANT
    this.#countedMin = countedMin(slot.hasNeighbours)
  }

  /** Shared by all documents with a quality: see `pointsOfFactor`. */
  factor(quality: number): number {
    return slotFactor(this.slot.weight, quality)
  }

  /** Added to the points, so that words count for the tier. */
  flag(quality: number): number {
    return quality >= this.#countedMin ? this.#flag : 0
  }

  /** What a document adds through alternatives with this best quality and evidence. */
  added(quality: number, saturated: number): number {
    return pointsOfFactor(this.factor(quality), saturated) + this.flag(quality)
  }
}

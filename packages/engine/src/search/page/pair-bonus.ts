import type { PairExplanation } from '../../query/explanation.ts'
import { ranksBy } from '../../query/ranking-parts.ts'
import { pairPoints } from '../../scoring/formula.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { wordInTitle } from './lower-tier-bonus.ts'
import { Titles, type TitleWord } from './segment-titles.ts'

/** A document in the order of the sort keys. */
export interface RankedDocument {
  readonly segmentIndex: number
  readonly docOrd: number
  /** Text match score. */
  readonly score: number
}

/** Neighbouring words that can earn a bonus. */
interface BonusPair {
  /** Number of the left slot. */
  readonly from: number
  readonly left: ResolvedSlot
  readonly right: ResolvedSlot
  readonly points: number
}

/** The same, in the titles of a segment. */
interface TitlePair {
  readonly left: TitleWord
  readonly right: TitleWord
  readonly points: number
}

function bonusPairs(slots: readonly ResolvedSlot[]): BonusPair[] {
  const pairs: BonusPair[] = []
  for (let i = 0; i + 1 < slots.length; i++) {
    const left = slots[i]!
    const right = slots[i + 1]!
    if (!left.known || !right.known) continue
    pairs.push({ from: i, left, right, points: pairPoints(left.weight, right.weight) })
  }
  return pairs
}

/** Points for words side by side in the title. */
export class PairBonus {
  readonly #pairs: readonly BonusPair[]
  readonly #titles: Titles
  /** By segment, computed on demand. */
  readonly #bySegment: (readonly TitlePair[] | undefined)[] = []
  /** Maximum points of a document. */
  readonly max: number
  /**
   * Whether both words of the only pair are significant: a document with both is in the upper tier.
   */
  readonly #upperTierOnly: boolean

  /** @param slots empty if no title can earn anything */
  constructor({ view, plan }: SearchRun, slots: readonly ResolvedSlot[]) {
    this.#pairs = ranksBy(plan, 'pairs') ? bonusPairs(slots) : []
    this.#titles = new Titles(view, plan.titleField)
    this.max = this.#pairs.reduce((sum, pair) => sum + pair.points, 0)
    const known = slots.filter((slot) => slot.known)
    this.#upperTierOnly =
      known.length === 2 &&
      known.every((slot) => !slot.slot.stopword && wordInTitle(slot).isCounted)
  }

  /** Whether no document can earn anything. */
  get isEmpty(): boolean {
    return this.#pairs.length === 0
  }

  /** Whether only documents of the upper tier can earn anything. */
  get isUpperTierOnly(): boolean {
    return this.#upperTierOnly
  }

  /** The points of a slot, by its number, with the next one. */
  pointsFrom(slotNumber: number): number {
    return this.#pairs.find(({ from }) => from === slotNumber)?.points ?? 0
  }

  /**
   * @param pointsMin fewer points make no difference and may be returned as 0
   * @param max upper bound of the points
   */
  of({ segmentIndex, docOrd }: RankedDocument, pointsMin: number, max: number): number {
    if (max === 0 || max < pointsMin) return 0
    const pairs = this.#pairsIn(segmentIndex)
    let most = this.max
    // Positions are read last: most pairs lack a word.
    for (const pair of pairs) {
      if (bothStand(pair, docOrd)) continue
      most -= pair.points
      if (most < pointsMin) return 0
    }
    if (most === 0) return 0
    for (const pair of pairs) {
      if (!bothStand(pair, docOrd) || pair.left.precedes(pair.right)) continue
      most -= pair.points
      if (most < pointsMin) return 0
    }
    return most
  }

  /** The pairs, prepared for the titles of a segment. */
  #pairsIn(segmentIndex: number): readonly TitlePair[] {
    return (this.#bySegment[segmentIndex] ??= this.#pairs.map(({ left, right, points }) => {
      const titles = this.#titles.in(segmentIndex)
      return { left: titles.wordOf(left), right: titles.wordOf(right), points }
    }))
  }

  /** The pairs of a document, with their points. */
  explain({ segmentIndex, docOrd }: RankedDocument): PairExplanation[] {
    const pairs = this.#pairsIn(segmentIndex)
    return this.#pairs.filter((_, i) => standTogether(pairs[i]!, docOrd)).map(describe)
  }
}

function bothStand({ left, right }: TitlePair, docOrd: number): boolean {
  return left.standsIn(docOrd) && right.standsIn(docOrd)
}

function standTogether(pair: TitlePair, docOrd: number): boolean {
  return bothStand(pair, docOrd) && pair.left.precedes(pair.right)
}

/** @returns the words of a pair, and its points */
function describe({ left, right, points }: BonusPair): PairExplanation {
  return { left: left.slot.form, right: right.slot.form, points }
}

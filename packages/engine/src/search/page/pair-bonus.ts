import type { PairExplanation, ScoreExplanation } from '../../query/explanation.ts'
import { ranksBy } from '../../query/ranking-parts.ts'
import { pairPoints } from '../../scoring/formula.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { RankedDocument, Rescorer } from './rescorer.ts'
import type { Titles, TitleWord } from './segment-titles.ts'

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
export class PairBonus implements Rescorer {
  readonly #pairs: readonly BonusPair[]
  readonly #titles: Titles
  /** By segment, computed on demand. */
  readonly #bySegment: (readonly TitlePair[] | undefined)[] = []
  readonly max: number

  constructor({ plan }: SearchRun, slots: readonly ResolvedSlot[], titles: Titles) {
    this.#pairs = ranksBy(plan, 'pairs') ? bonusPairs(slots) : []
    this.#titles = titles
    this.max = this.#pairs.reduce((sum, pair) => sum + pair.points, 0)
  }

  maxWithout(slotNumber: number): number {
    return this.#pairs.reduce((sum, { from, points }) => {
      return from === slotNumber || from + 1 === slotNumber ? sum : sum + points
    }, 0)
  }

  of({ segmentIndex, docOrd }: RankedDocument, pointsMin: number): number {
    if (this.max < pointsMin) return 0
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

  explain({ segmentIndex, docOrd }: RankedDocument): Pick<ScoreExplanation, 'pairs'> {
    const inTitles = this.#pairsIn(segmentIndex)
    const pairs = this.#pairs.filter((_, i) => standTogether(inTitles[i]!, docOrd))
    return { pairs: pairs.map(describe) }
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

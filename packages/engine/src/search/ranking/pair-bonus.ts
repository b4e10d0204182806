import type { PairExplanation } from '../../query/explanation.ts'
import { pairPoints, TIER_STEP } from '../../scoring/formula.ts'
import { rankingParts } from '../../scoring/ranking-parts.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { Titles } from './segment-titles.ts'

/** A document in the order of the sort keys. */
export interface RankedDocument {
  readonly segmentIndex: number
  readonly docOrd: number
  /** Text match score. */
  readonly score: number
}

/** Neighbouring words that can earn a bonus. */
interface BonusPair {
  readonly left: ResolvedSlot
  readonly right: ResolvedSlot
  readonly points: number
}

function bonusPairs(slots: readonly ResolvedSlot[]): BonusPair[] {
  if (!rankingParts.pairs) return []
  const pairs: BonusPair[] = []
  for (let i = 0; i + 1 < slots.length; i++) {
    const left = slots[i]!
    const right = slots[i + 1]!
    if (!left.known || !right.known) continue
    pairs.push({ left, right, points: pairPoints(left.weight, right.weight) })
  }
  return pairs
}

/** The points that documents earn by words side by side in their title. */
export class PairBonus {
  readonly #pairs: readonly BonusPair[]
  readonly #titles: Titles
  /** The most that a document can earn. */
  readonly max: number
  /** Both words of the only pair are significant: a document with both is in the upper tier. */
  readonly #upperTierOnly: boolean

  /** @param slots none when no title can earn anything */
  constructor({ view, plan }: SearchRun, slots: readonly ResolvedSlot[]) {
    this.#pairs = bonusPairs(slots)
    this.#titles = new Titles(view, plan.titleField)
    this.max = this.#pairs.reduce((sum, pair) => sum + pair.points, 0)
    const known = slots.filter((slot) => slot.known)
    this.#upperTierOnly = known.length === 2 && known.every(({ slot }) => !slot.stopword)
  }

  /** No document can earn anything. */
  get isEmpty(): boolean {
    return this.#pairs.length === 0
  }

  /** Only documents of the upper tier can earn anything. */
  get isUpperTierOnly(): boolean {
    return this.#upperTierOnly
  }

  /** @param pointsMin fewer points make no difference and need not be told from 0 */
  of(document: RankedDocument, pointsMin: number): number {
    if (this.#upperTierOnly && document.score < TIER_STEP) return 0
    let points = 0
    let most = this.max
    for (const pair of this.#pairs) {
      if (most < pointsMin) return 0
      if (this.#has(pair, document)) points += pair.points
      else most -= pair.points
    }
    return points
  }

  /** The same, pair by pair. */
  explain(document: RankedDocument): PairExplanation[] {
    return this.#pairs.filter((pair) => this.#has(pair, document)).map(describe)
  }

  #has({ left, right }: BonusPair, { segmentIndex, docOrd }: RankedDocument): boolean {
    return this.#titles.in(segmentIndex).hasPair(docOrd, left, right)
  }
}

/** @returns the words of a pair, and its points */
function describe({ left, right, points }: BonusPair): PairExplanation {
  return { left: left.slot.form, right: right.slot.form, points }
}

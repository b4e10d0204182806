import { scoreOf, type ScoreExplanation } from '../../query/explanation.ts'
import type { SearchPlan } from '../../query/plan.ts'
import { boostedPoints, TIER_STEP } from '../../scoring/formula.ts'
import { VOUCHING_CANDIDATES_MAX } from '../../scoring/vouching.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { Boosts } from './boosts.ts'
import { PairBonus, type RankedDocument } from './pair-bonus.ts'
import { Vouching } from './vouching.ts'

/** The points that the best documents earn by their titles, in a second pass. */
export class Bonus {
  readonly #boosts: Boosts
  readonly #pairs: PairBonus
  readonly #vouching: Vouching

  constructor(run: SearchRun, slots: readonly ResolvedSlot[], boosts: Boosts) {
    const counted = looksAtTitles(run.plan) ? slots : []
    this.#boosts = boosts
    this.#pairs = new PairBonus(run, counted)
    this.#vouching = new Vouching(run, counted)
  }

  /** No document can earn anything. */
  get isEmpty(): boolean {
    return this.#pairs.isEmpty && this.#vouching.isEmpty
  }

  /**
   * No document of the lower tier can rise into a page that has only documents of the upper tier.
   */
  get isUpperTierOnly(): boolean {
    return this.#pairs.isUpperTierOnly
  }

  /** Documents of the lower tier can earn something besides pairs. */
  get lifts(): boolean {
    return !this.#vouching.isEmpty
  }

  /** The most that a document with this score can earn. */
  maxOf(score: number): number {
    const isLower = score < TIER_STEP
    const pairs = isLower && this.isUpperTierOnly ? 0 : this.#pairs.max
    return boostedPoints(pairs + (isLower ? this.#vouching.max : 0), this.#boosts.factorMax)
  }

  /**
   * @param rank of the document without a bonus, from 0
   * @param scoreMin a document that stays below this may be left without its bonus
   */
  of(document: RankedDocument, rank: number, scoreMin: number): number {
    const pairs = this.#pairs.of(document)
    const pointsMin = this.#boosts.isEmpty ? scoreMin - document.score - pairs : -Infinity
    const vouched = rank < VOUCHING_CANDIDATES_MAX ? this.#vouching.of(document, pointsMin) : 0
    const points = pairs + vouched
    if (points === 0) return 0
    return boostedPoints(points, this.#boosts.factorOf(document.segmentIndex, document.docOrd))
  }

  /**
   * @returns `base` with the parts that complete the score; some of the best are only checked for
   * pairs
   */
  explain(document: RankedDocument, base: ScoreExplanation): ScoreExplanation {
    const withPairs = { ...base, pairs: this.#pairs.explain(document) }
    if (scoreOf(withPairs) === document.score) return withPairs
    return { ...withPairs, vouched: this.#vouching.explain(document) }
  }
}

function looksAtTitles({ sort, titleField, fieldWeights }: SearchPlan): boolean {
  const key = sort[0]
  const isByTextMatch = key === undefined || (key.kind === 'textMatch' && key.descending)
  return isByTextMatch && titleField >= 0 && fieldWeights[titleField]! > 0
}

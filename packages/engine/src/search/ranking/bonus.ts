import { scoreOf, type ScoreExplanation } from '../../query/explanation.ts'
import type { SearchPlan } from '../../query/plan.ts'
import { boostedPoints, TIER_STEP } from '../../scoring/formula.ts'
import { VOUCHING_CANDIDATES_MAX } from '../../scoring/vouching.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { Boosts } from './boosts.ts'
import { LeadingWords } from './leading-words.ts'
import { PairBonus, type RankedDocument } from './pair-bonus.ts'
import { Vouching } from './vouching.ts'

/** The points that the best documents earn by their titles, in a second pass. */
export class Bonus {
  readonly #boosts: Boosts
  readonly #pairs: PairBonus
  readonly #leading: LeadingWords
  readonly #vouching: Vouching

  constructor(run: SearchRun, slots: readonly ResolvedSlot[], boosts: Boosts) {
    const counted = looksAtTitles(run.plan) ? slots : []
    this.#boosts = boosts
    this.#pairs = new PairBonus(run, counted)
    this.#leading = new LeadingWords(run, counted)
    this.#vouching = new Vouching(run, counted)
  }

  /** No document can earn anything. */
  get isEmpty(): boolean {
    return this.#pairs.isEmpty && this.#leading.isEmpty && this.#vouching.isEmpty
  }

  /**
   * No document of the lower tier can rise into a page that has only documents of the upper tier.
   */
  get isUpperTierOnly(): boolean {
    return this.#pairs.isUpperTierOnly && this.#leading.isEmpty
  }

  /** Documents of the lower tier can earn something besides pairs. */
  get lifts(): boolean {
    return !this.#vouching.isEmpty || !this.#leading.isEmpty
  }

  /** The most that a document with this score can earn. @param rank as of `of` */
  maxOf(score: number, rank = 0): number {
    const isLower = score < TIER_STEP
    const isVouchedFor = isLower && rank < VOUCHING_CANDIDATES_MAX
    const pairs = isLower && this.#pairs.isUpperTierOnly ? 0 : this.#pairs.max
    const points = pairs + this.#leading.max + (isVouchedFor ? this.#vouching.max : 0)
    return boostedPoints(points, this.#boosts.factorMax)
  }

  /**
   * @param rank of the document without a bonus, from 0
   * @param scoreMin a document that stays below this may be left without its bonus
   */
  of(document: RankedDocument, rank: number, scoreMin: number): number {
    const { score } = document
    const isVouchedFor = score < TIER_STEP && rank < VOUCHING_CANDIDATES_MAX
    const pointsMin = this.#boosts.isEmpty ? scoreMin - score : -Infinity
    const leading = this.#leading.of(document)
    const besidePairs = leading + (isVouchedFor ? this.#vouching.max : 0)
    const others = leading + this.#pairs.of(document, pointsMin - besidePairs)
    const vouched = isVouchedFor ? this.#vouching.of(document, pointsMin - others) : 0
    const points = others + vouched
    if (points === 0) return 0
    return boostedPoints(points, this.#boosts.factorOf(document.segmentIndex, document.docOrd))
  }

  /**
   * @returns `base` with the parts that complete the score; titles of some of the best vouch for
   * nothing
   */
  explain(document: RankedDocument, base: ScoreExplanation): ScoreExplanation {
    const pairs = this.#pairs.explain(document)
    const leading = base.leading === undefined ? {} : { leading: this.#leading.explain(document) }
    const withoutVouched = { ...base, pairs, ...leading }
    if (scoreOf(withoutVouched) === document.score) return withoutVouched
    return { ...withoutVouched, vouched: this.#vouching.explain(document) }
  }
}

function looksAtTitles({ sort, titleField, fieldWeights }: SearchPlan): boolean {
  const key = sort[0]
  const isByTextMatch = key === undefined || (key.kind === 'textMatch' && key.descending)
  return isByTextMatch && titleField >= 0 && fieldWeights[titleField]! > 0
}

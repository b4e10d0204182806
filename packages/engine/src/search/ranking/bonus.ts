import { scoreOf, type ScoreExplanation } from '../../query/explanation.ts'
import type { SearchPlan } from '../../query/plan.ts'
import { boostedPoints, TIER_STEP } from '../../scoring/formula.ts'
import { VOUCHING_CANDIDATES_MAX } from '../../scoring/vouching.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { Boosts } from './boosts.ts'
import { LeadingWords } from './leading-words.ts'
import { lowerTierMax, wordInTitle, type WordBonus } from './lower-tier-bonus.ts'
import { PairBonus, type RankedDocument } from './pair-bonus.ts'
import { mostPointsOf, Vouching, type VouchedSlot } from './vouching.ts'

const NOTHING: readonly VouchedSlot[] = []

/** The points that the best documents earn by their titles, in a second pass. */
export class Bonus {
  readonly #boosts: Boosts
  readonly #pairs: PairBonus
  readonly #leading: LeadingWords
  readonly #vouching: Vouching
  /** The most that a document of the lower tier can earn, in points. */
  readonly #lowerMax: number
  /** The same, of a document that is too far down for vouching. */
  readonly #lowerMaxUnvouched: number

  constructor(run: SearchRun, slots: readonly ResolvedSlot[], boosts: Boosts) {
    const counted = looksAtTitles(run.plan) ? slots : []
    this.#boosts = boosts
    this.#pairs = new PairBonus(run, counted)
    this.#leading = new LeadingWords(run, counted)
    this.#vouching = new Vouching(run, counted)
    const words = this.isEmpty ? [] : this.#wordsOf(counted)
    this.#lowerMax = lowerTierMax(words, true)
    this.#lowerMaxUnvouched = lowerTierMax(words, false)
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
    return boostedPoints(this.#pointsMaxOf(score, rank), this.#boosts.factorMax)
  }

  #pointsMaxOf(score: number, rank: number): number {
    if (score >= TIER_STEP) return this.#pairs.max + this.#leading.max
    return rank < VOUCHING_CANDIDATES_MAX ? this.#lowerMax : this.#lowerMaxUnvouched
  }

  #wordsOf(slots: readonly ResolvedSlot[]): WordBonus[] {
    return slots.map((slot, i) => ({
      pair: this.#pairs.pointsFrom(i),
      leading: this.#leading.maxFor(slot),
      vouched: this.#vouching.maxFor(slot),
      isSignificant: slot.known && !slot.slot.stopword,
      ...wordInTitle(slot),
    }))
  }

  /**
   * @param rank of the document without a bonus, from 0
   * @param scoreMin a document that stays below this may be left without its bonus
   */
  of(document: RankedDocument, rank: number, scoreMin: number): number {
    const { score } = document
    const isLower = score < TIER_STEP
    const pointsMin = this.#boosts.isEmpty ? scoreMin - score : -Infinity
    const leading = this.#leading.of(document)
    const isVouchedFor = isLower && rank < VOUCHING_CANDIDATES_MAX
    const lacking = isVouchedFor ? this.#vouching.lackedBy(document) : NOTHING
    const pairsMin = pointsMin - leading - mostPointsOf(lacking)
    const pairsMax = isLower ? this.#lowerMaxUnvouched : this.#pairs.max
    const others = leading + this.#pairs.of(document, pairsMin, pairsMax)
    const vouched = this.#vouching.of(lacking, document, pointsMin - others)
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

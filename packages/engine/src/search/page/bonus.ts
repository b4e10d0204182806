import { scoreOf, type ScoreExplanation } from '../../query/explanation.ts'
import type { SearchPlan } from '../../query/plan.ts'
import { boostedPoints, TIER_STEP } from '../../scoring/formula.ts'
import { VOUCHING_CANDIDATES_MAX } from '../../scoring/vouching.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { Boosts } from '../model/boosts.ts'
import { LeadingWords } from './leading-words.ts'
import { lowerTierMax, wordInTitle, type WordBonus } from './lower-tier-bonus.ts'
import { PairBonus, type RankedDocument } from './pair-bonus.ts'
import { mostPointsOf, Vouching, type VouchedSlot } from './vouching.ts'

const NOTHING: readonly VouchedSlot[] = []

/** The points of the best documents for their titles, in a second pass. */
export class Bonus {
  readonly #boosts: Boosts
  readonly #pairs: PairBonus
  readonly #leading: LeadingWords
  readonly #vouching: Vouching
  /** Maximum bonus of a document of the lower tier, in points. */
  readonly #lowerMax: number
  /** The same for a document too far down for vouching. */
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

  /** Whether no document can earn anything. */
  get isEmpty(): boolean {
    return this.#pairs.isEmpty && this.#leading.isEmpty && this.#vouching.isEmpty
  }

  /** Whether no document of the lower tier can move to a page that is full of the upper tier. */
  get isUpperTierOnly(): boolean {
    return this.#pairs.isUpperTierOnly && this.#leading.isEmpty
  }

  /** Whether documents of the lower tier can earn anything besides pairs. */
  get lifts(): boolean {
    return !this.#vouching.isEmpty || !this.#leading.isEmpty
  }

  /** Maximum bonus of a document with this score. @param rank as for `of` */
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
   * @param scoreMin a document below this even with its bonus may be left without it
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
   * @returns `base` with the parts that complete the score; titles vouch only for some of the best
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

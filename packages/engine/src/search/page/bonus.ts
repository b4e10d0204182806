import type { ScoreExplanation } from '../../query/explanation.ts'
import type { SearchPlan } from '../../query/plan.ts'
import { isByScore } from '../../query/sort-order.ts'
import {
  boostedPoints,
  countedMin,
  PURPOSE_FACTOR,
  purposeLoss,
  TIER_STEP,
} from '../../scoring/formula.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { Boosts } from '../model/boosts.ts'
import { LeadingWords } from './leading-words.ts'
import { PairBonus } from './pair-bonus.ts'
import { PurposeTitles } from './purpose-titles.ts'
import type { RankedDocument, Rescorer } from './rescorer.ts'
import { Titles } from './segment-titles.ts'
import { TitleMarks } from './title-marks.ts'

/**
 * The rescorers that can earn points for a query, the most selective first: later ones look only
 * at documents that the points so far leave in reach of the page.
 */
function rescorersFor(
  run: SearchRun,
  slots: readonly ResolvedSlot[],
  titles: Titles,
  marks: TitleMarks,
): Rescorer[] {
  const all = [new PairBonus(run, slots, titles), new LeadingWords(run, slots, titles, marks)]
  return all.filter(({ max }) => max > 0)
}

function looksAtTitles({ sort, titleField, fieldWeights }: SearchPlan): boolean {
  return isByScore(sort[0]) && titleField >= 0 && fieldWeights[titleField]! > 0
}

/**
 * What the best documents earn for their titles, in a second pass: the points of all rescorers,
 * less what a title loses that is for what is sought.
 */
export class Bonus {
  readonly #boosts: Boosts
  readonly #rescorers: readonly Rescorer[]
  /** Undefined: no title loses anything. */
  readonly #purpose: PurposeTitles | undefined
  /** Maximum points of a document of the upper tier. */
  readonly #upperMax: number
  /** The same for the lower tier. */
  readonly #lowerMax: number

  constructor(run: SearchRun, slots: readonly ResolvedSlot[], boosts: Boosts) {
    this.#boosts = boosts
    const looksAt = looksAtTitles(run.plan)
    const titles = new Titles(run.view, run.plan.titleField)
    const marks = new TitleMarks(run.view, run.plan, titles)
    const purpose = looksAt ? new PurposeTitles(run, slots, titles, marks) : undefined
    this.#rescorers = looksAt ? rescorersFor(run, slots, titles, marks) : []
    this.#purpose = purpose?.isEmpty === false ? purpose : undefined
    this.#upperMax = this.#sum(({ max }) => max)
    this.#lowerMax = this.#rescorers.length === 0 ? 0 : this.#lowerTierMax(slots)
  }

  /** Whether no document can earn or lose anything. */
  get isEmpty(): boolean {
    return this.#rescorers.length === 0 && this.#purpose === undefined
  }

  /** Whether only documents of the upper tier can earn or lose anything. */
  get isUpperTierOnly(): boolean {
    return this.#lowerMax === 0
  }

  /** Maximum bonus of a document with this score. */
  maxOf(score: number): number {
    return boostedPoints(this.#pointsMaxOf(score), this.#boosts.factorMax)
  }

  /** Whether one of these documents loses points. */
  hasLosses(documents: readonly RankedDocument[]): boolean {
    return this.#purpose !== undefined && documents.some((one) => this.#isForQuery(one))
  }

  /** @param document with its score before the second pass */
  lossOf(document: RankedDocument): number {
    return this.#isForQuery(document) ? purposeLoss(document.score) : 0
  }

  #isForQuery(document: RankedDocument): boolean {
    return document.score >= TIER_STEP && this.#purpose?.has(document) === true
  }

  /** @param scoreMin a document below this even with its bonus may be left without it */
  of(document: RankedDocument, scoreMin: number): number {
    const { score, segmentIndex, docOrd } = document
    if (this.#pointsMaxOf(score) === 0) return 0
    const pointsMin = this.#boosts.isEmpty ? scoreMin - score : -Infinity
    let points = 0
    let rest = this.#upperMax
    for (const rescorer of this.#rescorers) {
      rest -= rescorer.max
      points += rescorer.of(document, pointsMin - points - rest)
    }
    if (points === 0) return 0
    return boostedPoints(points, this.#boosts.factorOf(segmentIndex, docOrd))
  }

  /** @returns `base` with what completes the score */
  explain(document: RankedDocument, base: ScoreExplanation): ScoreExplanation {
    const earned = this.#rescorers.reduce(
      (explained, rescorer) => ({ ...explained, ...rescorer.explain(document) }),
      base,
    )
    const isPurpose = base.tier > 0 && this.#purpose?.has(document) === true
    return isPurpose ? { ...earned, purpose: { factor: PURPOSE_FACTOR } } : earned
  }

  #pointsMaxOf(score: number): number {
    return score >= TIER_STEP ? this.#upperMax : this.#lowerMax
  }

  /** Documents of the lower tier lack a significant word. The best of them lacks only one. */
  #lowerTierMax(slots: readonly ResolvedSlot[]): number {
    let most = 0
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!
      if (!slot.known || slot.slot.stopword) continue
      if (!countsInTitle(slot)) return this.#upperMax
      most = Math.max(
        most,
        this.#sum((rescorer) => rescorer.maxWithout(i)),
      )
    }
    return most
  }

  #sum(points: (rescorer: Rescorer) => number): number {
    let sum = 0
    for (const rescorer of this.#rescorers) sum += points(rescorer)
    return sum
  }
}

/** Cached with the word, because a prefix has hundreds of groups. */
const counting = new WeakMap<ResolvedSlot, boolean>()

/**
 * Whether a document has a word, for its tier, if its title has any token that can earn points for
 * the word: all of these are good enough alternatives.
 */
function countsInTitle(slot: ResolvedSlot): boolean {
  let counts = counting.get(slot)
  if (counts === undefined) {
    const { groups, bonusGroups, hasNeighbours } = slot
    const least = countedMin(hasNeighbours)
    counts = groups.every(
      ({ group, quality, isWhole, isStrong }) =>
        (isWhole && (isStrong || leastOf(quality) >= least)) || !bonusGroups.includes(group),
    )
    counting.set(slot, counts)
  }
  return counts
}

/** The lowest quality of the matching forms. */
function leastOf(quality: Float64Array | number): number {
  if (typeof quality === 'number') return quality
  let least = Infinity
  for (const q of quality) if (q > 0 && q < least) least = q
  return least
}

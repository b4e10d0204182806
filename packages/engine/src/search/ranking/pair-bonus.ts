import type { PairExplanation } from '../../query/explanation.ts'
import { pairPoints, TIER_STEP } from '../../scoring/formula.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { standSideBySide } from '../words/side-by-side.ts'
import { ListMemo, titlePostings } from './title-postings.ts'

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
  readonly #view: IndexView
  readonly #pairs: readonly BonusPair[]
  readonly #titleField: number
  readonly #lists: ListMemo
  /** The most that a document can earn. */
  readonly max: number
  /** Both words of the only pair are significant: a document with both is in the upper tier. */
  readonly #upperTierOnly: boolean

  /** @param slots none when no title can earn anything */
  constructor({ view, plan }: SearchRun, slots: readonly ResolvedSlot[]) {
    this.#view = view
    this.#pairs = bonusPairs(slots)
    this.#titleField = plan.titleField
    this.#lists = new ListMemo(view)
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

  of(document: RankedDocument): number {
    if (this.#upperTierOnly && document.score < TIER_STEP) return 0
    const segment = this.#view.segments[document.segmentIndex]!
    let points = 0
    for (const pair of this.#pairs) {
      if (hasPair(this.#lists, segment, document, pair, this.#titleField)) points += pair.points
    }
    return points
  }

  /** The same, pair by pair. */
  explain(document: RankedDocument): PairExplanation[] {
    const segment = this.#view.segments[document.segmentIndex]!
    return this.#pairs
      .filter((pair) => hasPair(this.#lists, segment, document, pair, this.#titleField))
      .map(describe)
  }
}

/** @returns the words of a pair, and its points */
function describe({ left, right, points }: BonusPair): PairExplanation {
  return { left: left.slot.form, right: right.slot.form, points }
}

function hasPair(
  lists: ListMemo,
  segment: SegmentView,
  { segmentIndex, docOrd }: RankedDocument,
  { left, right }: BonusPair,
  titleField: number,
): boolean {
  const { reader } = segment
  const title = reader.textFields.indexOf(titleField)
  if (title < 0) return false
  const leftPostings = titlePostings(lists.of(segmentIndex, left), segment, docOrd, title)
  if (leftPostings.length === 0) return false
  const rightPostings = titlePostings(lists.of(segmentIndex, right), segment, docOrd, title)
  return leftPostings.some((a) =>
    rightPostings.some((b) => standSideBySide(reader, a, b, (field) => field === title)),
  )
}

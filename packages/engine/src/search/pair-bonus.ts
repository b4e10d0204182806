import type { SearchPlan } from '../query/plan.ts'
import { PAIR_CANDIDATES_MAX, pairPoints } from '../scoring/formula.ts'
import type { IndexView, SegmentView } from './index-view.ts'
import type { ResolvedSlot } from './resolved-slot.ts'
import { standSideBySide } from './side-by-side.ts'

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

/** The pairs of a plan; empty when the bonus does not apply. */
export function bonusPairs(plan: SearchPlan, slots: readonly ResolvedSlot[]): BonusPair[] {
  const firstKey = plan.sort[0]
  const isByTextMatch =
    firstKey === undefined || (firstKey.kind === 'textMatch' && firstKey.descending)
  if (!isByTextMatch || plan.titleField < 0 || !(plan.fieldWeights[plan.titleField]! > 0)) return []
  const pairs: BonusPair[] = []
  for (let i = 0; i + 1 < slots.length; i++) {
    const left = slots[i]!
    const right = slots[i + 1]!
    if (!left.known || !right.known) continue
    pairs.push({ left, right, points: pairPoints(left.weight, right.weight) })
  }
  return pairs
}

/** Raises the best documents for query words that stand side by side in the title; others stay in order. */
export function addPairBonus(
  view: IndexView,
  plan: SearchPlan,
  pairs: readonly BonusPair[],
  ranked: readonly RankedDocument[],
): RankedDocument[] {
  if (pairs.length === 0) return [...ranked]
  const lists = new ListMemo(view)
  const raised = ranked.slice(0, PAIR_CANDIDATES_MAX).map((document) => {
    let { score } = document
    for (const pair of pairs) {
      if (hasPair(lists, view.segments[document.segmentIndex]!, document, pair, plan.titleField)) {
        score += pair.points
      }
    }
    return score === document.score ? document : { ...document, score }
  })
  raised.sort((a, b) => b.score - a.score)
  return [...raised, ...ranked.slice(PAIR_CANDIDATES_MAX)]
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

/** Postings of a document in these lists that say something about the title. */
function titlePostings(
  lists: readonly number[],
  { reader }: SegmentView,
  docOrd: number,
  title: number,
): number[] {
  const width = reader.textFields.length
  const postings: number[] = []
  for (const list of lists) {
    const posting = reader.postingOf(list, docOrd)
    if (posting >= 0 && reader.impacts[reader.codes[posting]! * width + title] !== 0) {
      postings.push(posting)
    }
  }
  return postings
}

/** Lists of the groups of a slot, looked up once per segment. */
class ListMemo {
  readonly #view: IndexView
  readonly #lists = new Map<ResolvedSlot, number[][]>()

  constructor(view: IndexView) {
    this.#view = view
  }

  of(segmentIndex: number, slot: ResolvedSlot): readonly number[] {
    let bySegment = this.#lists.get(slot)
    if (bySegment === undefined) {
      bySegment = []
      this.#lists.set(slot, bySegment)
    }
    const { reader } = this.#view.segments[segmentIndex]!
    return (bySegment[segmentIndex] ??= slot.bonusGroups
      .map((group) => reader.listOf(group))
      .filter((list) => list >= 0))
  }
}

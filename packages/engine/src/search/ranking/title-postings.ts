import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'

/**
 * The postings of a document in these lists whose word is in the title.
 * @param title index of its text field
 */
export function titlePostings(
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

/** Posting lists of the groups whose tokens count in the title, looked up once per segment. */
export class ListMemo {
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

import type { LeadingExplanation } from '../../query/explanation.ts'
import { leadingPoints } from '../../scoring/formula.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { RankedDocument } from './pair-bonus.ts'
import { ListMemo, titlePostings } from './title-postings.ts'

/**
 * "Accessories" in docs/ranking.md: the points that documents earn for words in front of what their
 * title says they are for.
 */
export class LeadingWords {
  readonly #view: IndexView
  readonly #titleField: number
  readonly #slots: readonly ResolvedSlot[]
  readonly #lists: ListMemo
  /** The forms that end the part of a title that leads. */
  readonly #marks: readonly number[]
  /** The most that a document can earn. */
  readonly max: number

  /** @param slots none when no title can earn anything */
  constructor({ view, plan }: SearchRun, slots: readonly ResolvedSlot[]) {
    const { accessoryMarks = [], titleField } = plan
    this.#view = view
    this.#titleField = titleField
    this.#lists = new ListMemo(view)
    this.#marks = accessoryMarks
      .map((mark) => view.terms.find(mark))
      .filter((form) => form >= 0 && view.terms.formDocFreq(form) > 0)
    const hasMarks = accessoryMarks.length > 0
    this.#slots = hasMarks ? slots.filter(({ known, slot }) => known && !slot.stopword) : []
    this.max = this.#slots.reduce((sum, { weight }) => sum + leadingPoints(weight), 0)
  }

  get isEmpty(): boolean {
    return this.#slots.length === 0
  }

  of(document: RankedDocument): number {
    if (this.isEmpty) return 0
    return this.#leading(document).reduce((sum, { weight }) => sum + leadingPoints(weight), 0)
  }

  /** The same, word by word. */
  explain(document: RankedDocument): LeadingExplanation[] {
    return this.#leading(document).map(({ slot, weight }) => {
      return { form: slot.form, points: leadingPoints(weight) }
    })
  }

  #leading(document: RankedDocument): readonly ResolvedSlot[] {
    const segment = this.#view.segments[document.segmentIndex]!
    const title = segment.reader.textFields.indexOf(this.#titleField)
    if (title < 0) return []
    const end = this.#firstMark(document, segment, title)
    return this.#slots.filter((slot) => {
      const lists = this.#lists.of(document.segmentIndex, slot)
      const postings = titlePostings(lists, segment, document.docOrd, title)
      // Most titles have no mark: there the place of a word makes no difference.
      if (end === Infinity) return postings.length > 0
      return postings.some((posting) =>
        segment.reader
          .occurrencesOf(posting)
          .some(({ textField, position }) => textField === title && position < end),
      )
    })
  }

  /** Infinity in a title without marks. */
  #firstMark({ docOrd }: RankedDocument, segment: SegmentView, title: number): number {
    const { terms } = this.#view
    const { reader } = segment
    let first = Infinity
    for (const mark of this.#marks) {
      const list = reader.listOf(terms.groupOf(mark))
      if (list < 0) continue
      const number = terms.numberOf(mark)
      for (const posting of titlePostings([list], segment, docOrd, title)) {
        if ((reader.formMask(list, posting) & (1 << number)) === 0) continue
        for (const { textField, position, form } of reader.occurrencesOf(posting)) {
          if (textField !== title || (form >= 0 && form !== number)) continue
          first = Math.min(first, position)
        }
      }
    }
    return first
  }
}

import type { LeadingExplanation } from '../../query/explanation.ts'
import { leadingPoints } from '../../scoring/formula.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { RankedDocument } from './pair-bonus.ts'
import { Titles, type SegmentTitles } from './segment-titles.ts'

/**
 * "Accessories" in docs/ranking.md: points for words before the part of a title that says what the
 * product is for.
 */
export class LeadingWords {
  readonly #view: IndexView
  readonly #slots: readonly ResolvedSlot[]
  readonly #titles: Titles
  /** The forms that end the leading part of a title. */
  readonly #marks: readonly number[]
  /** Maximum points of a document. */
  readonly max: number

  /** @param slots empty if no title can earn anything */
  constructor({ view, plan }: SearchRun, slots: readonly ResolvedSlot[]) {
    const { accessoryMarks = [], titleField } = plan
    this.#view = view
    this.#titles = new Titles(view, titleField)
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

  /** Maximum points of a word. */
  maxFor(slot: ResolvedSlot): number {
    return this.#slots.includes(slot) ? leadingPoints(slot.weight) : 0
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

  #leading({ segmentIndex, docOrd }: RankedDocument): readonly ResolvedSlot[] {
    const titles = this.#titles.in(segmentIndex)
    // Most titles have no mark, which makes the place of a word irrelevant.
    const end = this.#firstMark(titles, docOrd)
    return this.#slots.filter((slot) => titles.wordOf(slot).standsBefore(end, docOrd))
  }

  /** Position of the first mark; Infinity in a title without marks. */
  #firstMark(titles: SegmentTitles, docOrd: number): number {
    const { terms } = this.#view
    let first = Infinity
    for (const mark of this.#marks) {
      const formMask = 1 << terms.numberOf(mark)
      const place = titles.firstPlaceOf(terms.groupOf(mark), docOrd, formMask)
      if (place >= 0) first = Math.min(first, place)
    }
    return first
  }
}

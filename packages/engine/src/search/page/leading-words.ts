import type { ScoreExplanation } from '../../query/explanation.ts'
import { leadingPoints } from '../../scoring/formula.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { RankedDocument, Rescorer } from './rescorer.ts'
import { Titles, type SegmentTitles } from './segment-titles.ts'

/** A query term that can lead, by the number of its slot, and its points. */
interface Word {
  readonly number: number
  readonly slot: ResolvedSlot
  readonly points: number
}

/**
 * "Accessories" in docs/ranking.md: points for words before the part of a title that says what the
 * product is for.
 */
export class LeadingWords implements Rescorer {
  readonly #view: IndexView
  readonly #words: readonly Word[]
  readonly #titles: Titles
  /** The forms that end the leading part of a title. */
  readonly #marks: readonly number[]
  readonly max: number

  constructor({ view, plan }: SearchRun, slots: readonly ResolvedSlot[]) {
    const { accessoryMarks = [], titleField } = plan
    this.#view = view
    this.#titles = new Titles(view, titleField)
    this.#marks = accessoryMarks
      .map((mark) => view.terms.find(mark))
      .filter((form) => form >= 0 && view.terms.formDocFreq(form) > 0)
    const hasMarks = accessoryMarks.length > 0
    this.#words = hasMarks ? wordsOf(slots) : []
    this.max = sumOf(this.#words)
  }

  maxWithout(slotNumber: number): number {
    return sumOf(this.#words.filter(({ number }) => number !== slotNumber))
  }

  of(document: RankedDocument, pointsMin: number): number {
    return this.max < pointsMin ? 0 : sumOf(this.#leading(document))
  }

  explain(document: RankedDocument): Pick<ScoreExplanation, 'leading'> {
    const leading = this.#leading(document).map(({ slot: { slot }, points }) => {
      return { form: slot.form, points }
    })
    return { leading }
  }

  #leading({ segmentIndex, docOrd }: RankedDocument): readonly Word[] {
    const titles = this.#titles.in(segmentIndex)
    // Most titles have no mark, which makes the place of a word irrelevant.
    const end = this.#firstMark(titles, docOrd)
    return this.#words.filter(({ slot }) => titles.wordOf(slot).standsBefore(end, docOrd))
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

function wordsOf(slots: readonly ResolvedSlot[]): Word[] {
  return slots.flatMap((slot, number) => {
    if (!slot.known || slot.slot.stopword) return []
    return [{ number, slot, points: leadingPoints(slot.weight) }]
  })
}

function sumOf(words: readonly Word[]): number {
  return words.reduce((sum, { points }) => sum + points, 0)
}

import type { ScoreExplanation } from '../../query/explanation.ts'
import { ranksLeading } from '../../query/once-field.ts'
import { leadingPoints } from '../../scoring/formula.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { RankedDocument, Rescorer } from './rescorer.ts'
import type { Titles } from './segment-titles.ts'
import type { TitleMarks } from './title-marks.ts'

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
  readonly #words: readonly Word[]
  readonly #titles: Titles
  /** The forms that end the leading part of a title. */
  readonly #marks: TitleMarks
  readonly max: number

  constructor(
    { plan }: SearchRun,
    slots: readonly ResolvedSlot[],
    titles: Titles,
    marks: TitleMarks,
  ) {
    this.#titles = titles
    this.#marks = marks
    this.#words = ranksLeading(plan) ? wordsOf(slots) : []
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
    const end = Math.min(...this.#marks.placesIn(segmentIndex, docOrd))
    return this.#words.filter(({ slot }) => titles.wordOf(slot).standsBefore(end, docOrd))
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

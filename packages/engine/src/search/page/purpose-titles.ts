import { ranksBy } from '../../query/ranking-parts.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import type { RankedDocument } from './rescorer.ts'
import type { Titles, TitleWord } from './segment-titles.ts'
import type { TitleMarks } from './title-marks.ts'

/**
 * "Purpose" in docs/ranking.md: titles that say that the product is for what is sought, as "case
 * for iphone" does in a search for "iphone".
 */
export class PurposeTitles {
  readonly #titles: Titles
  readonly #marks: TitleMarks
  /** The words that follow a mark. */
  readonly #slots: readonly ResolvedSlot[]
  /** The same by segment, computed on demand. */
  readonly #bySegment: (readonly TitleWord[] | undefined)[] = []
  /** Whether no title can be one. */
  readonly isEmpty: boolean

  constructor(
    { plan }: SearchRun,
    slots: readonly ResolvedSlot[],
    titles: Titles,
    marks: TitleMarks,
  ) {
    this.#titles = titles
    this.#marks = marks
    this.#slots = slots.filter(({ known, slot }) => known && !slot.stopword)
    this.isEmpty = marks.isEmpty || this.#slots.length === 0 || !ranksBy(plan, 'purpose')
  }

  has({ segmentIndex, docOrd }: RankedDocument): boolean {
    for (const place of this.#marks.placesIn(segmentIndex, docOrd)) {
      if (this.#follow(place, segmentIndex, docOrd)) return true
    }
    return false
  }

  /** Whether all words directly follow a place. */
  #follow(place: number, segmentIndex: number, docOrd: number): boolean {
    const words = (this.#bySegment[segmentIndex] ??= this.#slots.map((slot) =>
      this.#titles.in(segmentIndex).wordOf(slot),
    ))
    const last = place + words.length
    for (const word of words) if (!word.standsWithin(place + 1, last, docOrd)) return false
    return true
  }
}

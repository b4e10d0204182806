import { NOWHERE, tiesByPlace } from '../../query/tie-by-place.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { RankedDocument } from './pair-bonus.ts'
import { titlePostings } from './title-postings.ts'

/** How early the words of a query stand in titles: "Earlier words" in docs/ranking.md. */
export class TitlePlaces {
  readonly #view: IndexView
  readonly #titleField: number
  /** Stem groups of the words. */
  readonly #groups: readonly number[]
  readonly #sums = new Map<RankedDocument, number>()

  private constructor({ view, plan }: SearchRun) {
    this.#view = view
    this.#titleField = plan.titleField
    this.#groups = plan.slots
      .filter(({ stopword }) => !stopword)
      .map(({ stem }) => view.terms.find(stem))
  }

  /** @returns undefined when the order of the plan does not use them */
  static for(run: SearchRun): TitlePlaces | undefined {
    return tiesByPlace(run.plan) ? new TitlePlaces(run) : undefined
  }

  /**
   * The sum of the words' places: the smaller, the earlier. Cached, because sorting asks
   * repeatedly.
   */
  sumOf(document: RankedDocument): number {
    let sum = this.#sums.get(document)
    if (sum === undefined) {
      sum = this.#sumOver(document)
      this.#sums.set(document, sum)
    }
    return sum
  }

  #sumOver(document: RankedDocument): number {
    let sum = 0
    for (const group of this.#groups) {
      const place = group < 0 ? -1 : this.#placeOf(group, document)
      if (place < 0) return NOWHERE
      sum += place
    }
    return sum
  }

  /** @returns -1 when the title does not have the word */

  #placeOf(group: number, { segmentIndex, docOrd }: RankedDocument): number {
    const segment = this.#view.segments[segmentIndex]!
    const { reader } = segment
    const title = reader.textFields.indexOf(this.#titleField)
    const list = reader.listOf(group)
    let first = -1
    if (title < 0 || list < 0) return first
    for (const posting of titlePostings([list], segment, docOrd, title)) {
      for (const { textField, position } of reader.occurrencesOf(posting)) {
        if (textField === title && (first < 0 || position < first)) first = position
      }
    }
    return first
  }
}

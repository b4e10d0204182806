import { NOWHERE, tiesByPlace } from '../../query/tie-by-place.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { RankedDocument } from './rescorer.ts'
import { Titles } from './segment-titles.ts'

/** How early query terms appear in titles: "Earlier words" in docs/ranking.md. */
export class TitlePlaces {
  readonly #titles: Titles
  /** Stem groups of the words. */
  readonly #groups: readonly number[]
  readonly #sums = new Map<RankedDocument, number>()

  private constructor({ view, plan }: SearchRun) {
    this.#titles = new Titles(view, plan.titleField)
    this.#groups = plan.slots
      .filter(({ stopword }) => !stopword)
      .map(({ stem }) => view.terms.find(stem))
  }

  /** @returns undefined if the order of the plan does not use them */
  static for(run: SearchRun): TitlePlaces | undefined {
    return tiesByPlace(run.plan) ? new TitlePlaces(run) : undefined
  }

  /** The sum of the words' places: lower is earlier. Cached, because sorting asks repeatedly. */
  sumOf(document: RankedDocument): number {
    let sum = this.#sums.get(document)
    if (sum === undefined) {
      sum = this.#sumOver(document)
      this.#sums.set(document, sum)
    }
    return sum
  }

  #sumOver({ segmentIndex, docOrd }: RankedDocument): number {
    const titles = this.#titles.in(segmentIndex)
    let sum = 0
    for (const group of this.#groups) {
      const place = group < 0 ? -1 : titles.firstPlaceOf(group, docOrd)
      if (place < 0) return NOWHERE
      sum += place
    }
    return sum
  }
}

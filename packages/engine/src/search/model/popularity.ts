import type { PopularityExplanation } from '../../query/explanation.ts'
import type { PlannedPopularity } from '../../query/popularity.ts'
import { popularityFactor, POPULARITY_DOCUMENT_SHARE } from '../../scoring/formula.ts'
import type { IndexView } from '../view/index-view.ts'

/** "Popularity" in docs/ranking.md: levels by segment, and the factors on points. */
export class Popularity {
  readonly #view: IndexView
  readonly #planned: PlannedPopularity
  /** By segment, computed on demand: the appeal of its documents for this query, by docOrd. */
  readonly #appeal: (ReadonlyMap<number, number> | undefined)[] = []
  /** Factors by level, for documents without appeal. */
  readonly #factors: Float64Array

  constructor(view: IndexView, planned: PlannedPopularity) {
    this.#view = view
    this.#planned = planned
    const { weight, documents } = planned
    this.#factors = new Float64Array(weight === 0 ? 0 : documents.levelMax + 1)
    for (let level = 0; level < this.#factors.length; level++) {
      this.#factors[level] = popularityFactor(weight, level, documents.levelMax, 0)
    }
  }

  /** Whether it multiplies points; otherwise only sort keys use it. */
  get isInScore(): boolean {
    return this.#planned.weight > 0
  }

  /** Maximum factor of any document. */
  get factorMax(): number {
    const { weight, appeal } = this.#planned
    return 1 + weight * (appeal.size === 0 ? POPULARITY_DOCUMENT_SHARE : 1)
  }

  /** Levels of the documents of a segment, by docOrd; 0 for those without any. Do not modify. */
  levels(segmentIndex: number): Uint16Array {
    return this.#view.segments[segmentIndex]!.popularityLevels(this.#planned.documents)
  }

  factors(segmentIndex: number): (docOrd: number) => number {
    const { weight, documents } = this.#planned
    const levels = this.levels(segmentIndex)
    const appeal = this.#appealIn(segmentIndex)
    const byLevel = this.#factors
    if (appeal.size === 0) return (docOrd) => byLevel[levels[docOrd]!]!
    return (docOrd) => {
      const level = levels[docOrd]!
      const own = level === 0 ? undefined : appeal.get(docOrd)
      return own === undefined
        ? byLevel[level]!
        : popularityFactor(weight, level, documents.levelMax, own)
    }
  }

  explain(segmentIndex: number, docOrd: number): PopularityExplanation {
    const level = this.levels(segmentIndex)[docOrd]!
    const appeal = level === 0 ? 0 : (this.#appealIn(segmentIndex).get(docOrd) ?? 0)
    return { factor: this.factors(segmentIndex)(docOrd), level, appeal }
  }

  #appealIn(segmentIndex: number): ReadonlyMap<number, number> {
    const known = this.#appeal[segmentIndex]
    if (known !== undefined) return known
    const { reader } = this.#view.segments[segmentIndex]!
    const own = new Map<number, number>()
    for (const [docKey, appeal] of this.#planned.appeal) {
      const docOrd = reader.docOrdOf(docKey)
      if (docOrd >= 0) own.set(docOrd, appeal)
    }
    return (this.#appeal[segmentIndex] = own)
  }
}

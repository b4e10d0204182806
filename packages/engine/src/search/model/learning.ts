import type { LearningExplanation } from '../../query/explanation.ts'
import type { LearnedDocument, PlannedLearning } from '../../query/learning.ts'
import { learnedFactor } from '../../scoring/learned-factor.ts'
import type { IndexView } from '../view/index-view.ts'

/** "Learning" in docs/ranking.md: the factors on points, by segment. */
export class Learning {
  readonly #view: IndexView
  readonly #planned: PlannedLearning
  /** By segment, computed on demand: what was learned about its documents, by docOrd. */
  readonly #documents: (ReadonlyMap<number, LearnedDocument> | undefined)[] = []
  /** Maximum factor of any document. */
  readonly factorMax: number

  constructor(view: IndexView, planned: PlannedLearning) {
    this.#view = view
    this.#planned = planned
    const lifts = Array.from(planned.documents.values(), ({ lift }) => lift)
    this.factorMax = learnedFactor(planned.limit, Math.max(0, ...lifts))
  }

  factors(segmentIndex: number): (docOrd: number) => number {
    const documents = this.#documentsIn(segmentIndex)
    if (documents.size === 0) return alwaysOne
    const { limit } = this.#planned
    return (docOrd) => learnedFactor(limit, documents.get(docOrd)?.lift ?? 0)
  }

  explain(segmentIndex: number, docOrd: number): LearningExplanation {
    const learned = this.#documentsIn(segmentIndex).get(docOrd)
    const { lift = 0, clicks = 0, expected = 0 } = learned ?? {}
    return { factor: learnedFactor(this.#planned.limit, lift), lift, clicks, expected }
  }

  #documentsIn(segmentIndex: number): ReadonlyMap<number, LearnedDocument> {
    const known = this.#documents[segmentIndex]
    if (known !== undefined) return known
    const { reader } = this.#view.segments[segmentIndex]!
    const own = new Map<number, LearnedDocument>()
    for (const [docKey, learned] of this.#planned.documents) {
      const docOrd = reader.docOrdOf(docKey)
      if (docOrd >= 0) own.set(docOrd, learned)
    }
    return (this.#documents[segmentIndex] = own)
  }
}

const alwaysOne = (): number => 1

import type { SearchPlan } from '../../query/plan.ts'
import { evidence, saturate } from '../../scoring/formula.ts'
import type { EvidenceTable, IndexView, SegmentView } from './index-view.ts'

/**
 * Turns the impact codes of a segment into evidence under the field weights of a plan. A table is
 * built once per segment and set of weights. The average lengths it depends on move in steps
 * (`averageLength`), so most writes do not invalidate it.
 */
export class EvidenceTables {
  readonly #view: IndexView
  readonly #plan: SearchPlan
  /** Tables with equal keys are equal. */
  readonly key: string

  constructor(view: IndexView, plan: SearchPlan) {
    this.#view = view
    this.#plan = plan
    const used = plan.fieldWeights.map((weight, field) =>
      weight === 0 ? 0 : [weight, plan.lengthNorms[field], view.averageLengths[field]],
    )
    this.key = used.join(';')
  }

  of(segment: SegmentView): EvidenceTable {
    return segment.evidenceTables.get(this.key) ?? segment.keepTable(this.key, this.#make(segment))
  }

  #make({ reader }: SegmentView): EvidenceTable {
    const { fieldWeights, lengthNorms } = this.#plan
    const fields = reader.textFields
    const weights = fields.map((field) => fieldWeights[field] ?? 0)
    const norms = fields.map((field) => lengthNorms[field] ?? 0)
    const averages = fields.map((field) => this.#view.averageLengths[field] ?? 1)
    const totals = new Float32Array(reader.impactCount)
    const saturated = new Float32Array(reader.impactCount)
    let isAllSearched = true
    for (let code = 0; code < reader.impactCount; code++) {
      const total = evidence(reader.impacts, code * fields.length, weights, norms, averages)
      totals[code] = total
      saturated[code] = saturate(total)
      if (total === 0) isAllSearched = false
    }
    return { evidence: totals, saturated, isAllSearched }
  }
}

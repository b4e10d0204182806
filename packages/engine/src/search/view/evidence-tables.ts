import type { SearchPlan } from '../../query/plan.ts'
import { evidence, saturate } from '../../scoring/formula.ts'
import { FilterCache } from './filter-cache.ts'
import type { EvidenceTable, FoundRun, IndexView, SegmentView } from './index-view.ts'

/** Bytes of cached phrases per segment and set of field weights. */
const PHRASES_BYTES = 1024 * 1024
/** Sets of field weights remembered per view. */
const WEIGHTS_MAX = 8

const tablesByView = new WeakMap<IndexView, Map<readonly number[], EvidenceTables>>()

let tablesCount = 0

/** What the evidence depends on, besides the index. */
type Weights = Pick<SearchPlan, 'fieldWeights' | 'lengthNorms'>

/**
 * Turns the impact codes of a segment into evidence under the field weights of a plan. A table is
 * built once per segment and set of weights. The average lengths it depends on move in steps
 * (`averageLength`), so most writes do not invalidate it.
 */
export class EvidenceTables {
  readonly #view: IndexView
  readonly #weights: Weights
  /** Of these tables: no others have it. */
  readonly number = tablesCount++
  #key: string | undefined
  readonly #bySegment = new Map<SegmentView, EvidenceTable>()

  private constructor(view: IndexView, weights: Weights) {
    this.#view = view
    this.#weights = weights
  }

  /** The default weights of a store are the same object for each search; others are made anew. */
  static for(view: IndexView, weights: Weights): EvidenceTables {
    let byWeights = tablesByView.get(view)
    if (byWeights === undefined) tablesByView.set(view, (byWeights = new Map()))
    const known = byWeights.get(weights.fieldWeights)
    if (known !== undefined && known.#weights.lengthNorms === weights.lengthNorms) return known
    const tables = new EvidenceTables(view, weights)
    if (byWeights.size >= WEIGHTS_MAX) byWeights.clear()
    byWeights.set(weights.fieldWeights, tables)
    return tables
  }

  /** Tables with equal keys are equal. */
  get key(): string {
    const { fieldWeights, lengthNorms } = this.#weights
    return (this.#key ??= fieldWeights
      .map((weight, field) =>
        weight === 0 ? 0 : [weight, lengthNorms[field], this.#view.averageLengths[field]],
      )
      .join(';'))
  }

  of(segment: SegmentView): EvidenceTable {
    let table = this.#bySegment.get(segment)
    if (table === undefined) {
      const { key } = this
      table = segment.evidenceTables.get(key) ?? segment.keepTable(key, this.#make(segment))
      this.#bySegment.set(segment, table)
    }
    return table
  }

  #make({ reader }: SegmentView): EvidenceTable {
    const { fieldWeights, lengthNorms } = this.#weights
    const fields = reader.textFields
    const weights = fields.map((field) => fieldWeights[field] ?? 0)
    const norms = fields.map((field) => lengthNorms[field] ?? 0)
    const averages = fields.map((field) => this.#view.averageLengths[field] ?? 1)
    const totals = new Float32Array(reader.impactCount)
    const saturated = new Float32Array(reader.impactCount)
    const searched = Uint8Array.from(weights, (weight) => (weight > 0 ? 1 : 0))
    const searchedCodes = new Uint8Array(reader.impactCount)
    let isAllSearched = true
    for (let code = 0; code < reader.impactCount; code++) {
      const total = evidence(reader.impacts, code * fields.length, weights, norms, averages)
      totals[code] = total
      saturated[code] = saturate(total)
      if (total === 0) isAllSearched = false
      for (let field = 0; field < fields.length; field++) {
        const stands = searched[field] === 1 && reader.impacts[code * fields.length + field] !== 0
        if (stands) searchedCodes[code] = 2
      }
    }
    const phrases = new FilterCache<FoundRun>(PHRASES_BYTES)
    return { evidence: totals, saturated, isAllSearched, fields: searched, searchedCodes, phrases }
  }
}

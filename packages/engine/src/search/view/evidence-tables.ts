import { onceField } from '../../query/once-field.ts'
import type { SearchPlan } from '../../query/plan.ts'
import { evidence, saturate } from '../../scoring/formula.ts'
import { FilterCache } from './filter-cache.ts'
import type { EvidenceTable, FoundRun, IndexView, SegmentView } from './index-view.ts'

/** Bytes of cached phrases per segment and set of field weights. */
const PHRASES_BYTES = 1024 * 1024
/** Sets of field weights kept per view, besides those whose array is still referenced. */
const WEIGHTS_MAX = 8

interface KnownTables {
  readonly byArray: WeakMap<readonly number[], EvidenceTables>
  /** By `key`, because weights in a request are a new array each time. */
  readonly byKey: Map<string, EvidenceTables>
}

const tablesByView = new WeakMap<IndexView, KnownTables>()

let tablesCount = 0

/** What evidence depends on, besides the index. */
type Weights = Pick<SearchPlan, 'fieldWeights' | 'lengthNorms'> &
  Partial<Pick<SearchPlan, 'accessoryMarks' | 'titleField'>>

/**
 * Converts the impact codes of a segment to evidence under the field weights of a plan. Builds a
 * table once per segment and set of weights. The average lengths move in steps (`averageLength`),
 * so most writes do not invalidate a table.
 */
export class EvidenceTables {
  readonly #view: IndexView
  readonly #weights: Weights
  /** Unique number of these tables. */
  readonly number = tablesCount++
  #key: string | undefined
  readonly #bySegment = new Map<SegmentView, EvidenceTable>()

  private constructor(view: IndexView, weights: Weights) {
    this.#view = view
    this.#weights = weights
  }

  /**
   * Equal weights share their tables. The default weights of a store are one array for all
   * searches, which finds them directly.
   */
  static for(view: IndexView, weights: Weights): EvidenceTables {
    let known = tablesByView.get(view)
    if (known === undefined) {
      tablesByView.set(view, (known = { byArray: new WeakMap(), byKey: new Map() }))
    }
    const { byArray, byKey } = known
    const own = byArray.get(weights.fieldWeights)
    if (own !== undefined && own.#hasEqual(weights)) return own
    const made = new EvidenceTables(view, weights)
    const equal = byKey.get(made.key)
    byKey.delete(made.key)
    const tables = equal ?? made
    byKey.set(made.key, tables)
    // Evicts the least recently requested.
    if (byKey.size > WEIGHTS_MAX) byKey.delete(byKey.keys().next().value!)
    byArray.set(weights.fieldWeights, tables)
    return tables
  }

  #hasEqual(weights: Weights): boolean {
    return (
      this.#weights.lengthNorms === weights.lengthNorms &&
      onceField(this.#weights) === onceField(weights)
    )
  }

  /** Tables with equal keys are equal. */
  get key(): string {
    const { fieldWeights, lengthNorms } = this.#weights
    const once = onceField(this.#weights)
    return (this.#key ??= fieldWeights
      .map((weight, field) => {
        if (weight === 0) return 0
        const own = [weight, lengthNorms[field], this.#view.averageLengths[field]]
        return field === once ? [...own, 'once'] : own
      })
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
    const once = fields.indexOf(onceField(this.#weights))
    const totals = new Float32Array(reader.impactCount)
    const saturated = new Float32Array(reader.impactCount)
    const searched = Uint8Array.from(weights, (weight) => (weight > 0 ? 1 : 0))
    const searchedCodes = new Uint8Array(reader.impactCount)
    let isAllSearched = true
    for (let code = 0; code < reader.impactCount; code++) {
      const total = evidence(reader.impacts, code * fields.length, weights, norms, averages, once)
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

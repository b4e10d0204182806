import type { Column } from '../../columns/column-reader.ts'
import type { NumericExplanation } from '../../query/explanation.ts'
import { type PlannedNumeric, numericFactor, numericSignal } from '../../scoring/numeric-signal.ts'
import type { IndexView } from '../view/index-view.ts'

/** "A shop's own number" in docs/ranking.md: the factors on points, by segment. */
export class NumericRank {
  readonly #view: IndexView
  readonly #planned: PlannedNumeric
  /** Maximum factor of any document. */
  readonly factorMax: number

  constructor(view: IndexView, planned: PlannedNumeric) {
    this.#view = view
    this.#planned = planned
    this.factorMax = numericFactor(planned, 1)
  }

  factors(segmentIndex: number): (docOrd: number) => number {
    const column = this.#column(segmentIndex)
    if (column === undefined) return () => 1
    const { ords } = column
    const planned = this.#planned
    const byOrd = factorsOf(column, planned)
    return (docOrd) => {
      const ord = ords[docOrd]!
      if (ord === 0) return 1
      const known = byOrd[ord]!
      if (known > 0) return known
      return (byOrd[ord] = numericFactor(planned, numericSignal(planned, column.numeric(ord - 1))))
    }
  }

  explain(segmentIndex: number, docOrd: number): NumericExplanation {
    const column = this.#column(segmentIndex)
    const ord = column?.ords[docOrd] ?? 0
    if (ord === 0) return { factor: 1, signal: 0 }
    const value = column!.numeric(ord - 1)
    const signal = numericSignal(this.#planned, value)
    return { factor: numericFactor(this.#planned, signal), signal, value: Number(value) }
  }

  #column(segmentIndex: number): Column | undefined {
    return this.#view.column(this.#view.segments[segmentIndex]!, this.#planned.field)
  }
}

interface KnownFactors {
  readonly key: string
  readonly byOrd: Float64Array
}

/** Shared by the searches of a store, which have the same setting. */
const knownFactors = new WeakMap<Column, KnownFactors>()

/** Factors by ordinal of the column, computed when first used; 0 until then. */
function factorsOf(column: Column, planned: PlannedNumeric): Float64Array {
  const key = JSON.stringify(planned)
  let known = knownFactors.get(column)
  if (known?.key !== key) {
    known = { key, byOrd: new Float64Array(column.valueCount + 1) }
    knownFactors.set(column, known)
  }
  return known.byOrd
}

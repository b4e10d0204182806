import type { Column } from '../../columns/column-reader.ts'
import type { DictionaryReader } from '../../dictionary/shared-dictionary.ts'
import type { FacetOutcome } from '../../query/plan.ts'
import type { ElementType } from '../../schema/schema.ts'

/** How many documents of one segment have each value: no count 0, ranks of numbers ascending. */
export interface RankCounts {
  readonly ranks: Uint32Array
  readonly counts: Uint32Array
}

/** Distinct values of a field with their counts over all segments, numbered from 0. */
export interface ValueCounts {
  readonly counts: ArrayLike<number>
  label(i: number): string
  /** Values by number, texts by code point. */
  compare(i: number, j: number): number
  /** Whether `compare(i, j) < 0` for all `i < j`. */
  readonly isSorted: boolean
  stats(): FacetOutcome['stats']
}

/** Adds up the counts of a field over segments. */
export interface FacetTotals {
  add(column: Column, counts: RankCounts): void
  finish(): ValueCounts
}

export function newTotals(type: ElementType): FacetTotals {
  return type === 'string' ? new TextTotals() : new NumberTotals(type)
}

/**
 * Texts are identified by their number in the dictionary of the field, which all segments share.
 */
class TextTotals implements FacetTotals {
  #counts = new Int32Array(0)
  #ids: number[] = []
  #dictionary: DictionaryReader | undefined

  add(column: Column, { ranks, counts }: RankCounts): void {
    // A newer dictionary contains everything an older one does.
    const dictionary = column.dictionary!
    if (this.#dictionary === undefined || dictionary.count > this.#dictionary.count) {
      this.#dictionary = dictionary
      // The operating system zeroes it page by page, so pages of values that do not occur cost
      // nothing.
      const grown = new Int32Array(dictionary.count)
      grown.set(this.#counts)
      this.#counts = grown
    }
    const totals = this.#counts
    for (let i = 0; i < ranks.length; i++) {
      const id = column.valueId(ranks[i]!)
      if (totals[id] === 0) this.#ids.push(id)
      totals[id]! += counts[i]!
    }
  }

  finish(): ValueCounts {
    const ids = this.#ids
    const totals = this.#counts
    const dictionary = this.#dictionary
    // A plain loop: there can be as many values as documents.
    const counts = new Int32Array(ids.length)
    for (let i = 0; i < counts.length; i++) counts[i] = totals[ids[i]!]!
    return {
      counts,
      label: (i) => dictionary!.text(ids[i]!),
      compare: (i, j) => dictionary!.compare(ids[i]!, ids[j]!),
      isSorted: false,
      stats: () => undefined,
    }
  }
}

type Numeric = number | bigint

/** Values ascending, with their counts. */
interface NumberRun {
  readonly values: readonly Numeric[]
  readonly counts: ArrayLike<number>
}

/** The numbers of each segment are sorted, so several segments are merged. */
class NumberTotals implements FacetTotals {
  readonly #type: ElementType
  readonly #runs: NumberRun[] = []

  constructor(type: ElementType) {
    this.#type = type
  }

  add(column: Column, { ranks, counts }: RankCounts): void {
    const values: Numeric[] = []
    if (this.#type === 'int64') {
      for (let i = 0; i < ranks.length; i++) values.push(column.bigint(ranks[i]!))
    } else for (let i = 0; i < ranks.length; i++) values.push(column.number(ranks[i]!))
    this.#runs.push({ values, counts })
  }

  finish(): ValueCounts {
    let runs = this.#runs
    while (runs.length > 1) {
      const halved: NumberRun[] = []
      for (let i = 0; i + 1 < runs.length; i += 2) halved.push(mergeRuns(runs[i]!, runs[i + 1]!))
      if (runs.length % 2 === 1) halved.push(runs.at(-1)!)
      runs = halved
    }
    const type = this.#type
    const { values, counts } = runs[0] ?? { values: [], counts: [] }
    return {
      counts,
      label: (i) => (type === 'bool' ? String(values[i] === 1) : String(values[i])),
      compare: (i, j) => i - j,
      isSorted: true,
      stats: () => computeStats(type, values, counts),
    }
  }
}

function mergeRuns(a: NumberRun, b: NumberRun): NumberRun {
  const values: Numeric[] = []
  const counts: number[] = []
  let i = 0
  let j = 0
  while (i < a.values.length || j < b.values.length) {
    const left = a.values[i]
    const right = b.values[j]
    const takesLeft = right === undefined || (left !== undefined && left <= right)
    const takesRight = left === undefined || (right !== undefined && right <= left)
    values.push(takesLeft ? left! : right!)
    counts.push((takesLeft ? a.counts[i++]! : 0) + (takesRight ? b.counts[j++]! : 0))
  }
  return { values, counts }
}

function computeStats(
  type: ElementType,
  values: readonly Numeric[],
  counts: ArrayLike<number>,
): FacetOutcome['stats'] {
  if (type === 'bool' || values.length === 0) return undefined
  let count = 0
  let sum: Numeric
  if (type === 'int64') {
    sum = 0n
    for (let i = 0; i < values.length; i++) {
      sum += (values[i] as bigint) * BigInt(counts[i]!)
      count += counts[i]!
    }
  } else {
    sum = 0
    for (let i = 0; i < values.length; i++) {
      sum += (values[i] as number) * counts[i]!
      count += counts[i]!
    }
  }
  return { min: values[0]!, max: values.at(-1)!, sum, avg: Number(sum) / count }
}

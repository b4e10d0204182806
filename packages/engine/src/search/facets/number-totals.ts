import type { FacetOutcome } from '../../query/plan.ts'
import type { ElementType } from '../../schema/schema.ts'
import type { SegmentCounts } from './segment-counts.ts'
import type { FacetTotals, ValueCounts } from './value-counts.ts'

type Numeric = number | bigint

/** Values ascending, with their counts. */
interface NumberRun {
  readonly values: readonly Numeric[]
  readonly counts: ArrayLike<number>
}

/** Each segment has its numbers sorted, so totals merge the segments. */
export class NumberTotals implements FacetTotals {
  readonly #type: ElementType
  readonly #runs: NumberRun[] = []

  constructor(type: ElementType) {
    this.#type = type
  }

  add(given: SegmentCounts): void {
    const { column } = given
    const { ranks, counts } = given.takeNumbers()
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
      length: counts.length,
      counts,
      label: (i) => (type === 'bool' ? String(values[i] === 1) : String(values[i])),
      identity: (i) => values[i]!,
      compare: (i, j) => i - j,
      isSorted: true,
      stats: () => computeStats(type, values, counts),
    }
  }

  release(): void {
    this.#runs.length = 0
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

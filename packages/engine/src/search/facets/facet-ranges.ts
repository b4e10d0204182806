import type { Column } from '../../columns/column-reader.ts'
import { ranksWithin } from '../../columns/rank-search.ts'
import type { FacetRequest } from '../../query/plan.ts'

type Range = NonNullable<FacetRequest['ranges']>[number]

/**
 * Counts the documents of a segment by range: low end inclusive, high end exclusive. A document
 * counts once per range, even with several values in it.
 *
 * @param ordCounts documents by ordinal of the column
 * @param totals by range
 */
export function countRanges(
  ranges: readonly Range[],
  column: Column,
  ordCounts: Uint32Array,
  totals: Float64Array,
): void {
  const before = column.isMulti ? undefined : countsBefore(ordCounts)
  ranges.forEach((range, i) => {
    const { from, to } = ranksWithin(column, { ...range, highInclusive: false })
    if (to <= from) return
    totals[i]! +=
      before === undefined
        ? countSets(column, ordCounts, from, to)
        : before[to + 1]! - before[from + 1]!
  })
}

/** @returns by ordinal: number of documents with a lower one */
function countsBefore(ordCounts: Uint32Array): Float64Array {
  const before = new Float64Array(ordCounts.length + 1)
  for (let ord = 0; ord < ordCounts.length; ord++) before[ord + 1] = before[ord]! + ordCounts[ord]!
  return before
}

/** Documents whose set has a rank in `from .. to - 1`; ranks of a set ascend. */
function countSets(column: Column, setCounts: Uint32Array, from: number, to: number): number {
  const { setStart, setValues } = column
  let count = 0
  for (let set = 1; set < setCounts.length; set++) {
    if (setCounts[set] === 0) continue
    const end = setStart[set + 1]!
    let i = setStart[set]!
    while (i < end && setValues[i]! < from) i++
    if (i < end && setValues[i]! < to) count += setCounts[set]!
  }
  return count
}

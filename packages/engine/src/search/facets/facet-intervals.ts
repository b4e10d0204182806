import type { Column } from '../../columns/column-reader.ts'
import type { FacetInterval, FacetIntervals, FacetOutcome, FacetRequest } from '../../query/plan.ts'

interface CountedInterval {
  readonly interval: FacetInterval
  count: number
}

/**
 * Counts documents by interval over segments. Values of a column ascend, so one look-up of an
 * interval serves all values in it. A document counts once per interval.
 */
export class IntervalCounts {
  readonly #intervals: FacetIntervals
  /** By low end. */
  readonly #counted = new Map<number, CountedInterval>()
  #first = Infinity
  #last = -Infinity

  constructor(intervals: FacetIntervals) {
    this.#intervals = intervals
  }

  /** @param ordCounts documents of a segment by ordinal of the column */
  add(column: Column, ordCounts: Uint32Array): void {
    const rankCounts = column.isMulti ? rankCountsOf(column, ordCounts) : ordCounts.subarray(1)
    if (!this.#widen(column, rankCounts)) return
    const byRank = this.#intervalsOf(column, rankCounts)
    if (column.isMulti) addSets(column, ordCounts, byRank)
    else byRank.forEach((counted, rank) => (counted.count += rankCounts[rank]!))
  }

  outcome({
    order,
    limit,
  }: FacetRequest): Pick<FacetOutcome, 'counts' | 'totalValues' | 'isTooWide'> {
    if (this.#isTooWide) return { counts: [], totalValues: 0, isTooWide: true }
    const all = [...this.#counted.values()].toSorted(
      (a, b) => (order === 'count' ? b.count - a.count : 0) || a.interval.low - b.interval.low,
    )
    const counts = all.slice(0, limit).map(({ interval, count }) => ({
      value: String(interval.low),
      count,
      interval,
    }))
    return { counts, totalValues: all.length }
  }

  get #isTooWide(): boolean {
    return this.#last - this.#first > this.#intervals.spanMax
  }

  /** @returns whether there is anything to count, within the maximum span */
  #widen(column: Column, rankCounts: Uint32Array): boolean {
    const first = rankCounts.findIndex((count) => count > 0)
    if (first < 0) return false
    const last = rankCounts.findLastIndex((count) => count > 0)
    this.#first = Math.min(this.#first, this.#intervals.intervalOf(column.number(first)).low)
    this.#last = Math.max(this.#last, this.#intervals.intervalOf(column.number(last)).low)
    return !this.#isTooWide
  }

  /** The interval of each counted rank. */
  #intervalsOf(column: Column, rankCounts: Uint32Array): CountedInterval[] {
    const byRank: CountedInterval[] = []
    let current: CountedInterval | undefined
    for (let rank = 0; rank < rankCounts.length; rank++) {
      if (rankCounts[rank] === 0) continue
      const value = column.number(rank)
      if (current === undefined || value >= current.interval.high) {
        const interval = this.#intervals.intervalOf(value)
        current = this.#counted.get(interval.low) ?? { interval, count: 0 }
        this.#counted.set(interval.low, current)
      }
      byRank[rank] = current
    }
    return byRank
  }
}

/** Documents per rank; a document may have several. */
function rankCountsOf({ setStart, setValues, valueCount }: Column, setCounts: Uint32Array) {
  const rankCounts = new Uint32Array(valueCount)
  for (let set = 1; set < setCounts.length; set++) {
    if (setCounts[set] === 0) continue
    for (let i = setStart[set]!; i < setStart[set + 1]!; i++) {
      rankCounts[setValues[i]!]! += setCounts[set]!
    }
  }
  return rankCounts
}

/** Ranks of a set ascend, so those of one interval are adjacent. */
function addSets(
  { setStart, setValues }: Column,
  setCounts: Uint32Array,
  byRank: readonly CountedInterval[],
): void {
  for (let set = 1; set < setCounts.length; set++) {
    if (setCounts[set] === 0) continue
    let last: CountedInterval | undefined
    for (let i = setStart[set]!; i < setStart[set + 1]!; i++) {
      const counted = byRank[setValues[i]!]!
      if (counted !== last) counted.count += setCounts[set]!
      last = counted
    }
  }
}

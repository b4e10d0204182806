import type { Column } from '../../columns/column-reader.ts'
import { ranksWithin, type RankRange } from '../../columns/rank-search.ts'
import type { FacetRequest } from '../../query/plan.ts'
import type { OtherCounts } from '../facets/facet-counter.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'
import { SortedPairs } from './sorted-pairs.ts'

/** Values between two looks at the clock. */
const VALUES_PER_CHECK = 4_096
/** Packs a value number and a group number: both are far below 2^26, so it stays exact. */
const VALUE_STEP = 2 ** 26

/** Which values, or which ranges, occur in which groups: pairs as numbers, each once. */
export class FacetPairs {
  readonly request: FacetRequest
  readonly #pairs = new SortedPairs()
  /** The number of each value; not for texts. */
  readonly #numbers = new Map<number | bigint, number>()
  #isText = false
  #column: Column | undefined
  /** By rank of the current column: 1 + the number of the value. */
  #ofRank = new Uint32Array(0)
  #ranges: readonly RankRange[] | undefined

  constructor(request: FacetRequest) {
    this.request = request
  }

  /** @param column undefined: no document of the segment has a value */
  beginSegment(column: Column | undefined): void {
    this.#column = column
    if (column === undefined) return
    this.#isText = column.type === 'string'
    this.#ranges = this.request.ranges?.map((range) =>
      ranksWithin(column, { ...range, highInclusive: false }),
    )
    this.#ofRank = new Uint32Array(this.#isText ? 0 : column.valueCount)
  }

  /** Adds documents, which are in these groups. */
  *add(docs: Uint32Array, groups: Uint32Array, pace: Pace): Steps {
    this.#addAll(docs, groups)
    yield* this.#pairs.merge(pace)
  }

  #addAll(docs: Uint32Array, groups: Uint32Array): void {
    const column = this.#column
    if (column === undefined) return
    const { ords, isMulti, setStart, setValues } = column
    for (let i = 0; i < docs.length; i++) {
      const ord = ords[docs[i]!]!
      if (ord === 0) continue
      if (!isMulti) this.#addRank(ord - 1, groups[i]!)
      else {
        const end = setStart[ord + 1]!
        for (let at = setStart[ord]!; at < end; at++) this.#addRank(setValues[at]!, groups[i]!)
      }
    }
  }

  *counts(pace: Pace): Steps<OtherCounts> {
    const byNumber = yield* this.#byNumber(pace)
    const { ranges = [] } = this.request
    if (this.#isText && ranges.length === 0) return { values: byNumber, ranges: [] }
    const values = new Map<number | bigint, number>()
    if (ranges.length === 0) {
      for (const [value, number] of this.#numbers) {
        values.set(value, byNumber.get(number) ?? 0)
        if (values.size % VALUES_PER_CHECK === 0) yield* pause(pace)
      }
    }
    return { values, ranges: ranges.map((_, i) => byNumber.get(i) ?? 0) }
  }

  /** Groups by number of the value or range. */
  *#byNumber(pace: Pace): Steps<Map<number, number>> {
    const pairs = yield* this.#pairs.all(pace)
    const byNumber = new Map<number, number>()
    for (let from = 0; from < pairs.length;) {
      const number = Math.floor(pairs[from]! / VALUE_STEP)
      // Pairs of a value are neighbours.
      const next = (number + 1) * VALUE_STEP
      let to = from + 1
      while (to < pairs.length && pairs[to]! < next) to++
      byNumber.set(number, to - from)
      from = to
      if (byNumber.size % VALUES_PER_CHECK === 0) yield* pause(pace)
    }
    return byNumber
  }

  #addRank(rank: number, group: number): void {
    const ranges = this.#ranges
    if (ranges === undefined) {
      this.#pairs.add(this.#numberOf(rank) * VALUE_STEP + group)
      return
    }
    for (let i = 0; i < ranges.length; i++) {
      if (rank >= ranges[i]!.from && rank < ranges[i]!.to) this.#pairs.add(i * VALUE_STEP + group)
    }
  }

  #numberOf(rank: number): number {
    const column = this.#column!
    if (this.#isText) return column.valueIds[rank]!
    const known = this.#ofRank[rank]!
    if (known > 0) return known - 1
    const value = column.numeric(rank)
    let number = this.#numbers.get(value)
    if (number === undefined) this.#numbers.set(value, (number = this.#numbers.size))
    this.#ofRank[rank] = number + 1
    return number
  }
}

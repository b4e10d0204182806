import type { Column } from '../../columns/column-reader.ts'
import { ranksWithin, type RankRange } from '../../columns/rank-search.ts'
import type { FacetRequest } from '../../query/plan.ts'
import type { OtherCounts } from '../facets/facet-counter.ts'

const CAPACITY_MIN = 1_024
/** Packs a value number and a group number: both are far below 2^26, so it stays exact. */
const VALUE_STEP = 2 ** 26

/**
 * Which values, or which ranges, occur in which groups: pairs as numbers, deduplicated when memory
 * gets scarce.
 */
export class FacetPairs {
  readonly request: FacetRequest
  #pairs = new Float64Array(CAPACITY_MIN)
  #count = 0
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
  add(docs: Uint32Array, groups: Uint32Array): void {
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

  counts(): OtherCounts {
    this.#keepOnce()
    const byNumber = new Map<number, number>()
    for (let i = 0; i < this.#count; i++) {
      const number = Math.floor(this.#pairs[i]! / VALUE_STEP)
      byNumber.set(number, (byNumber.get(number) ?? 0) + 1)
    }
    const { ranges = [] } = this.request
    if (this.#isText && ranges.length === 0) return { values: byNumber, ranges: [] }
    const values = new Map<number | bigint, number>()
    if (ranges.length === 0) {
      for (const [value, number] of this.#numbers) values.set(value, byNumber.get(number) ?? 0)
    }
    return { values, ranges: ranges.map((_, i) => byNumber.get(i) ?? 0) }
  }

  #addRank(rank: number, group: number): void {
    const ranges = this.#ranges
    if (ranges === undefined) return this.#push(this.#numberOf(rank), group)
    for (let i = 0; i < ranges.length; i++) {
      if (rank >= ranges[i]!.from && rank < ranges[i]!.to) this.#push(i, group)
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

  #push(number: number, group: number): void {
    if (this.#count === this.#pairs.length) this.#makeRoom()
    this.#pairs[this.#count++] = number * VALUE_STEP + group
  }

  #makeRoom(): void {
    this.#keepOnce()
    if (this.#count * 2 < this.#pairs.length) return
    const larger = new Float64Array(2 * this.#pairs.length)
    larger.set(this.#pairs)
    this.#pairs = larger
  }

  #keepOnce(): void {
    const pairs = this.#pairs.subarray(0, this.#count).sort()
    let kept = 0
    for (let i = 0; i < pairs.length; i++) {
      if (kept === 0 || pairs[i] !== pairs[kept - 1]) pairs[kept++] = pairs[i]!
    }
    this.#count = kept
  }
}

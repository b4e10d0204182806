import type { Column } from '../../columns/column-reader.ts'
import type { FacetOutcome } from '../../query/plan.ts'
import type { CountTable, FacetMemory } from './facet-memory.ts'
import type { SegmentCounts } from './segment-counts.ts'

/** Distinct values of a field with their counts over all segments, numbered from 0. */
export interface ValueCounts {
  readonly length: number
  /** By number. */
  readonly counts: ArrayLike<number>
  label(i: number): string
  /** Identity of the value: the number of a text in its dictionary, or the number itself. */
  identity(i: number): number | bigint
  /** Values by number, texts by code point. */
  compare(i: number, j: number): number
  /** Whether `compare(i, j) < 0` for all `i < j`. */
  readonly isSorted: boolean
  stats(): FacetOutcome['stats']
  /**
   * A subset of the values that includes all that may be among the first by count. Undefined: only
   * a full scan finds them.
   */
  most?(limit: number): ValueCounts
}

/** Adds up the counts of a field over segments. */
export interface FacetTotals {
  /** Adds the counts, which are zeroed or released afterwards. */
  add(counts: SegmentCounts): void
  /**
   * The table for counting by text id plus one instead; `undefined`: none. Must be the same memory
   * each time.
   */
  tableFor?(memory: FacetMemory, column: Column): CountTable | undefined
  /** The values are valid until `release`. */
  finish(): ValueCounts
  release(): void
}

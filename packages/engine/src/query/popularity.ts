/**
 * Popularity of the documents of a store at one point in time. Immutable; may be in shared memory.
 */
export interface DocumentPopularity {
  /** Documents with any popularity, ascending. */
  readonly docKeys: Float64Array
  /**
   * In the same order: 1 .. POPULARITY_LEVEL_MAX, see `popularityLevel`. `_popularity` sorts by it.
   */
  readonly levels: Uint16Array
  /** The level that counts as very popular in this store, and its maximum. */
  readonly levelMax: number
}

/** The popularity that affects the order of one search. */
export interface PlannedPopularity {
  readonly documents: DocumentPopularity
  /** Appeal of documents for this query by docKey, 0..1. Others: 0. */
  readonly appeal: ReadonlyMap<number, number>
  /** Maximum share by which popularity raises points, 0..1. 0: only a sort key. */
  readonly weight: number
}

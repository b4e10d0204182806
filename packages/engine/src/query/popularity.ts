/** Popularity of the documents of a store as of one moment; immutable. May be in shared memory. */
export interface DocumentPopularity {
  /** Of documents that have any, ascending. */
  readonly docKeys: Float64Array
  /**
   * In the same order: 1 .. POPULARITY_LEVEL_MAX, see `popularityLevel`. What `_popularity` orders
   * by.
   */
  readonly levels: Uint16Array
  /** What counts as very popular here; no level is higher. */
  readonly levelMax: number
}

/** The popularity that affects the order of one search. */
export interface PlannedPopularity {
  readonly documents: DocumentPopularity
  /** Appeal of documents for this query, 0..1 by docKey. Others: 0. */
  readonly appeal: ReadonlyMap<number, number>
  /**
   * The points of a document grow by this share at most, 0..1. 0: popularity is for sort keys
   * alone.
   */
  readonly weight: number
}

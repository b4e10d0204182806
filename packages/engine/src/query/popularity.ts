/** Popularity of the documents of a store at one moment. Immutable; may be in shared memory. */
export interface DocumentPopularity {
  /** Of documents that have any, ascending. */
  readonly docKeys: Float64Array
  /**
   * In the same order: 1 .. POPULARITY_LEVEL_MAX, see `popularityLevel`. `_popularity` sorts by it.
   */
  readonly levels: Uint16Array
  /** The level that counts as very popular in this store; no level is higher. */
  readonly levelMax: number
}

/** The popularity that affects the order of one search. */
export interface PlannedPopularity {
  readonly documents: DocumentPopularity
  /** Appeal of documents for this query, 0..1 by docKey. Others: 0. */
  readonly appeal: ReadonlyMap<number, number>
  /**
   * The points of a document grow by at most this share, 0..1. 0: popularity is only a sort key.
   */
  readonly weight: number
}

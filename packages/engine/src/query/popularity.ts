/** How popular the documents of a store are, as of one moment; never changed afterwards. May lie in shared memory. */
export interface DocumentPopularity {
  /** Of documents that have any, ascending. */
  readonly docKeys: Float64Array
  /** In the same order: 1 .. POPULARITY_LEVEL_MAX, see `popularityLevel`. What `_popularity` orders by. */
  readonly levels: Uint16Array
  /** What counts as very popular here; no level is higher. */
  readonly levelMax: number
}

/** What visitors did, as far as it decides the order of one search. */
export interface PlannedPopularity {
  readonly documents: DocumentPopularity
  /** What visitors made of documents that they found with this query, 0..1 by docKey. Others: 0. */
  readonly appeal: ReadonlyMap<number, number>
  /** The points of a document grow by this share at most, 0..1. 0: popularity is for sort keys alone. */
  readonly weight: number
}

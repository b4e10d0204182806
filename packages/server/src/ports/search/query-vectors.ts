/**
 * Vectors of queries, within a budget of time. Nothing here fails a search: it goes on by words.
 */
export interface QueryVectors {
  /** Never rejects. Equal texts are embedded once, and their vectors are cached. */
  ask(request: QueryVectorRequest): Promise<QueryVectorAnswer>
  /** The same without waiting, for a search by keystroke: only what this thread has cached. */
  cached(embedder: string, text: string): Float32Array | undefined
}

export interface QueryVectorRequest {
  /** Embedders share their time between stores. */
  readonly storeId: string
  /** Name of the embedder. */
  readonly embedder: string
  /** What the visitor typed; part of the key of the cache, so normalise it before. */
  readonly text: string
  /** Default: `QUERY_VECTOR_BUDGET_DEFAULT_MS`. */
  readonly budgetMs?: number | undefined
}

export type QueryVectorAnswer =
  | { readonly kind: 'vector'; readonly vector: Float32Array; readonly isCached: boolean }
  | { readonly kind: 'skipped'; readonly reason: SkippedReason }

/**
 * - `slow` The budget is over; the vector may be in the cache next time.
 * - `busy` Too many queries wait, of this store or of all.
 * - `unavailable` The embedder is down, or failed so often that it is left alone for a while.
 * - `refused` The model refuses this text.
 * - `unknown` The installation has no embedder of this name.
 */
export type SkippedReason = 'slow' | 'busy' | 'unavailable' | 'refused' | 'unknown'

/** An installation without embedders. */
export const NO_QUERY_VECTORS: QueryVectors = {
  ask: () => Promise.resolve({ kind: 'skipped', reason: 'unknown' }),
  cached: () => undefined,
}

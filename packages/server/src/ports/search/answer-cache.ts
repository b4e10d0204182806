/**
 * Caches the answers of searches with `cache_results`, so that the same question need not be
 * searched again. Entries may be evicted at any time, but never outdated: the version of the store
 * is part of the question.
 */
export interface AnswerCache {
  get(question: Question): KeptAnswer | undefined
  /** Copies the bytes. */
  put(question: Question, answer: KeptAnswer): void
}

export interface Question {
  readonly storeId: string
  /** Key of everything in the request that affects the answer, see domain/plan/question-key.ts. */
  readonly key: string
  /** Version of the store; higher is newer. */
  readonly version: number
  readonly nowMs: number
  /** Maximum age of an answer. */
  readonly ttlMs: number
  /** Maximum bytes of all answers of this store together. */
  readonly bytesMax: number
}

/**
 * A serialised answer without the parts that differ each time it is sent. It is UTF-8, which is
 * sent to the socket without becoming a string.
 */
export interface KeptAnswer {
  /** JSON before `cached`, `search_id` and `search_time_ms` … */
  readonly head: Uint8Array
  /** … and after them. */
  readonly tail: Uint8Array
  readonly found: number
  /** The corrected query, recorded with each search that gets this answer. */
  readonly corrected?: string | undefined
}

/**
 * Answers of searches that asked for `cache_results`, so that the same question need not be
 * searched for again. What is kept may be forgotten at any time; what is given back is never wrong:
 * the version of the store is part of the question.
 */
export interface AnswerCache {
  get(question: Question): KeptAnswer | undefined
  /** Copies the bytes. */
  put(question: Question, answer: KeptAnswer): void
}

export interface Question {
  readonly storeId: string
  /** Everything in the request that affects the answer, see domain/plan/question-key.ts. */
  readonly key: string
  /** Version of the store; higher is newer. */
  readonly version: number
  readonly nowMs: number
  /** Maximum age of an answer. */
  readonly ttlMs: number
  /** Of all answers of this store together. */
  readonly bytesMax: number
}

/**
 * A serialised answer without the parts that differ each time it is given: UTF-8, which goes to the
 * socket without becoming a string.
 */
export interface KeptAnswer {
  /** JSON before `cached`, `search_id` and `search_time_ms` … */
  readonly head: Uint8Array
  /** … and behind them. */
  readonly tail: Uint8Array
  readonly found: number
  /** The corrected query, with which each such search is recorded. */
  readonly corrected?: string | undefined
}

/**
 * Answers of searches that asked for `cache_results`, so that the same question need not be searched for
 * again. What is kept may be forgotten at any time; what is given back is never wrong: the version of the
 * store is part of the question.
 */
export interface AnswerCache {
  get(question: Question): KeptAnswer | undefined
  put(question: Question, answer: KeptAnswer): void
}

export interface Question {
  readonly storeId: string
  /** Everything of the request that decides the answer, see domain/plan/question-key.ts. */
  readonly key: string
  /** What the store looked like; greater ones are newer. */
  readonly version: number
  readonly nowMs: number
  /** An answer of that age is forgotten. */
  readonly ttlMs: number
  /** Of all answers of this store together. */
  readonly bytesMax: number
}

/** A serialised answer without the parts that differ each time it is given. */
export interface KeptAnswer {
  /** JSON text before `cached`, `search_id` and `search_time_ms` … */
  readonly head: string
  /** … and behind them. */
  readonly tail: string
  readonly found: number
}

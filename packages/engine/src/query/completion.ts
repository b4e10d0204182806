/** Completions of a word that is being typed, given the words before it. */
export interface CompletionRequest {
  /**
   * The other words, each with the stems that may stand for it: a document counts only if it holds,
   * for each word, a form of one of them in a searched field.
   */
  readonly words: readonly (readonly string[])[]
  /**
   * By field ordinal: searched fields in which the words, and the last one, may stand. Absent: all
   * searched ones.
   */
  readonly fields?: readonly boolean[]
  /** The folded beginning of the last word. Absent: only the documents are counted. */
  readonly prefix?: string
  /** Completions to return at most. */
  readonly limit: number
}

export interface CompletionOutcome {
  /** Live documents that meet the filter of the plan and hold every word of the request. */
  readonly docCount: number
  /** Most documents first, then by code point. */
  readonly completions: readonly Completion[]
  /** The deadline struck: there may be more. */
  readonly cutoff: boolean
}

export interface Completion {
  /**
   * A form that starts with the prefix and is longer, more frequent than the others of its stem.
   */
  readonly form: string
  /** Of the documents of the outcome, those that hold a form of its stem group too. Never 0. */
  readonly docCount: number
}

/**
 * Stem groups that are looked at, the most frequent ones: a bound on the time of a short prefix.
 */
export const COMPLETION_CANDIDATES_MAX = 64

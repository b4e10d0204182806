/** Request for completions of the word being typed, given the words before it. */
export interface CompletionRequest {
  /**
   * For each other word, the stems that match it. A document counts only if a searched field has,
   * for each word, a form of one of them.
   */
  readonly words: readonly (readonly string[])[]
  /**
   * By field ordinal: searched fields that may contain all of these words. Absent: all searched
   * fields.
   */
  readonly fields?: readonly boolean[]
  /** The folded prefix of the last word. Absent: only counts documents. */
  readonly prefix?: string
  /** Maximum number of completions. */
  readonly limit: number
  /** Stops counting documents here, for callers that need only a minimum. Ignored with a prefix. */
  readonly countMax?: number
}

/** The completions of a request, and the number of documents with its words. */
export interface CompletionOutcome {
  /**
   * Live documents that match the filter of the plan and every word of the request, up to
   * `countMax`.
   */
  readonly docCount: number
  /** By document count, descending, then by code point. */
  readonly completions: readonly Completion[]
  /** The search timed out, so there may be more. */
  readonly cutoff: boolean
}

/** A completion of the last word. */
export interface Completion {
  /** A longer form that starts with the prefix; the most frequent one of its stem. */
  readonly form: string
  /** Documents of the outcome that also contain its stem group. Never 0. */
  readonly docCount: number
}

/** Number of stem groups considered, most frequent first: bounds the time for a short prefix. */
export const COMPLETION_CANDIDATES_MAX = 64

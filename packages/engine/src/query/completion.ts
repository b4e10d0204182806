/** Completions of a word that is being typed, given the words before it. */
export interface CompletionRequest {
  /**
   * The other words, each with the stems that may stand for it. A document counts only if, for each
   * word, a searched field holds a form of one of them.
   */
  readonly words: readonly (readonly string[])[]
  /**
   * By field ordinal: searched fields in which all of these words may stand. Absent: all searched
   * fields.
   */
  readonly fields?: readonly boolean[]
  /** The folded beginning of the last word. Absent: only the documents are counted. */
  readonly prefix?: string
  /** Completions to return at most. */
  readonly limit: number
  /**
   * Documents to count at most: for who only asks whether there are so many. It has no effect
   * beside a prefix.
   */
  readonly countMax?: number
}

export interface CompletionOutcome {
  /**
   * Live documents that meet the filter of the plan and hold every word of the request, `countMax`
   * at most.
   */
  readonly docCount: number
  /** Most documents first, then by code point. */
  readonly completions: readonly Completion[]
  /** Time ran out, so there may be more. */
  readonly cutoff: boolean
}

export interface Completion {
  /** A form that starts with the prefix and is longer; the most frequent one of its stem. */
  readonly form: string
  /** Number of documents of the outcome that also hold its stem group. Never 0. */
  readonly docCount: number
}

/** Number of stem groups considered, the most frequent ones: bounds the time for a short prefix. */
export const COMPLETION_CANDIDATES_MAX = 64

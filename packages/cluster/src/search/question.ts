import type { Query, SearchAnswer } from './product-searches.ts'

/** A regular expression in Lucene's syntax. */
export interface WordPattern {
  /** Of all words of the place. */
  readonly beginning: string
  /** Of these words. */
  readonly rest: string
}

/** A fact that only the cluster knows, such as how many documents have a word. */
export interface Question<T> {
  /** Unique for each question of a place. */
  readonly key: string
  /** Cost: a question waits while a cheaper one is open that could make it unnecessary. */
  readonly cost: 0 | 1 | 2
  readonly body: () => object
  /** An equivalent body, for when the cluster fails to run the first. */
  readonly otherBody?: () => object
  readonly read: (answer: SearchAnswer) => T
  /**
   * For how long an answer may be reused, in milliseconds, without finding or missing anything
   * wrong.
   */
  keptMs(answer: T): number
  /** Whether it is kept only in stores with many documents: in small ones, each write shows. */
  readonly isKeptIfMany?: true
  /** Set if it counts the documents with a term of a field whose terms can be listed. */
  readonly counted?: { readonly field: string; readonly term: string }
  /** Matches all documents that the question is about: if there are none, the answer is `none`. */
  readonly matching?: () => Query
  /** Set if `matching` is a pattern of words: several of them are one. */
  readonly pattern?: WordPattern
  /** What the answer is almost always: assumed, and confirmed, by a search that never asked it. */
  readonly likely?: T | undefined
  /** Placeholder until the answer arrives. */
  readonly none: T
}

/** The key of the question for N. */
export const TOTAL_KEY = 'all'

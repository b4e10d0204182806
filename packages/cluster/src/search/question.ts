import type { Query, SearchAnswer } from './product-searches.ts'

/** A fact that only the cluster knows, such as how many documents have a word. */
export interface Question<T> {
  /** Different for different questions of a place. */
  readonly key: string
  /** Cost: a question waits while a cheaper one is open that could make it unnecessary. */
  readonly cost: 0 | 1 | 2
  readonly body: () => object
  /** Another way to ask, where the cluster fails at the first. */
  readonly otherBody?: () => object
  readonly read: (answer: SearchAnswer) => T
  /** How long an answer may be old, in milliseconds: nothing is found, or missed, because of it. */
  keptMs(answer: T): number
  /** It counts the documents with a term of a field whose terms can be listed. */
  readonly counted?: { readonly field: string; readonly term: string }
  /** All documents with what is asked for: as long as there are none, the answer is `none`. */
  readonly matching?: () => Query
  /** Placeholder until the answer arrives. */
  readonly none: T
}

/** Of the question for N. */
export const TOTAL_KEY = 'all'

import type { ScoreExplanation } from '../../query/explanation.ts'

/** A document in the order of the sort keys. */
export interface RankedDocument {
  readonly segmentIndex: number
  readonly docOrd: number
  /** Text match score. */
  readonly score: number
}

/** Gives points to the best documents, in a second pass, for what their titles are like. */
export interface Rescorer {
  /** Maximum points of a document; 0 if this query earns none. */
  readonly max: number

  /**
   * Maximum points of a document whose title lacks a word of the query.
   * @param slotNumber of the word
   */
  maxWithout(slotNumber: number): number

  /** @param pointsMin fewer points make no difference and may be returned as 0 */
  of(document: RankedDocument, pointsMin: number): number

  /** The points of a document, as a part of its explanation. */
  explain(document: RankedDocument): Partial<ScoreExplanation>
}

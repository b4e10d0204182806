import type { DocumentValue } from './schema.ts'

/** A document as the index receives it: validated, with typed values. */
export interface IndexDocument {
  /**
   * Number of the write that produced this version of the document: unique in the store, ascending;
   * later writes get larger ones. An integer below 2^42.
   */
  readonly docKey: number
  /**
   * The docKey of the first version since the document was inserted; absent: this is the first. Of
   * documents that nothing else ranks, those inserted later come first, see docs/ranking.md.
   */
  readonly inserted?: number
  /** External id, unique in a store. */
  readonly id: string
  /** By field ordinal; `undefined` where the document lacks the field. */
  readonly values: readonly (DocumentValue | undefined)[]
  /** Its own vectors by space (`Schema.spaces`); absent: none. */
  readonly vectors?: ReadonlyMap<number, ArrayLike<number>>
}

/** The docKey of the first version of a document. */
export function insertedAs({
  docKey,
  inserted = docKey,
}: Pick<IndexDocument, 'docKey' | 'inserted'>): number {
  return inserted
}

import type { DocumentValue } from './schema.ts'

/** A document as the index receives it: validated, with typed values. */
export interface IndexDocument {
  /**
   * Number of the write that produced this version of the document: unique in the store, ascending;
   * later writes are "newer". An integer below 2^53.
   */
  readonly docKey: number
  /** External id, unique in a store. */
  readonly id: string
  /** By field ordinal; `undefined` where the document lacks the field. */
  readonly values: readonly (DocumentValue | undefined)[]
}

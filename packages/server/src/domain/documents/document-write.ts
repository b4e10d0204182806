import type { ErrorCode, ErrorDetail } from '@aisle/contract'

/** What is to become of one document. */
export interface DocumentWrite {
  /**
   * Already checked by domain/documents/document-rules.ts `checkDocumentId`; made up by the writer
   * when absent.
   */
  readonly id?: string | undefined
  readonly action: 'upsert' | 'insert' | 'update'
  /**
   * UTF-8 JSON text of the data object: well-formed JSON, an object, not deeper than allowed. Not
   * yet held against the schema.
   */
  readonly json: Uint8Array
}

/** One version of a document, never a later one. */
export interface DocumentVersion {
  readonly id: string
  readonly docKey: number
}

/** What is to become of versions that were found by a filter. */
export type VersionChange =
  | { readonly kind: 'delete' }
  /** Merged into each as the action `update` does; UTF-8 JSON of an object. */
  | { readonly kind: 'update'; readonly patch: Uint8Array }

export type VersionOutcome =
  | { readonly status: 'changed'; readonly id: string }
  /** Written or deleted by somebody else meanwhile; nothing was changed. */
  | { readonly status: 'superseded'; readonly id: string }
  | FailedWrite

/** A write that was refused and changed nothing. */
export interface FailedWrite {
  readonly status: 'failed'
  /** Empty when the write named none that is valid. */
  readonly id: string
  readonly code: ErrorCode
  /** All that is wrong, in one text. */
  readonly message: string
  readonly details: readonly ErrorDetail[]
}

export type WriteOutcome =
  | { readonly status: 'created' | 'updated'; readonly id: string }
  | FailedWrite

import type { ErrorCode, ErrorDetail } from '@aisle/contract'

/** A write of one document. */
export interface DocumentWrite {
  /**
   * Already checked by `checkDocumentId` (domain/documents/document-rules.ts); the writer generates
   * one if it is absent.
   */
  readonly id?: string | undefined
  readonly action: 'upsert' | 'insert' | 'update'
  /**
   * UTF-8 JSON text of the data object: well-formed, an object, within the depth limit. Not yet
   * checked against the schema.
   */
  readonly json: Uint8Array
  /** Fails with `precondition_failed` unless the document is what this `If-Match` names. */
  readonly ifMatch?: string | undefined
  /** The outcome has the `etag`: bulk writes save the time of making it. */
  readonly isTagged?: boolean | undefined
}

/** One version of a document, never a later one. */
export interface DocumentVersion {
  readonly id: string
  readonly docKey: number
}

/** A change to the versions that a filter found. */
export type VersionChange =
  | { readonly kind: 'delete' }
  /** Merged into each, like the action `update`; UTF-8 JSON of an object. */
  | { readonly kind: 'update'; readonly patch: Uint8Array }
  /** By id: UTF-8 JSON of the object that each becomes. */
  | { readonly kind: 'replace'; readonly json: ReadonlyMap<string, Uint8Array> }

export type VersionOutcome =
  | { readonly status: 'changed'; readonly id: string }
  /** Another write replaced or deleted the version meanwhile; nothing was changed. */
  | { readonly status: 'superseded'; readonly id: string }
  | FailedWrite

/** A write that was rejected and changed nothing. */
export interface FailedWrite {
  readonly status: 'failed'
  /** Empty if the write has no valid id. */
  readonly id: string
  readonly code: ErrorCode
  /** Everything that is wrong, as one text. */
  readonly message: string
  readonly details: readonly ErrorDetail[]
  /** JSON of the newest document, for `precondition_failed`. */
  readonly current?: string
}

export type WriteOutcome =
  | {
      readonly status: 'created' | 'updated'
      readonly id: string
      /** `documentTag` of what is stored now, if the write is tagged. */
      readonly etag?: string
    }
  | FailedWrite

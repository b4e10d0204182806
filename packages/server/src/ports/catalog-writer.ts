import type { ErrorCode, ErrorDetail } from '@aisle/contract'
import type { Field } from '@aisle/engine'

/**
 * Everything that changes data. Each promise resolves when the change is durable and every serving
 * thread's next search sees it, and rejects with ApiError when nothing was changed.
 */
export interface CatalogWriter {
  /** Throws `store_exists`. Secrets are in the answer only here; at rest there are digests. */
  createStore(request: { readonly name: string; readonly id?: string | undefined }): Promise<CreatedStore>
  /** Throws `store_not_found`. */
  deleteStore(storeId: string): Promise<void>
  /** Throws `store_not_found`. */
  rotateKey(
    storeId: string,
    kind: KeyKind,
    graceSeconds: number,
  ): Promise<{ readonly secret: string; readonly previousValidUntil: string }>
  /** Fields must be valid by themselves (see domain/schema-rules.ts); conflicts with the schema in force are decided here. */
  changeSchema(
    storeId: string,
    mode: 'additive' | 'replace',
    fields: readonly Field[],
  ): Promise<SchemaChange>
  /**
   * Applies the writes in order, each by itself: one that fails changes nothing and harms no other.
   * Throws `schema_not_defined` before any schema.
   * @returns one outcome per write, in order
   */
  writeDocuments(storeId: string, writes: readonly DocumentWrite[]): Promise<WriteOutcome[]>
  /** @returns false when there is no such document */
  deleteDocument(storeId: string, id: string): Promise<boolean>
  /** @returns documents deleted */
  clearDocuments(storeId: string): Promise<number>
}

export type KeyKind = 'read' | 'write' | 'events'

export interface CreatedStore {
  readonly storeId: string
  readonly name: string
  readonly readSecret: string
  readonly writeSecret: string
  readonly eventsWriteKey: string
}

export interface SchemaChange {
  readonly fieldsAdded: readonly string[]
  readonly fieldsUnchanged: readonly string[]
  /** One line per conflicting redefinition. */
  readonly warnings: readonly string[]
}

export interface DocumentWrite {
  /** Already checked by domain/document-rules.ts `checkDocumentId`; made up by the writer when absent. */
  readonly id?: string | undefined
  readonly action: 'upsert' | 'insert' | 'update'
  /** UTF-8 JSON text of the data object: well-formed JSON, an object, not deeper than allowed. Not yet held against the schema. */
  readonly json: Uint8Array
}

export type WriteOutcome =
  | { readonly status: 'created' | 'updated'; readonly id: string }
  | {
      readonly status: 'failed'
      readonly id: string
      readonly code: ErrorCode
      readonly message: string
      readonly details: readonly ErrorDetail[]
    }

import type {
  DocumentVersion,
  DocumentWrite,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../../domain/documents/document-write.ts'
import type { ResourceChange } from '../../domain/store/resource.ts'
import type { FieldsChange } from '../../domain/documents/schema-conversion.ts'
import type { DeclaredField, SchemaChange } from '../../domain/documents/schema-rules.ts'
import type { KeyKind, KeyUse } from '../../domain/access/store-keys.ts'

export type {
  DeclaredField,
  DocumentVersion,
  DocumentWrite,
  FieldsChange,
  KeyKind,
  KeyUse,
  ResourceChange,
  SchemaChange,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
}

/**
 * Makes all changes to data. Each promise resolves when the change is durable and the next search
 * of every serving thread sees it, and rejects with ApiError if nothing was changed.
 */
export interface CatalogWriter {
  /** Throws `store_exists`. Only this answer contains the secrets; digests are stored. */
  createStore(request: {
    readonly name: string
    readonly id?: string | undefined
    /**
     * Approximate bytes of the documents that will be loaded at once: until `finishBulkLoad`, they
     * may lack copies, and searches need not see them. A crash loses none of them.
     */
    readonly bulkLoadBytes?: number | undefined
  }): Promise<CreatedStore>
  /**
   * Gives the documents of a store all their copies, and shows them to searches. Call it until it
   * returns true. Throws `store_not_found`.
   * @returns false while they are being copied
   */
  finishBulkLoad(storeId: string): Promise<boolean>
  /** Throws `store_not_found`. */
  deleteStore(storeId: string): Promise<void>
  /**
   * Swaps the documents, schemas, resources and languages of two stores atomically: every reader
   * sees both stores before or both after the swap. Ids, names, keys and counts by id stay. A write
   * decided before the swap moves with its documents; one decided after it applies to the documents
   * that the store has then. Throws `store_not_found`, and `unavailable` while one is being
   * loaded, by `bulkLoadBytes` too.
   */
  swapStores(storeId: string, otherId: string): Promise<void>
  /** Throws `store_not_found`. */
  renameStore(storeId: string, name: string): Promise<void>
  /** Throws `store_not_found`. */
  rotateKey(
    storeId: string,
    kind: KeyKind,
    graceSeconds: number,
  ): Promise<{ readonly secret: string; readonly previousValidUntil: string }>
  /**
   * Ends the grace period of a replaced key. Throws `store_not_found`.
   * @returns false if there was none
   */
  revokePreviousKey(storeId: string, kind: KeyKind): Promise<boolean>
  /** Records the last use of keys; removed ones are ignored. */
  noteKeyUses(uses: readonly KeyUse[]): Promise<void>
  /**
   * Each field must be valid (see domain/documents/schema-rules.ts); conflicts with the current
   * schema are decided here.
   * @param expected the `schemaStamp` of what must still be in force; throws `precondition_failed`
   */
  changeSchema(
    storeId: string,
    mode: 'additive' | 'replace',
    fields: readonly DeclaredField[],
    expected?: string,
  ): Promise<SchemaChange>
  /**
   * Redefines fields while the documents stay, and adds new ones. Documents are re-analysed in the
   * background; until that is complete, searches use the former schema, and a document must satisfy
   * both. Throws `schema_conversion_failed` if values of documents don't fit, `schema_not_defined`,
   * `invalid_schema`, and `unavailable` while the store is being loaded.
   * @param expected as for `changeSchema`, also when all documents have been checked
   */
  redefineFields(
    storeId: string,
    fields: readonly DeclaredField[],
    expected?: string,
  ): Promise<FieldsChange>
  /**
   * Ends a change by `redefineFields` that is not complete; the schema stays as it is.
   * @returns false if there is none
   */
  cancelRedefinition(storeId: string): Promise<boolean>
  /**
   * Changes what a store contains besides documents. Throws `store_not_found`, and what
   * `ResourceTable.accepts` throws.
   * @param language BCP 47 tag of the language for new documents. Existing documents are
   *   re-analysed in the background; until that is complete, searches use the former analysis.
   *   Throws `unavailable` while the store is being loaded.
   * @returns false if nothing was changed: one to be inserted exists, or one to be removed does not
   */
  changeResources(storeId: string, change: ResourceChange, language?: string): Promise<boolean>
  /**
   * Applies the writes in order and independently: one that fails changes nothing and does not
   * affect the others. A document may add fields that a pattern of the schema covers; they become
   * visible with it. Throws `schema_not_defined` before any schema.
   * @returns one outcome per write, in order
   */
  writeDocuments(storeId: string, writes: readonly DocumentWrite[]): Promise<WriteOutcome[]>
  /**
   * @param ifMatch throws `precondition_failed` unless the document is what this `If-Match` names
   * @returns false if there is no such document
   */
  deleteDocument(storeId: string, id: string, ifMatch?: string): Promise<boolean>
  /**
   * Changes each of these versions if it is still the live version of its document; documents
   * written since then are not changed.
   * @param content `content` of the view that returned the versions; if the store has other
   *   documents now, all are superseded
   * @returns one outcome per version, in order
   */
  changeVersions(
    storeId: string,
    versions: readonly DocumentVersion[],
    change: VersionChange,
    content?: string,
  ): Promise<VersionOutcome[]>
  /**
   * Opens the index of a store if it was closed because it had not been used for a while. Changes
   * no data.
   */
  openIndex(storeId: string): Promise<void>
  /** @returns the number of deleted documents */
  clearDocuments(storeId: string): Promise<number>
}

export interface CreatedStore {
  readonly storeId: string
  readonly name: string
  readonly readSecret: string
  readonly writeSecret: string
  readonly eventsWriteKey: string
}

import type {
  DocumentVersion,
  DocumentWrite,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../../domain/documents/document-write.ts'
import type { ResourceChange } from '../../domain/store/resource.ts'
import type { DeclaredField, SchemaChange } from '../../domain/documents/schema-rules.ts'
import type { KeyKind, KeyUse } from '../../domain/access/store-keys.ts'

export type {
  DeclaredField,
  DocumentVersion,
  DocumentWrite,
  KeyKind,
  KeyUse,
  ResourceChange,
  SchemaChange,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
}

/**
 * Everything that changes data. Each promise resolves when the change is durable and every serving
 * thread's next search sees it, and rejects with ApiError when nothing was changed.
 */
export interface CatalogWriter {
  /** Throws `store_exists`. Secrets are in the answer only here; at rest there are digests. */
  createStore(request: {
    readonly name: string
    readonly id?: string | undefined
  }): Promise<CreatedStore>
  /** Throws `store_not_found`. */
  deleteStore(storeId: string): Promise<void>
  /**
   * Two stores exchange their documents, schema, resources and language in one step: everybody sees
   * both before it or both after it. Ids, names, keys, and what is counted by id stay. A write that
   * is decided before goes along with its documents; one that is decided after it is of the
   * documents that the store has then. Throws `store_not_found`, and `unavailable` while one is
   * being loaded.
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
   * @returns false when none was left
   */
  revokePreviousKey(storeId: string, kind: KeyKind): Promise<boolean>
  /** Records the last use of keys; removed ones are ignored. */
  noteKeyUses(uses: readonly KeyUse[]): Promise<void>
  /**
   * Fields must be valid by themselves (see domain/documents/schema-rules.ts); conflicts with the
   * schema in force are decided here.
   */
  changeSchema(
    storeId: string,
    mode: 'additive' | 'replace',
    fields: readonly DeclaredField[],
  ): Promise<SchemaChange>
  /**
   * Changes what a store keeps besides documents. Throws `store_not_found`, and what
   * `ResourceTable.accepts` throws.
   * @param language BCP 47 tag: from now documents are analysed in it. Those that are there are so
   *   in the background; until all are, what was found before is found as before. Throws
   *   `unavailable` while the store is being loaded.
   * @returns false when nothing was changed: one to be inserted exists, or one to be removed does
   * not
   */
  changeResources(storeId: string, change: ResourceChange, language?: string): Promise<boolean>
  /**
   * Applies the writes in order, each by itself: one that fails changes nothing and harms no other.
   * A document may add fields that a pattern of the schema covers: they are there when it is.
   * Throws `schema_not_defined` before any schema.
   * @returns one outcome per write, in order
   */
  writeDocuments(storeId: string, writes: readonly DocumentWrite[]): Promise<WriteOutcome[]>
  /** @returns false when there is no such document */
  deleteDocument(storeId: string, id: string): Promise<boolean>
  /**
   * Changes each of these versions that is still the live one of its document: a document that was
   * written after it had been looked at is left alone.
   * @param content of the view that named the versions: while the store has other documents, all
   *   are superseded
   * @returns one outcome per version, in order
   */
  changeVersions(
    storeId: string,
    versions: readonly DocumentVersion[],
    change: VersionChange,
    content?: string,
  ): Promise<VersionOutcome[]>
  /**
   * Makes the index of a store searchable if nobody asked for it in a while and it was closed.
   * Nothing is changed by it.
   */
  openIndex(storeId: string): Promise<void>
  /** @returns documents deleted */
  clearDocuments(storeId: string): Promise<number>
}

export interface CreatedStore {
  readonly storeId: string
  readonly name: string
  readonly readSecret: string
  readonly writeSecret: string
  readonly eventsWriteKey: string
}

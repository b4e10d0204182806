import type { Schema } from '@aisle/engine'
import type { DeclaredField } from '../../domain/documents/schema-rules.ts'
import type { Resource, ResourceChange } from '../../domain/store/resource.ts'
import type { StoredDocument } from './document-reader.ts'
import type { StoreRecord } from './store-registry.ts'

/**
 * The primary data on disk, for its only writer. Everything else (index, registry of the threads)
 * is derived from it and can be rebuilt.
 *
 * Documents live in **catalogs**: numbered folders of documents. A store points at one catalog;
 * clearing a store points it at a fresh one in the same commit, so that a reader sees all documents
 * or none. A document version is named by (catalog, docKey); docKeys ascend with every write of a
 * catalog. A version that was replaced or deleted is **buried**: it stays readable until it is
 * reaped. Live documents = versions that are not buried.
 */
export interface DocumentStore {
  /** Returns every store, as of the newest commit. */
  stores(): StoreRow[]
  /** Resources of a store. */
  resources(storeNumber: number): Resource[]
  counters(catalog: number): CatalogCounters
  /** Returns the docKey of the live version. */
  findKey(catalog: number, id: string): number | undefined
  /**
   * Returns a version, buried or not, until it is reaped. Throws ApiError `unavailable` if it is
   * damaged.
   */
  read(catalog: number, docKey: number): StoredDocument | undefined
  /**
   * Returns live versions whose docKeys are in a range, ascending, at most `limit` versions and
   * about `bytesMax` bytes.
   */
  scan(catalog: number, range: Readonly<DocKeyRange>, limit: number, bytesMax: number): ScanPage
  /** Returns buried docKeys >= from, ascending, at most `limit`. */
  buried(catalog: number, from: number, limit: number): number[]
  /**
   * Returns the vector of a document in a space; `undefined` if there is none, or it is damaged.
   */
  vector(catalog: number, space: number, id: string): StoredVector | undefined
  /** Removes some vectors of a space that no store uses. @returns whether any are left */
  eraseVectors(catalog: number, space: number, limit: number): Promise<boolean>
  /** Returns all catalogs with rows, including those that no store points at. */
  catalogs(): number[]
  /** Removes some rows of a catalog that no store points at. @returns whether any are left */
  eraseSome(catalog: number, limit: number): Promise<boolean>
  /**
   * Commits changes, all or nothing. Resolves after the data is on disk and visible to every later
   * read. Rejects with ApiError `unavailable` if nothing was changed. One call at a time.
   */
  commit(changes: Changes): Promise<void>
}

/** A store on disk: what every thread knows, and what only the writer needs. */
export interface StoreRow extends StoreRecord {
  readonly storeNumber: number
  readonly catalog: number
  readonly schema: Schema | undefined
  /** Number of the serving index; equals the number of the catalog until the language changes. */
  readonly index: number
  /** The analyzer of that index (`Analyzer.language`). */
  readonly language: string
  /** Another index of the same documents that is being built to replace it. */
  readonly reanalysis?: Reanalysed
  /** The fields that the last change of the schema redefined, as they were. */
  readonly previousFields?: readonly DeclaredField[]
  /** The progress of the vectors in the spaces of its schema; absent: it never had any. */
  readonly embedding?: EmbeddingProgress
}

export interface EmbeddingProgress {
  /** The number of the next space. */
  readonly nextSpace: number
  /** By space: all documents with lower docKeys have the vector they should have; absent: none. */
  readonly from: Readonly<Record<number, number>>
  /** Spaces that are no longer used, and whose vectors may still be on disk. */
  readonly retired: readonly number[]
}

/** A vector that was made of a document. */
export interface StoredVector {
  /** Of the text that it was made of. */
  readonly digest: Uint8Array
  /** Its numbers as signed bytes: only its direction counts. */
  readonly codes: Int8Array
}

/** Names a vector within a catalog. */
export interface VectorName {
  readonly space: number
  readonly id: string
}

/** What an index that replaces the serving one has. */
export interface Reanalysed {
  readonly index: number
  readonly language: string
  /** Fields of the schema that it defines otherwise; absent: none. */
  readonly fields?: readonly DeclaredField[]
}

export interface CatalogCounters {
  /** Greater than every docKey assigned so far. */
  readonly nextDocKey: number
  readonly docCount: number
  /** JSON bytes of the live documents. */
  readonly documentBytes: number
  /** Milliseconds since 1970; 0 before the first write. */
  readonly lastWriteMs: number
}

export const NO_COUNTERS: CatalogCounters = {
  nextDocKey: 1,
  docCount: 0,
  documentBytes: 0,
  lastWriteMs: 0,
}

/** A range of docKeys, both ends included. */
export interface DocKeyRange {
  from: number
  readonly to: number
}

export interface ScanPage {
  readonly documents: readonly StoredDocument[]
  /** The docKey to continue from; `undefined` at the end of the range. */
  readonly next: number | undefined
}

/** The changes of one commit. */
export interface Changes {
  readonly stores: readonly StoreRow[]
  /** Removed stores; their resources are removed too. */
  readonly removedStores: readonly number[]
  readonly resources?: readonly (ResourceChange & { readonly storeNumber: number })[]
  readonly catalogs: readonly CatalogChanges[]
}

export interface CatalogChanges {
  readonly catalog: number
  readonly counters?: CatalogCounters | undefined
  /** New versions; each becomes the live one of its id. */
  readonly puts: readonly NewVersion[]
  /** Ids that no longer name a document. */
  readonly removedIds: readonly string[]
  /** Versions that are no longer live. */
  readonly buried: readonly number[]
  /** Buried versions whose rows are removed now. */
  readonly reaped: readonly number[]
  /** Vectors that are put and removed; absent: none. */
  readonly vectors?: {
    readonly puts: readonly (VectorName & StoredVector)[]
    readonly removes: readonly VectorName[]
  }
}

export interface NewVersion {
  readonly docKey: number
  /** The docKey of the first version since it was inserted; absent: this is it. */
  readonly inserted?: number
  readonly id: string
  readonly json: Uint8Array
}

import type { Schema } from '@aisle/engine'
import type { UserRow } from '../domain/access/access-table.ts'
import type { AuditEntry } from '../domain/access/audit.ts'
import type { Resource } from '../domain/store/resource.ts'
import type { StoredDocument } from '../ports/catalog/document-reader.ts'
import type { EmbeddingProgress, StoredVector } from '../ports/catalog/document-store.ts'
import type { StoreRecord } from '../ports/catalog/store-registry.ts'

/** Searches of a store in one month, for its quota. */
export interface MonthOfSearches {
  readonly createdAt: string
  readonly month: number
  readonly searches: number
}

/** A store without its documents and events. */
export interface StoreState {
  readonly record: StoreRecord
  readonly schema: Schema | undefined
  /** The language in which its documents are analysed, or will be. */
  readonly language: string
  readonly resources: readonly Resource[]
  /** Upper bound of the docKeys assigned so far. */
  readonly nextDocKey: number
  readonly docCount: number
  readonly documentBytes: number
  /** Milliseconds since 1970; 0: nothing was written yet. */
  readonly lastWriteMs: number
  readonly searches: MonthOfSearches | undefined
  /** Of the vectors in the spaces of its schema; absent: it never had any. */
  readonly embedding?: EmbeddingProgress | undefined
}

/** A document with the vectors that were made of its text as it is now. */
export interface InstalledDocument extends StoredDocument {
  readonly vectors: readonly (StoredVector & { readonly space: number })[]
}

/**
 * All data of an installation, in a folder or on a cluster, to be read in order. Sessions are left
 * out, as in a restored snapshot, because one that was ended must not work again.
 */
export interface Installation {
  /** Digest of the admin token. */
  readonly adminDigest: string | undefined
  /** Folder of the event logs; only those of `stores` count. */
  readonly events: string
  readonly users: readonly UserRow[]
  readonly stores: readonly StoreState[]
  /** The audit log, the oldest entries first. */
  audit(): AsyncIterable<readonly AuditEntry[]>
  /** Documents with larger docKeys, ascending. */
  documents(store: StoreState, after: number): AsyncIterable<readonly InstalledDocument[]>
  close(): Promise<void>
}

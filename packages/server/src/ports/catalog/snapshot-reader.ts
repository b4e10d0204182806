import type { Schema } from '@aisle/engine'
import type { Resource } from '../../domain/store/resource.ts'
import type { DocumentScan, WalkPlace } from './document-reader.ts'

/** A store as a snapshot has it. */
export interface StoreInSnapshot {
  readonly storeId: string
  readonly name: string
  readonly createdAt: string
  readonly docCount: number
  /** Bytes of the JSON of its documents. */
  readonly documentBytes: number
}

/** A store of a snapshot, to be read in a series of pages. */
export interface OpenSnapshotStore extends StoreInSnapshot {
  readonly schema: Schema | undefined
  /** Settings, sets, presets and rules. */
  readonly resources: readonly Resource[]
  /** Documents in the order of their insertion. A damaged one ends it with `snapshot_failed`. */
  scan(after?: WalkPlace): DocumentScan
  /** Closes its scans too. */
  close(): Promise<void>
}

/**
 * Reads stores out of snapshots that a SnapshotKeeper keeps. Each call throws `snapshot_not_found`,
 * `snapshot_failed` if the snapshot is damaged or from a newer version, and `restore_unsupported`
 * where snapshots can only be restored as a whole.
 */
export interface SnapshotReader {
  /** Sorted by id. */
  stores(name: string): Promise<readonly StoreInSnapshot[]>
  /** Throws `store_not_found` too. The caller closes it. */
  open(name: string, storeId: string): Promise<OpenSnapshotStore>
}

import type { Snapshot } from '@aisle/contract'

export type { Snapshot }

/** Consistent copies of all data, each as of one moment, created while the service runs. */
export interface SnapshotKeeper {
  /**
   * Creates a snapshot. Resolves when the copy is on disk and was opened, read row by row and
   * counted. Throws `unavailable` while another one is being created, and `snapshot_failed` if it
   * fails; a failed snapshot is removed.
   */
  create(): Promise<Snapshot>
  /** Newest first. */
  list(): Promise<Snapshot[]>
  /**
   * Reads and counts a snapshot again. Throws `snapshot_not_found`, and `snapshot_failed` if it is
   * damaged.
   */
  verify(name: string): Promise<Snapshot>
  /** Throws `snapshot_not_found`. */
  remove(name: string): Promise<void>
}

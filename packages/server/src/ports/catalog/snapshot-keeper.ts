import type { Snapshot } from '@aisle/contract'

export type { Snapshot }

/** Consistent copies of all data, each as of one moment, created while the service runs. */
export interface SnapshotKeeper {
  /**
   * Resolves when the copy is on disk and was opened, read row by row and counted. Throws
   * `unavailable` while another one is being made, and `snapshot_failed` when it fails: then
   * nothing is left of it.
   */
  create(): Promise<Snapshot>
  /** The newest first. */
  list(): Promise<Snapshot[]>
  /**
   * Reads and counts it again. Throws `snapshot_not_found`, and `snapshot_failed` when it is
   * damaged.
   */
  verify(name: string): Promise<Snapshot>
  /** Throws `snapshot_not_found`. */
  remove(name: string): Promise<void>
}

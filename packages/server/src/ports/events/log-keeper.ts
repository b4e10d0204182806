import type { AppendBatch, ErasedIds } from '@aisle/event-log'

/**
 * The event logs of all stores, by name, for the thread that owns them. Readers need not know
 * whether the primary data is in the folder or in a cluster: they read the files of each log in one
 * folder with `readLog`, up to `end`.
 */
export interface LogKeeper {
  /**
   * Resolves when the batch is durable. Throws AppendError, DayFullError, or an ApiError.
   *
   * @returns indexes of the records that were known, or whose visitor was erased
   */
  append(name: string, batch: AppendBatch): Promise<{ readonly duplicates: readonly number[] }>
  /** Returns what `append` would report as duplicates, and stores nothing. */
  known(name: string, records: Uint8Array): readonly number[] | Promise<readonly number[]>
  /**
   * Returns the position up to which a log may be read: it covers everything acknowledged before.
   */
  end(name: string): number | Promise<number>
  /**
   * Returns readable positions of logs that have grown recently; they need not cover everything.
   */
  ends(): ReadonlyMap<string, number>
  /** Erases the content of records permanently. @param positions ascending */
  erase(name: string, positions: readonly number[]): Promise<void>
  /** Rejects events of a visitor that happened before now. */
  bar(name: string, visitor: ErasedIds): Promise<void>
  /** Removes events that arrived before a time, in whole segments. @returns bytes freed */
  dropBefore(name: string, receivedMs: number): Promise<number>
  /**
   * Removes the logs of deleted stores.
   *
   * @param living limit of each log in bytes per day
   */
  sweep(living: ReadonlyMap<string, number>): Promise<void>
  close(): Promise<void>
}

import type { AppendBatch, ErasedIds } from '@aisle/event-log'

/**
 * The event logs of all stores, by name, as the thread has them that owns them. Where the truth is,
 * in the folder or in a cluster, its readers need not know: they find the files of each log in one
 * folder, to be read up to `end` with `readLog`.
 */
export interface LogKeeper {
  /**
   * Resolves when the batch is stored for good. Throws AppendError, DayFullError, or an ApiError.
   *
   * @returns places, among the records, of those that were known, or whose visitor was erased
   */
  append(name: string, batch: AppendBatch): Promise<{ readonly duplicates: readonly number[] }>
  /** What `append` would name as duplicates. Nothing is kept. */
  known(name: string, records: Uint8Array): readonly number[] | Promise<readonly number[]>
  /** How far a log may be read: over everything that was acknowledged before. */
  end(name: string): number | Promise<number>
  /** How far those may be read that have grown lately; not necessarily all of it. */
  ends(): ReadonlyMap<string, number>
  /** Takes the content out of records for good. @param positions ascending */
  erase(name: string, positions: readonly number[]): Promise<void>
  /** Takes no event of a visitor any more that happened before now. */
  bar(name: string, visitor: ErasedIds): Promise<void>
  /** Removes events that arrived before a time, in whole segments. @returns bytes freed */
  dropBefore(name: string, receivedMs: number): Promise<number>
  /**
   * Removes the logs of stores that are gone.
   *
   * @param living what each log may take in a day, in bytes
   */
  sweep(living: ReadonlyMap<string, number>): Promise<void>
  close(): Promise<void>
}

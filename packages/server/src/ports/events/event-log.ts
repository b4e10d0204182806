import type { Identification, LogEntry, RefusedEvent, VisitorEvent } from '@aisle/event-log'
import type { StoreRecord } from '../catalog/store-registry.ts'

/** The owner of a log: a store recreated under the same id is another store. */
export type LogOwner = Pick<StoreRecord, 'storeId' | 'createdAt'>

/** The events of one request, checked. */
export interface EventBatch {
  readonly entries: readonly (VisitorEvent | Identification)[]
  /** Answered but not stored: counted in the log, shown in the live tail. */
  readonly refused: readonly RefusedEvent[]
}

/** The live tail's view of one batch. */
export interface TailBatch {
  readonly entries: readonly LogEntry[]
  /** Indexes of entries with a known message id. */
  readonly duplicates: readonly number[]
  readonly refused: readonly RefusedEvent[]
}

/** The log of visitor events, per store. Read it with `readLog` of `@aisle/event-log`. */
export interface EventLog {
  /**
   * Resolves when every entry is on disk, here or from an earlier time. Throws `unavailable` when
   * the log has too much to do, or the disk does not take it: then nothing is promised, and sending
   * the same again counts nothing twice.
   *
   * @returns places of the entries whose message id was known
   */
  append(owner: LogOwner, batch: EventBatch): Promise<readonly number[]>
  /**
   * What `append` would name: places of the entries whose message id is known, or whose visitor was
   * erased since. Nothing is kept.
   */
  known(owner: LogOwner, entries: EventBatch['entries']): Promise<readonly number[]>
  /**
   * Appends soon, promises nothing, costs the caller next to nothing: for events that nobody waits
   * for. @returns false when there was no room for it
   */
  offer(owner: LogOwner, event: VisitorEvent): boolean
  /**
   * Calls the listener with everything that is accepted from now on.
   * @returns a function that ends it
   */
  tail(owner: LogOwner, listener: (batch: TailBatch) => void): () => void
}

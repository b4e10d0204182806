import type { Identification, LogEntry, RefusedEvent, VisitorEvent } from '@aisle/events'
import type { StoreRecord } from './store-registry.ts'

/** The owner of a log: a store recreated under the same id is another store. */
export type LogOwner = Pick<StoreRecord, 'storeId' | 'createdAt'>

/** The events of one request, checked. */
export interface EventBatch {
  readonly entries: readonly (VisitorEvent | Identification)[]
  /** Answered and not stored: counted in the log, shown in the live tail. */
  readonly refused: readonly RefusedEvent[]
}

/** What the live tail hears of one batch. */
export interface TailBatch {
  readonly entries: readonly LogEntry[]
  /** Places of entries that were known already. */
  readonly duplicates: readonly number[]
  readonly refused: readonly RefusedEvent[]
}

/** The log of what visitors did, per store. Readers of it: `readLog` of `@aisle/events`. */
export interface EventLog {
  /**
   * Resolves when every entry is on disk, here or from an earlier time. Throws `unavailable` when the
   * log has too much to do, or the disk does not take it: then nothing is promised, and sending the
   * same again counts nothing twice.
   *
   * @returns places of the entries whose message id was known
   */
  append(owner: LogOwner, batch: EventBatch): Promise<readonly number[]>
  /**
   * Appends soon, promises nothing, costs the caller next to nothing: for events that nobody waits
   * for. @returns false when there was no room for it
   */
  offer(owner: LogOwner, event: VisitorEvent): boolean
  /** Calls the listener with everything that is taken from now on. @returns ends it */
  tail(owner: LogOwner, listener: (batch: TailBatch) => void): () => void
}

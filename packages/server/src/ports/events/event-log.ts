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
  readonly receivedMs: number
  readonly entries: readonly LogEntry[]
  /** Indexes of entries with a known message id. */
  readonly duplicates: readonly number[]
  readonly refused: readonly RefusedEvent[]
}

/** The log of visitor events, per store. Read it with `readLog` of `@aisle/event-log`. */
export interface EventLog {
  /**
   * Resolves when every entry is on disk, from this or an earlier call. Throws `unavailable` if the
   * log is overloaded or the disk rejects the write; the client can then send the same again,
   * because duplicates do not count twice.
   *
   * @returns indexes of the entries whose message id was known
   */
  append(owner: LogOwner, batch: EventBatch): Promise<readonly number[]>
  /**
   * Returns what `append` would return, and stores nothing: indexes of the entries whose message id
   * is known, or whose visitor was erased since.
   */
  known(owner: LogOwner, entries: EventBatch['entries']): Promise<readonly number[]>
  /**
   * Appends in the background, at nearly no cost and without a guarantee, for events that nobody
   * waits for.
   * @returns false if the queue is full
   */
  offer(owner: LogOwner, event: VisitorEvent): boolean
  /**
   * Returns what arrived a while ago, the oldest first, as far as it is in memory. What a listener
   * is told before this is answered is part of it, and what it is told after is not.
   */
  recent(owner: LogOwner): Promise<readonly TailBatch[]>
  /**
   * Calls the listener with everything accepted from now on. @returns a function that removes it
   */
  tail(owner: LogOwner, listener: (batch: TailBatch) => void): () => void
}

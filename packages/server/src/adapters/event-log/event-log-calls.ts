import type { ErasedIds, RefusedEvent, TallyCount } from '@aisle/event-log'
import { ApiError } from '@aisle/contract'

/** The calls that other threads may make to the thread that owns the event logs. */
export interface EventLogCalls {
  readonly logs: LogCalls
}

/** Event logs by name. A call that fails throws `unavailable`. */
export interface LogCalls {
  /**
   * @param records in the format of the disk
   * @param refused the events of `counts` that the live tail shows
   * @returns indexes of entries with a known message id; throws `quota_exceeded`
   */
  append(
    log: string,
    records: Uint8Array<ArrayBuffer>,
    counts: readonly TallyCount[],
    refused: readonly RefusedEvent[],
  ): Promise<readonly number[]>
  /** Returns the indexes that `append` would return. Nothing is stored. */
  known(log: string, records: Uint8Array<ArrayBuffer>): Promise<readonly number[]>
  /** Returns how far a log may be read. */
  end(log: string): Promise<number>
  /** Returns the same for all recently written logs. */
  ends(): Promise<ReadonlyMap<string, number>>
  /** Erases the content of the records at these positions, ascending. */
  erase(log: string, positions: readonly number[]): Promise<void>
  /** Rejects all events of a visitor that happened before now. */
  bar(log: string, visitor: ErasedIds): Promise<void>
  /** Removes segments whose events all arrived before a time. @returns bytes freed */
  dropBefore(log: string, receivedMs: number): Promise<number>
  /** Returns what arrived a while ago, the oldest first; everything later reaches subscribers. */
  recent(log: string): Promise<readonly TailedRecords[]>
  /** Subscribes the calling thread to the events of a log, or unsubscribes it. */
  tail(log: string, isOn: boolean): void
}

/** The calls that the event log thread may make to a listening thread. */
export interface TailCalls {
  readonly tail: { take(batch: TailedRecords): void }
}

export interface TailedRecords {
  readonly log: string
  readonly receivedMs: number
  readonly records: Uint8Array
  readonly duplicates: readonly number[]
  readonly refused: readonly RefusedEvent[]
}

/** @param why after "Cannot accept events now: " */
export function logUnavailable(why: string): ApiError {
  return new ApiError('unavailable', `Cannot accept events now: ${why}`, { retryAfterSeconds: 1 })
}

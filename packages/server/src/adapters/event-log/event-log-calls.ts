import type { ErasedIds, RefusedEvent, TallyCount } from '@aisle/event-log'
import { ApiError } from '@aisle/contract'

/** What other threads may call in the thread that owns the event logs. */
export interface EventLogCalls {
  readonly logs: LogCalls
}

/** Event logs by name. What cannot be done throws `unavailable`. */
export interface LogCalls {
  /**
   * @param records as they will lie on disk
   * @param refused of `counts`, those that the live tail shows
   * @returns indexes of entries with a known message id; throws `quota_exceeded`
   */
  append(
    log: string,
    records: Uint8Array<ArrayBuffer>,
    counts: readonly TallyCount[],
    refused: readonly RefusedEvent[],
  ): Promise<readonly number[]>
  /** Indexes of the records that `append` would name. Nothing is kept. */
  known(log: string, records: Uint8Array<ArrayBuffer>): Promise<readonly number[]>
  /** How far may a log be read? */
  end(log: string): Promise<number>
  /** The same of all logs that were written to lately. */
  ends(): Promise<ReadonlyMap<string, number>>
  /** Takes the content out of the records at these positions, ascending. */
  erase(log: string, positions: readonly number[]): Promise<void>
  /** Takes no event of a visitor any more that happened before now. */
  bar(log: string, visitor: ErasedIds): Promise<void>
  /** Removes segments whose events all arrived before a time. @returns bytes freed */
  dropBefore(log: string, receivedMs: number): Promise<number>
  /** Whether the calling thread wants to hear of what a log takes. */
  tail(log: string, isOn: boolean): void
}

/** What the thread of the event logs may call in a thread that listens. */
export interface TailCalls {
  readonly tail: { take(batch: TailedRecords): void }
}

export interface TailedRecords {
  readonly log: string
  readonly records: Uint8Array
  readonly duplicates: readonly number[]
  readonly refused: readonly RefusedEvent[]
}

/** @param why after "Cannot take events now: " */
export function logUnavailable(why: string): ApiError {
  return new ApiError('unavailable', `Cannot take events now: ${why}`, { retryAfterSeconds: 1 })
}

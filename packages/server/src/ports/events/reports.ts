import type { Journey, JourneyQuery, ReportCounts, ReportQuery, VisitorIds } from '@aisle/event-log'
import type { LogOwner } from './event-log.ts'

/** The result of retention. */
export interface DroppedLog {
  readonly bytesFreed: number
  /** Arrival time of the oldest remaining event. */
  readonly oldestReceivedMs: number | undefined
}

/**
 * Reports on the event logs, and changes to whole logs. A report counts every event acknowledged
 * before the call.
 *
 * Throws `unavailable` while there is much to read first, and if the thread for reports is busy.
 */
export interface Reports {
  count(owner: LogOwner, query: ReportQuery): Promise<ReportCounts>
  /**
   * Returns what a visitor did: the events that `erase` would remove. A page may end early if the
   * events are large.
   */
  journey(owner: LogOwner, query: JourneyQuery): Promise<Journey>
  /** Rebuilds all data that reports are counted from. @returns the number of entries read */
  rebuild(owner: LogOwner): Promise<number>
  /**
   * Erases the events of a visitor from the log and the reports permanently: those with the given
   * ids; for a user id also those of anonymous and session ids that only this user had, if they
   * name no user. @returns the number of events
   */
  erase(owner: LogOwner, visitor: VisitorIds): Promise<number>
  /** Removes events that arrived before a time, in whole files of the log. */
  dropBefore(owner: LogOwner, receivedMs: number): Promise<DroppedLog>
}

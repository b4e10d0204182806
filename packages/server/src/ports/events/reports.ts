import type { Journey, JourneyQuery, ReportCounts, ReportQuery, VisitorIds } from '@aisle/event-log'
import type { LogOwner } from './event-log.ts'

/** The result of retention. */
export interface DroppedLog {
  readonly bytesFreed: number
  /** Arrival time of the oldest remaining event. */
  readonly oldestReceivedMs: number | undefined
}

/**
 * Reports on what is in the event logs, and what changes them as a whole. Every event that was
 * answered before a call is counted in it.
 *
 * Throws `unavailable` while there is much to read first, and when the thread that makes reports is
 * busy.
 */
export interface Reports {
  count(owner: LogOwner, query: ReportQuery): Promise<ReportCounts>
  /**
   * What a visitor did: the events that `erase` would remove. A page may end early, when the events
   * are large.
   */
  journey(owner: LogOwner, query: JourneyQuery): Promise<Journey>
  /** Rebuilds everything that reports are counted from. @returns entries that were read */
  rebuild(owner: LogOwner): Promise<number>
  /**
   * Takes the events of a visitor out of the log and of the reports, for good: those with the ids
   * given, and for a user id those of anonymous and session ids that were this user's and nobody
   * else's, as far as they name no user. @returns how many
   */
  erase(owner: LogOwner, visitor: VisitorIds): Promise<number>
  /** Removes events that arrived before a time, in whole files of the log. */
  dropBefore(owner: LogOwner, receivedMs: number): Promise<DroppedLog>
}

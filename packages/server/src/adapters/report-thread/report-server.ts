import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import type { Journey, JourneyQuery, ReportCounts, ReportQuery, VisitorIds } from '@aisle/event-log'
import type { DroppedLog } from '../../ports/events/reports.ts'
import { serveCalls } from '../message-port/serve-calls.ts'

/** Reports by the name of a log: the methods of the thread. */
export interface LogReports {
  count(log: string, query: ReportQuery): Promise<ReportCounts>
  journey(log: string, query: JourneyQuery): Promise<Journey>
  rebuild(log: string): Promise<number>
  erase(log: string, visitor: VisitorIds): Promise<number>
  dropBefore(log: string, receivedMs: number): Promise<DroppedLog>
}

/** The calls that a serving thread may make to the reports thread. */
export interface ReportCalls {
  readonly reports: LogReports
}

/** The thread's side: answers calls from a port. */
export function serveReports(
  port: MessagePort,
  reports: LogReports,
  onError: (error: unknown) => void,
): void {
  serveCalls<ReportCalls>(port, { reports }, (error) => {
    onError(error)
    return new ApiError('internal', 'The report failed')
  })
}

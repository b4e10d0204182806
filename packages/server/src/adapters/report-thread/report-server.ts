import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import type { ReportCounts, ReportQuery } from '@aisle/events'
import type { DroppedLog, ErasedVisitor } from '../../ports/reports.ts'
import type { FromReportThread, ReportCall, ToReportThread } from './messages.ts'

/** Reports by the name of a log: what the thread has to offer. */
export interface LogReports {
  count(log: string, query: ReportQuery): Promise<ReportCounts>
  rebuild(log: string): Promise<number>
  erase(log: string, visitor: ErasedVisitor): Promise<number>
  dropBefore(log: string, receivedMs: number): Promise<DroppedLog>
}

/** The thread's side: answers the calls that come through a port. */
export function serveReports(
  port: MessagePort,
  reports: LogReports,
  onError: (error: unknown) => void,
): void {
  port.on('message', ({ callId, call }: ToReportThread) => {
    const tell = (message: FromReportThread): void => port.postMessage(message)
    perform(reports, call).then(
      (result) => tell({ callId, result }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) onError(error)
        const { code, message, retryAfterSeconds } =
          error instanceof ApiError ? error : new ApiError('internal', 'The report failed')
        tell({ callId, failure: { code, message, retryAfterSeconds } })
      },
    )
  })
}

function perform(reports: LogReports, call: ReportCall): Promise<unknown> {
  switch (call.kind) {
    case 'count':
      return reports.count(call.log, call.query)
    case 'rebuild':
      return reports.rebuild(call.log)
    case 'erase':
      return reports.erase(call.log, call.visitor)
    case 'dropBefore':
      return reports.dropBefore(call.log, call.receivedMs)
  }
}

import type { ErrorCode } from '@aisle/contract'
import type { ReportQuery } from '@aisle/events'
import type { ErasedVisitor } from '../../ports/reports.ts'

/** What a serving thread asks the thread of the reports, each with a number that the answer has too. */
export type ReportCall =
  | { readonly kind: 'count'; readonly log: string; readonly query: ReportQuery }
  | { readonly kind: 'rebuild'; readonly log: string }
  | { readonly kind: 'erase'; readonly log: string; readonly visitor: ErasedVisitor }
  | { readonly kind: 'dropBefore'; readonly log: string; readonly receivedMs: number }

export interface ToReportThread {
  readonly callId: number
  readonly call: ReportCall
}

export type FromReportThread =
  | { readonly callId: number; readonly result: unknown }
  | {
      readonly callId: number
      readonly failure: {
        readonly code: ErrorCode
        readonly message: string
        readonly retryAfterSeconds: number | undefined
      }
    }

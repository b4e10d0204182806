import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import { logNameOf } from '@aisle/events'
import type { ReportCounts, ReportQuery } from '@aisle/events'
import type { LogOwner } from '../../ports/event-log.ts'
import type { DroppedLog, ErasedVisitor, Reports } from '../../ports/reports.ts'
import type { FromReportThread, ReportCall, ToReportThread } from './messages.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Reports for a serving thread: asks the thread that makes them. */
export class ReportClient implements Reports {
  #port: MessagePort | undefined
  readonly #calls = new Map<number, Waiting>()
  #callCount = 0

  /** The port of the thread; a new one when the thread was replaced. */
  connect(port: MessagePort): void {
    this.#port = port
    port.on('message', (message: FromReportThread) => this.#receive(message))
    port.on('close', () => {
      if (this.#port !== port) return
      this.#port = undefined
      for (const { reject } of this.#calls.values()) reject(starting())
      this.#calls.clear()
    })
  }

  count(owner: LogOwner, query: ReportQuery): Promise<ReportCounts> {
    return this.#call({ kind: 'count', log: logNameOf(owner), query }) as Promise<ReportCounts>
  }

  rebuild(owner: LogOwner): Promise<number> {
    return this.#call({ kind: 'rebuild', log: logNameOf(owner) }) as Promise<number>
  }

  erase(owner: LogOwner, visitor: ErasedVisitor): Promise<number> {
    return this.#call({ kind: 'erase', log: logNameOf(owner), visitor }) as Promise<number>
  }

  dropBefore(owner: LogOwner, receivedMs: number): Promise<DroppedLog> {
    const log = logNameOf(owner)
    return this.#call({ kind: 'dropBefore', log, receivedMs }) as Promise<DroppedLog>
  }

  #call(call: ReportCall): Promise<unknown> {
    const port = this.#port
    if (port === undefined) return Promise.reject(starting())
    const callId = ++this.#callCount
    return new Promise((resolve, reject) => {
      this.#calls.set(callId, { resolve, reject })
      port.postMessage({ callId, call } satisfies ToReportThread)
    })
  }

  #receive(message: FromReportThread): void {
    const waiting = this.#calls.get(message.callId)
    this.#calls.delete(message.callId)
    if (waiting === undefined) return
    if ('result' in message) {
      waiting.resolve(message.result)
      return
    }
    const { code, message: text, retryAfterSeconds } = message.failure
    const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
    waiting.reject(new ApiError(code, text, retry))
  }
}

function starting(): ApiError {
  return new ApiError('unavailable', 'The thread of the reports is starting', {
    retryAfterSeconds: 1,
  })
}

import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import { logNameOf } from '@aisle/events'
import type { ReportCounts, ReportQuery } from '@aisle/events'
import type { LogOwner } from '../../ports/event-log.ts'
import type { DroppedLog, ErasedVisitor, Reports } from '../../ports/reports.ts'
import { PortCalls } from '../message-port/port-calls.ts'
import type { ReportCalls } from './report-server.ts'

/** Reports for a serving thread: asks the thread that makes them. */
export class ReportClient implements Reports {
  #port: MessagePort | undefined
  #calls: PortCalls<ReportCalls> | undefined

  /** The port of the thread; a new one when the thread was replaced. */
  connect(port: MessagePort): void {
    this.#port = port
    this.#calls = new PortCalls<ReportCalls>(port, starting)
    port.on('close', () => {
      if (this.#port === port) this.#calls = undefined
    })
  }

  async count(owner: LogOwner, query: ReportQuery): Promise<ReportCounts> {
    return await this.#thread().call('reports', 'count', [logNameOf(owner), query])
  }

  async rebuild(owner: LogOwner): Promise<number> {
    return await this.#thread().call('reports', 'rebuild', [logNameOf(owner)])
  }

  async erase(owner: LogOwner, visitor: ErasedVisitor): Promise<number> {
    return await this.#thread().call('reports', 'erase', [logNameOf(owner), visitor])
  }

  async dropBefore(owner: LogOwner, receivedMs: number): Promise<DroppedLog> {
    return await this.#thread().call('reports', 'dropBefore', [logNameOf(owner), receivedMs])
  }

  /** @throws ApiError unavailable while there is none */
  #thread(): PortCalls<ReportCalls> {
    if (this.#calls === undefined) throw starting()
    return this.#calls
  }
}

function starting(): ApiError {
  return new ApiError('unavailable', 'The thread of the reports is starting', {
    retryAfterSeconds: 1,
  })
}

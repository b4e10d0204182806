import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import { logNameOf } from '@aisle/event-log'
import type { Journey, JourneyQuery, ReportCounts, ReportQuery, VisitorIds } from '@aisle/event-log'
import type { LogOwner } from '../../ports/events/event-log.ts'
import type { DroppedLog, Reports } from '../../ports/events/reports.ts'
import { PortCalls } from '../message-port/port-calls.ts'
import type { ReportCalls } from './report-server.ts'

/** Reports for a serving thread, requested from the thread that produces them. */
export class ReportClient implements Reports {
  readonly #calls = new PortCalls<ReportCalls>(starting)

  /** The port of the thread; a new one when the thread was replaced. */
  connect(port: MessagePort): void {
    this.#calls.connect(port)
  }

  count(owner: LogOwner, query: ReportQuery): Promise<ReportCounts> {
    return this.#calls.call('reports', 'count', [logNameOf(owner), query])
  }

  journey(owner: LogOwner, query: JourneyQuery): Promise<Journey> {
    return this.#calls.call('reports', 'journey', [logNameOf(owner), query])
  }

  rebuild(owner: LogOwner): Promise<number> {
    return this.#calls.call('reports', 'rebuild', [logNameOf(owner)])
  }

  erase(owner: LogOwner, visitor: VisitorIds): Promise<number> {
    return this.#calls.call('reports', 'erase', [logNameOf(owner), visitor])
  }

  dropBefore(owner: LogOwner, receivedMs: number): Promise<DroppedLog> {
    return this.#calls.call('reports', 'dropBefore', [logNameOf(owner), receivedMs])
  }
}

function starting(): ApiError {
  return new ApiError('unavailable', 'The reports thread is starting', {
    retryAfterSeconds: 1,
  })
}

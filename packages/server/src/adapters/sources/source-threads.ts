import { Worker } from 'node:worker_threads'
import { ApiError, type SourcePreview } from '@aisle/contract'
import {
  isWooCommercePing,
  readWebhook,
  SourceError,
  SourceNetworks,
  sendJson,
} from '@aisle/sources'
import type {
  SourceReading,
  SourceReadings,
  SourceRequest,
} from '../../ports/catalog/source-readings.ts'
import { PortCalls } from '../message-port/port-calls.ts'

export interface SourceThreadData {
  readonly request: SourceRequest
  readonly networks: readonly string[]
}

/** The calls of a service to the thread of a reading. */
export interface SourceThreadCalls {
  readonly reading: SourceReading & {
    preview(rows: number): Promise<SourcePreview>
    drop(): Promise<void>
  }
}

/** Heap of a reading. A source that needs more ends its thread, and nothing else. */
const HEAP_MAX_MEGABYTES = 512
/** Of these, for new objects: rows are short-lived, and a larger part is no faster. */
const YOUNG_MAX_MEGABYTES = 12
const CLOSE_MAX_MS = 5_000

/** Reads each source in a separate thread, which ends with the reading. */
export class SourceThreads implements SourceReadings {
  readonly #entry: URL
  readonly #networks: readonly string[]

  /**
   * @param entry file of the thread
   * @param networks that sources may reach besides public addresses
   */
  constructor(entry: URL, networks: readonly string[]) {
    this.#entry = entry
    this.#networks = networks
  }

  open(request: SourceRequest, signal: AbortSignal): SourceReading {
    const { calls, end } = this.#start(request, signal)
    return {
      remember: (part, isOutdated) => calls.call('reading', 'remember', [part, isOutdated]),
      compact: (part) => calls.call('reading', 'compact', [part]),
      next: () => calls.call('reading', 'next', []),
      figures: () => calls.call('reading', 'figures', []),
      missing: (part) => calls.call('reading', 'missing', [part]),
      nextChanges: (position) => calls.call('reading', 'nextChanges', [position]),
      someNow: (ids, position) => calls.call('reading', 'someNow', [ids, position]),
      acknowledge: (position) => calls.call('reading', 'acknowledge', [position]),
      close: end,
    }
  }

  async preview(request: SourceRequest, rows: number, signal: AbortSignal): Promise<SourcePreview> {
    const { calls, end } = this.#start(request, signal)
    try {
      return await calls.call('reading', 'preview', [rows])
    } finally {
      await end()
    }
  }

  async drop(request: SourceRequest, signal: AbortSignal): Promise<void> {
    const { calls, end } = this.#start(request, signal)
    try {
      await calls.call('reading', 'drop', [])
    } finally {
      await end()
    }
  }

  readonly readWebhook = readWebhook
  readonly isPing = isWooCommercePing

  requireAllowed(host: string): void {
    try {
      new SourceNetworks(this.#networks).requireAllowed(host)
    } catch (error) {
      throw asApiError(error)
    }
  }

  async notify(url: string, body: string): Promise<void> {
    try {
      await sendJson(url, body, new SourceNetworks(this.#networks))
    } catch (error) {
      throw asApiError(error)
    }
  }

  #start(
    request: SourceRequest,
    signal: AbortSignal,
  ): { readonly calls: PortCalls<SourceThreadCalls>; readonly end: () => Promise<void> } {
    signal.throwIfAborted()
    const worker = new Worker(this.#entry, {
      workerData: { request, networks: this.#networks } satisfies SourceThreadData,
      name: 'source',
      resourceLimits: {
        maxOldGenerationSizeMb: HEAP_MAX_MEGABYTES,
        maxYoungGenerationSizeMb: YOUNG_MAX_MEGABYTES,
      },
    })
    let reason = 'The reading ended unexpectedly'
    worker.on('error', (error) => {
      reason = `The reading ended: ${(error as Error).message}`
    })
    const calls = new PortCalls<SourceThreadCalls>(
      () => new ApiError('source_unreadable', reason),
    ).connect(worker)
    const stop = (): void => void worker.terminate()
    signal.addEventListener('abort', stop, { once: true })
    const end = async (): Promise<void> => {
      signal.removeEventListener('abort', stop)
      const timer = setTimeout(stop, CLOSE_MAX_MS)
      await calls.call('reading', 'close', []).catch(() => undefined)
      clearTimeout(timer)
      await worker.terminate()
    }
    return { calls, end }
  }
}

function asApiError(error: unknown): unknown {
  return error instanceof SourceError
    ? new ApiError('source_unreadable', error.message, { cause: error })
    : error
}

import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort, Transferable } from 'node:worker_threads'
import type { FromReportsThread, ReportsThreadData, ToReportsThread } from './reports-thread.ts'

import type { LivingLog } from './living-logs.ts'

const BACK_OFF_MS = 1_000

export interface ReportsHostOptions {
  readonly thread: ReportsThreadData
  readonly connectEvents: () => MessagePort
  readonly log: (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void
  /** Events were taken out of a log; resolves when what others made of it is gone. */
  readonly onRewritten: (log: string) => Promise<void>
  /** Everybody needs a new port. */
  readonly onReplaced: () => void
}

/**
 * Starts the thread that makes reports, and another one when it dies: its files say how far they have come,
 * and what cannot be used is made again from the logs.
 */
export class ReportsHost {
  readonly #options: ReportsHostOptions
  #worker: Worker
  #closing: (() => void) | undefined

  constructor(options: ReportsHostOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  /** A new port to ask for reports through; goes to the thread that uses it. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#tell({ kind: 'connect', port: port1 }, [port1])
    return port2
  }

  /** The thread of the event logs was replaced. */
  reconnectEvents(): void {
    const port = this.#options.connectEvents()
    this.#tell({ kind: 'events', port }, [port])
  }

  sweep(living: readonly LivingLog[]): void {
    this.#tell({ kind: 'sweep', living })
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#closing = resolve
      this.#tell({ kind: 'close' })
    })
    await this.#worker.terminate()
  }

  #tell(message: ToReportsThread, transfer: readonly Transferable[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  #start(): Worker {
    const { thread, log, onRewritten, onReplaced } = this.#options
    const worker = new Worker(new URL('./reports-thread.ts', import.meta.url), {
      workerData: thread,
      name: 'reports',
    })
    worker.on('message', (message: FromReportsThread) => {
      if (message.kind === 'closed') this.#closing?.()
      else if (message.kind === 'rewritten') {
        const { callId } = message
        void onRewritten(message.log).then(() =>
          worker.postMessage({ kind: 'followed', callId } satisfies ToReportsThread),
        )
      } else
        log('warn', message.message, message.log === undefined ? {} : { eventLog: message.log })
    })
    worker.on('error', (error) => {
      log('error', 'The thread of the reports failed', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    })
    worker.on('exit', () => {
      if (this.#closing !== undefined) {
        this.#closing()
        return
      }
      setTimeout(() => {
        if (this.#closing !== undefined) return
        this.#worker = this.#start()
        onReplaced()
      }, BACK_OFF_MS)
    })
    const events = this.#options.connectEvents()
    worker.postMessage({ kind: 'events', port: events } satisfies ToReportsThread, [events])
    return worker
  }
}

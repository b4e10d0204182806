import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { FromEventsThread, ToEventsThread } from './events-thread.ts'

import type { LivingLog } from './living-logs.ts'

const BACK_OFF_MS = 500

export interface EventsHostOptions {
  readonly folder: string
  readonly log: (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void
  /** Everybody needs a new port. */
  readonly onReplaced: () => void
}

/**
 * Starts the thread that owns the event logs, and another one when it dies: the log is made to be opened
 * again at any moment, and what was not answered is sent again by the clients.
 */
export class EventsHost {
  readonly #options: EventsHostOptions
  #worker: Worker
  #closing: (() => void) | undefined
  /** As of the last sweep, for a thread that takes the place of another. */
  #living: readonly LivingLog[] | undefined

  constructor(options: EventsHostOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  /** A new port to send events through; goes to the thread that uses it. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    const message: ToEventsThread = { kind: 'connect', port: port1 }
    this.#worker.postMessage(message, [port1])
    return port2
  }

  sweep(living: readonly LivingLog[]): void {
    this.#living = living
    this.#worker.postMessage({ kind: 'sweep', living } satisfies ToEventsThread)
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#closing = resolve
      this.#worker.postMessage({ kind: 'close' } satisfies ToEventsThread)
    })
    await this.#worker.terminate()
  }

  #start(): Worker {
    const { folder, log, onReplaced } = this.#options
    const worker = new Worker(new URL('./events-thread.ts', import.meta.url), {
      workerData: { folder },
      name: 'events',
    })
    if (this.#living !== undefined) {
      worker.postMessage({ kind: 'sweep', living: this.#living } satisfies ToEventsThread)
    }
    worker.on('message', (message: FromEventsThread) => {
      if (message.kind === 'closed') this.#closing?.()
      else log('warn', message.message, { eventLog: message.log })
    })
    worker.on('error', (error) => {
      log('error', 'The thread of the event logs failed', {
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
    return worker
  }
}

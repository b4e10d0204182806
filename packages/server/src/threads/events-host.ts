import type { MessagePort } from 'node:worker_threads'
import type { FromEventsThread, ToEventsThread } from './events-thread.ts'
import type { LivingLog } from '../services/events/living-logs.ts'
import { ThreadHost, type ThreadHostOptions } from './thread-host.ts'

export interface EventsHostOptions extends Pick<
  ThreadHostOptions<ToEventsThread, FromEventsThread>,
  'log' | 'onReplaced'
> {
  readonly folder: string
}

/**
 * The thread that owns the event logs. The log is made to be opened again at any moment, and what
 * was not answered is sent again by the clients.
 */
export class EventsHost {
  readonly #host: ThreadHost<ToEventsThread, FromEventsThread>
  /** As of the last sweep, for a thread that takes the place of another. */
  #living: readonly LivingLog[] | undefined

  constructor({ folder, log, onReplaced }: EventsHostOptions) {
    this.#host = new ThreadHost<ToEventsThread, FromEventsThread>({
      name: 'events',
      entry: new URL('./events-thread.ts', import.meta.url),
      start: () => ({
        workerData: { folder },
        messages: this.#living === undefined ? [] : [{ kind: 'sweep', living: this.#living }],
      }),
      receive: (message) => {
        if (message.kind === 'problem') log('warn', message.message, { eventLog: message.log })
      },
      log,
      onReplaced,
    })
  }

  /** A new port to send events through; goes to the thread that uses it. */
  connect(): MessagePort {
    return this.#host.connect()
  }

  sweep(living: readonly LivingLog[]): void {
    this.#living = living
    this.#host.tell({ kind: 'sweep', living })
  }

  close(): Promise<void> {
    return this.#host.close()
  }
}

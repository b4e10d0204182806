import type { MessagePort } from 'node:worker_threads'
import type { EventsThread, EventsThreadHost } from './events-thread.ts'
import type { LivingLog } from '../services/events/living-logs.ts'
import type { LoadedThread } from './activity-book.ts'
import { ThreadHost, type ThreadHostOptions } from './thread-host.ts'

export interface EventsHostOptions extends Pick<
  ThreadHostOptions<EventsThread, EventsThreadHost>,
  'log' | 'onReplaced' | 'startAfter'
> {
  readonly folder: string
}

/**
 * The thread that owns the event logs. The log is made to be opened again at any moment, and what
 * was not answered is sent again by the clients.
 */
export class EventsHost {
  readonly #host: ThreadHost<EventsThread, EventsThreadHost>
  /** As of the last sweep, for a thread that takes the place of another. */
  #living: readonly LivingLog[] | undefined

  constructor({ folder, log, onReplaced, startAfter }: EventsHostOptions) {
    this.#host = new ThreadHost<EventsThread, EventsThreadHost>({
      name: 'events',
      entry: new URL('./events-thread.ts', import.meta.url),
      start: () => ({
        workerData: { folder },
        begin: (thread) => {
          if (this.#living !== undefined) thread.tell('thread', 'sweep', [this.#living])
        },
      }),
      host: { problem: (eventLog, message) => log('warn', message, { eventLog }) },
      log,
      onReplaced,
      ...(startAfter === undefined ? {} : { startAfter }),
    })
  }

  /** Resolves when the thread has answered for the first time. */
  get ready(): Promise<void> {
    return this.#host.ready
  }

  /** For its load. */
  get threads(): readonly LoadedThread[] {
    return this.#host.threads
  }

  /** A new port to send events through; goes to the thread that uses it. */
  connect(): MessagePort {
    return this.#host.connect()
  }

  sweep(living: readonly LivingLog[]): void {
    this.#living = living
    this.#host.thread.tell('thread', 'sweep', [living])
  }

  close(): Promise<void> {
    return this.#host.close()
  }
}

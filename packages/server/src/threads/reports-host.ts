import type { MessagePort } from 'node:worker_threads'
import type { LivingLog } from '../services/events/living-logs.ts'
import type { ReportsThread, ReportsThreadData, ReportsThreadHost } from './reports-thread.ts'
import type { LoadedThread } from './activity-book.ts'
import { ThreadHost, type ThreadHostOptions } from './thread-host.ts'

export interface ReportsHostOptions extends Pick<
  ThreadHostOptions<ReportsThread, ReportsThreadHost>,
  'log' | 'onReplaced' | 'startAfter'
> {
  readonly thread: Omit<ReportsThreadData, 'vitals'>
  readonly connectEvents: () => MessagePort
  /** Events were removed from a log; resolves when data that others derived from it is gone. */
  readonly onRewritten: (log: string) => Promise<void>
}

/**
 * The thread that makes reports: its files have watermarks, and unusable ones are rebuilt from the
 * logs.
 */
export class ReportsHost {
  readonly #host: ThreadHost<ReportsThread, ReportsThreadHost>
  readonly #connectEvents: () => MessagePort

  constructor(options: ReportsHostOptions) {
    const { thread, connectEvents, log, onRewritten, onReplaced, startAfter } = options
    this.#connectEvents = connectEvents
    this.#host = new ThreadHost<ReportsThread, ReportsThreadHost>({
      name: 'reports',
      entry: new URL('./reports-thread.ts', import.meta.url),
      start: () => ({
        workerData: thread,
        begin: (started) => {
          const port = connectEvents()
          started.tell('thread', 'useEvents', [port], [port])
        },
      }),
      host: {
        problem: (eventLog, message) =>
          log('warn', message, eventLog === undefined ? {} : { eventLog }),
        rewritten: onRewritten,
      },
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

  /** A new port to ask for reports through; goes to the thread that uses it. */
  connect(): MessagePort {
    return this.#host.connect()
  }

  /** The thread of the event logs was replaced. */
  reconnectEvents(): void {
    const port = this.#connectEvents()
    this.#host.thread.tell('thread', 'useEvents', [port], [port])
  }

  sweep(living: readonly LivingLog[]): void {
    this.#host.thread.tell('thread', 'sweep', [living])
  }

  close(): Promise<void> {
    return this.#host.close()
  }
}

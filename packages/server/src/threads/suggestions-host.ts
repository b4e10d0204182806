import type { MessagePort } from 'node:worker_threads'
import { HistoryFolder } from '../adapters/suggestions/history-file.ts'
import type {
  SuggestionsThread,
  SuggestionsThreadData,
  SuggestionsThreadHost,
} from './make-suggestions.ts'
import type { JobBoard } from '../ports/activity-keeper.ts'
import type { LoadedThread } from './activity-book.ts'
import { ThreadHost, type ThreadHostOptions, type ThreadStart } from './thread-host.ts'

/** What the thread may call of whoever has the documents. */
type CatalogCalls<Host> = Omit<Host, keyof SuggestionsThreadHost>

export interface SuggestionsHostOptions<Host extends SuggestionsThreadHost> extends Pick<
  ThreadHostOptions<SuggestionsThread, Host>,
  'log' | 'onReplaced' | 'startAfter' | 'hangMaxMs'
> {
  /** Entry file of the thread. */
  readonly entry: URL
  readonly thread: Omit<SuggestionsThreadData, 'vitals'>
  readonly connectEvents: () => MessagePort
  /** Called for each thread: the way to the documents. */
  readonly connectCatalog?: () => Omit<ThreadStart<SuggestionsThread>, 'begin'>
  readonly catalog: CatalogCalls<Host>
  /** Shows that suggestions are rebuilt; absent in tests. */
  readonly jobs?: JobBoard
}

/**
 * The thread that builds suggestions from the event logs. They can be rebuilt at any time; until
 * then the serving threads keep the old ones.
 */
export class SuggestionsHost<Host extends SuggestionsThreadHost> {
  readonly #options: SuggestionsHostOptions<Host>
  readonly #host: ThreadHost<SuggestionsThread, Host>
  #isClosing = false
  /** Under way. */
  readonly #rebuilds = new Set<Promise<void>>()

  constructor(options: SuggestionsHostOptions<Host>) {
    this.#options = options
    const { entry, log, onReplaced, startAfter, hangMaxMs, catalog } = options
    const own: SuggestionsThreadHost = {
      problem: (eventLog, error) =>
        log('warn', 'Suggestions could not be made', { eventLog, error }),
    }
    this.#host = new ThreadHost<SuggestionsThread, Host>({
      name: 'suggestions',
      entry,
      start: () => this.#start(),
      host: { ...own, ...catalog } as Host,
      log,
      onReplaced,
      ...(startAfter === undefined ? {} : { startAfter }),
      ...(hangMaxMs === undefined ? {} : { hangMaxMs }),
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

  /** A new port that a serving thread hears of suggestions on. */
  connect(): MessagePort {
    return this.#host.connect()
  }

  /** The thread of the event logs was replaced. */
  reconnectEvents(): void {
    const port = this.#options.connectEvents()
    this.#host.thread.tell('thread', 'useEvents', [port], [port])
  }

  /**
   * Events were removed from a log: everything derived from it is rebuilt.
   *
   * @returns when what was made before is gone from the disk, and cannot come back
   */
  rebuild(log: string): Promise<void> {
    const job = this.#options.jobs?.add('suggestions')
    job?.started()
    const rebuild = this.#rebuild(log).finally(() => {
      job?.ended()
      this.#rebuilds.delete(rebuild)
    })
    this.#rebuilds.add(rebuild)
    return rebuild
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#host.close()
    await Promise.all(this.#rebuilds)
  }

  async #rebuild(log: string): Promise<void> {
    do {
      try {
        return await this.#host.thread.call('thread', 'rebuild', [log])
      } catch (error) {
        if (this.#host.thread.isConnected) throw error
        // The thread has ended before it answered: its successor does it, if there is one.
        await this.#host.started
      }
    } while (!this.#isClosing)
    // It has written its files for the last time.
    new HistoryFolder(this.#options.thread.folder).of(log).remove()
  }

  #start(): ThreadStart<SuggestionsThread> {
    const { thread: data, connectCatalog, connectEvents } = this.#options
    const { workerData = {}, ...rest } = connectCatalog?.() ?? {}
    return {
      ...rest,
      workerData: { ...data, ...workerData },
      begin: (thread) => {
        const port = connectEvents()
        thread.tell('thread', 'useEvents', [port], [port])
      },
    }
  }
}

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Publisher } from '../adapters/embedded/publisher.ts'
import { EmbedderClient } from '../adapters/embedders/embedder-client.ts'
import type { EmbedderFigures } from '../adapters/embedders/embedding-server.ts'
import type { PortCalls } from '../adapters/message-port/port-calls.ts'
import { HistoryFolder } from '../adapters/suggestions/history-file.ts'
import type { JobBoard } from '../ports/host/activity-keeper.ts'
import { infoOf, type EmbedderConfig } from '../ports/search/embedder-config.ts'
import type { LogLimits } from '../services/events/log-limits.ts'
import type { EmbeddingThread, EmbeddingThreadHost } from './embedding-thread.ts'
import type { EventsThread, EventsThreadHost } from './events-thread.ts'
import type {
  SuggestionsThread,
  SuggestionsThreadData,
  SuggestionsThreadHost,
} from './make-suggestions.ts'
import type { ReportsThread, ReportsThreadData, ReportsThreadHost } from './reports-thread.ts'
import type { EventsFollower, ThreadCalls } from './shared-thread.ts'
import { ThreadHost, type ThreadHostOptions, type ThreadStart } from './thread-host.ts'

/** Starts the threads that all stores share, and defines what each may call. */

/** Options that the host of any thread receives. */
type Given = Pick<
  ThreadHostOptions<never, never>,
  'log' | 'onReplaced' | 'startAfter' | 'hangMaxMs'
>

/**
 * The thread that owns the event logs. It can be replaced at any moment: logs can always be
 * reopened, and clients retry writes that were not answered.
 */
export class EventsHost extends ThreadHost<EventsThread, EventsThreadHost> {
  constructor({
    folder,
    living,
    ...given
  }: Given & {
    readonly folder: string
    /** The folder that each thread sweeps first. */
    readonly living?: () => readonly LogLimits[]
  }) {
    super({
      ...given,
      name: 'events',
      entry: new URL('./events-thread.ts', import.meta.url),
      start: () => ({
        workerData: { folder },
        begin: (thread) => {
          if (living !== undefined) thread.tell('thread', 'sweep', [living()])
        },
      }),
      host: { problem: (eventLog, message) => given.log('warn', message, { eventLog }) },
    })
  }

  sweep(living: readonly LogLimits[]): void {
    this.thread.tell('thread', 'sweep', [living])
  }
}

/**
 * The thread that produces reports: its files have watermarks, and unusable ones are rebuilt from
 * the logs.
 */
export class ReportsHost extends ThreadHost<ReportsThread, ReportsThreadHost> {
  readonly #connectEvents: () => MessagePort

  constructor({
    thread,
    connectEvents,
    onRewritten,
    ...given
  }: Given & {
    readonly thread: Omit<ReportsThreadData, 'vitals'>
    readonly connectEvents: () => MessagePort
    /**
     * Call it when events were removed from a log; resolves when data that others derived from it
     * is removed.
     */
    readonly onRewritten: (log: string) => Promise<void>
  }) {
    super({
      ...given,
      name: 'reports',
      entry: new URL('./reports-thread.ts', import.meta.url),
      start: () => ({
        workerData: thread,
        begin: (started) => useEvents(started, connectEvents()),
      }),
      host: {
        problem: (eventLog, message) =>
          given.log('warn', message, eventLog === undefined ? {} : { eventLog }),
        rewritten: onRewritten,
      },
    })
    this.#connectEvents = connectEvents
  }

  /** The event log thread was replaced. */
  reconnectEvents(): void {
    useEvents(this.thread, this.#connectEvents())
  }

  sweep(living: readonly LogLimits[]): void {
    this.thread.tell('thread', 'sweep', [living])
  }
}

/**
 * The thread of the embedders. Without any, none is started: a service is as it is without searches
 * by meaning.
 */
export class EmbeddingHost extends ThreadHost<EmbeddingThread, EmbeddingThreadHost> {
  readonly #isNeeded: boolean
  /** For the thread of the host. */
  readonly client: EmbedderClient

  constructor({
    embedders,
    onAnswer,
    ...given
  }: Given & {
    readonly embedders: readonly EmbedderConfig[]
    /** Called for each question to `client`. */
    readonly onAnswer?: ConstructorParameters<typeof EmbedderClient>[1]
  }) {
    const isNeeded = embedders.length > 0
    super({
      ...given,
      onReplaced: () => {
        given.onReplaced()
        this.client.connect(this.connect())
      },
      ...(isNeeded ? {} : { startAfter: NEVER }),
      name: 'embedders',
      entry: new URL('./embedding-thread.ts', import.meta.url),
      start: () => ({ workerData: { embedders } }),
      host: { note: (level, embedder, message) => given.log(level, message, { embedder }) },
    })
    this.#isNeeded = isNeeded
    this.client = new EmbedderClient(embedders.map(infoOf), onAnswer)
    if (isNeeded) this.client.connect(this.connect())
  }

  /** Absent without embedders. */
  connectIfNeeded(): MessagePort | undefined {
    return this.#isNeeded ? this.connect() : undefined
  }

  /** None while there is no thread. */
  figures(): Promise<readonly EmbedderFigures[]> {
    return this.thread.call('thread', 'figures', []).catch(() => [])
  }
}

const NEVER = new Promise<never>(() => undefined)

export interface SuggestionsHostOptions<Host extends SuggestionsThreadHost> extends Given {
  /** Entry file of the thread. */
  readonly entry: URL
  readonly thread: Omit<SuggestionsThreadData, 'vitals'>
  readonly connectEvents: () => MessagePort
  /** Called for each thread; returns its access to the documents. */
  readonly connectCatalog?: () => Omit<ThreadStart<SuggestionsThread>, 'begin'>
  /** The calls that the thread may make to the owner of the documents. */
  readonly catalog: Omit<Host, keyof SuggestionsThreadHost>
  /** Shows that suggestions are rebuilt; absent on a node of a cluster. */
  readonly jobs?: JobBoard
}

/**
 * The thread that builds suggestions from the event logs. They can be rebuilt at any time; until
 * then the serving threads keep the old ones.
 */
export class SuggestionsHost<Host extends SuggestionsThreadHost> extends ThreadHost<
  SuggestionsThread,
  Host
> {
  readonly #options: SuggestionsHostOptions<Host>
  #isClosing = false
  /** Erasures in progress. */
  readonly #rebuilds = new Set<Promise<void>>()

  constructor(options: SuggestionsHostOptions<Host>) {
    const { entry, thread, connectEvents, connectCatalog, catalog, jobs: _, ...given } = options
    const own: SuggestionsThreadHost = {
      problem: (eventLog, error) =>
        given.log('warn', 'Could not build suggestions', { eventLog, error }),
    }
    super({
      ...given,
      name: 'suggestions',
      entry,
      start: () => {
        const { workerData, ...ports } = connectCatalog?.() ?? {}
        return {
          ...ports,
          workerData: { ...thread, ...workerData },
          begin: (started) => useEvents(started, connectEvents()),
        }
      },
      host: { ...own, ...catalog } as Host,
    })
    this.#options = options
  }

  /** The event log thread was replaced. */
  reconnectEvents(): void {
    useEvents(this.thread, this.#options.connectEvents())
  }

  /**
   * Call it when events were removed from a log; rebuilds everything derived from it.
   * @returns when the earlier files are off the disk and cannot come back
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

  override async close(): Promise<void> {
    this.#isClosing = true
    await super.close()
    await Promise.all(this.#rebuilds)
  }

  async #rebuild(log: string): Promise<void> {
    do {
      try {
        return await this.thread.call('thread', 'rebuild', [log])
      } catch (error) {
        if (this.thread.isConnected) throw error
        // The thread ended before it answered: its successor does the work, if there is one.
        await this.started
      }
    } while (!this.#isClosing)
    // The thread has written its files for the last time.
    new HistoryFolder(this.#options.thread.folder).of(log).remove()
  }
}

/** Connects a thread that follows the event logs to them. */
function useEvents(thread: PortCalls<ThreadCalls<EventsFollower>>, port: MessagePort): void {
  thread.tell('thread', 'useEvents', [port], [port])
}

/**
 * A new replica of what is published, for a thread that follows it (`follow-replica.ts`).
 *
 * @param documents file of the documents
 */
export function connectReplica(
  publisher: Publisher,
  documents: string,
): Omit<ThreadStart<SuggestionsThread>, 'begin'> {
  const { port1, port2: publications } = new MessageChannel()
  publisher.connect(port1)
  return {
    workerData: { generation: publisher.generation, publications, documents },
    transferList: [publications],
    onEnded: () => publisher.disconnect(port1),
  }
}

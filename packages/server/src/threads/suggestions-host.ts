import { MessageChannel } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Publisher } from '../adapters/embedded/publisher.ts'
import type { DiskRoomMemory } from '../adapters/shared-memory/disk-room.ts'
import { HistoryFolder } from '../adapters/suggestions/history-file.ts'
import type {
  SuggestionsThread,
  SuggestionsThreadData,
  SuggestionsThreadHost,
} from './make-suggestions.ts'
import type { JobBoard } from '../ports/activity-keeper.ts'
import type { LoadedThread } from './activity-book.ts'
import { ThreadHost, type ThreadHostOptions, type ThreadStart } from './thread-host.ts'

export interface SuggestionsHostOptions extends Pick<
  ThreadHostOptions<SuggestionsThread, SuggestionsThreadHost>,
  'log' | 'onReplaced' | 'startAfter' | 'hangMaxMs'
> {
  /** Entry file of the thread. */
  readonly entry: URL
  /** Folder of the event logs. */
  readonly events: string
  /** Folder of the files derived from them. */
  readonly folder: string
  /** File of the documents. */
  readonly documents: string
  readonly diskRoom: DiskRoomMemory
  readonly publisher: Publisher
  readonly connectEvents: () => MessagePort
  /** Opens the index of a store that is to be searched. */
  readonly openIndex: (storeId: string) => Promise<void>
  /** Shows that suggestions are rebuilt; absent in tests. */
  readonly jobs?: JobBoard
}

/**
 * The thread that builds suggestions from the event logs. They can be rebuilt at any time; until
 * then the serving threads keep the old ones.
 */
export class SuggestionsHost {
  readonly #options: SuggestionsHostOptions
  readonly #host: ThreadHost<SuggestionsThread, SuggestionsThreadHost>
  #isClosing = false
  /** Under way. */
  readonly #rebuilds = new Set<Promise<void>>()

  constructor(options: SuggestionsHostOptions) {
    this.#options = options
    const { entry, log, onReplaced, startAfter, hangMaxMs } = options
    this.#host = new ThreadHost<SuggestionsThread, SuggestionsThreadHost>({
      name: 'suggestions',
      entry,
      start: () => this.#start(),
      host: {
        problem: (eventLog, error) =>
          log('warn', 'Suggestions could not be made', { eventLog, error }),
        openIndex: options.openIndex,
      },
      log,
      onReplaced,
      ...(startAfter === undefined ? {} : { startAfter }),
      ...(hangMaxMs === undefined ? {} : { hangMaxMs }),
    })
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
    new HistoryFolder(this.#options.folder).of(log).remove()
  }

  #start(): ThreadStart<SuggestionsThread> {
    const { events, folder, documents, diskRoom, publisher, connectEvents } = this.#options
    const publications = new MessageChannel()
    publisher.connect(publications.port1)
    const workerData: Omit<SuggestionsThreadData, 'vitals'> = {
      events,
      folder,
      generation: publisher.generation,
      publications: publications.port2,
      documents,
      diskRoom,
    }
    return {
      workerData,
      transferList: [publications.port2],
      begin: (thread) => {
        const port = connectEvents()
        thread.tell('thread', 'useEvents', [port], [port])
      },
      onEnded: () => publisher.disconnect(publications.port1),
    }
  }
}

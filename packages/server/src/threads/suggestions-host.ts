import { MessageChannel } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Publisher } from '../adapters/embedded/publisher.ts'
import type { DiskRoomMemory } from '../adapters/shared-memory/disk-room.ts'
import { historyFileOf } from '../adapters/suggestions/history-file.ts'
import type {
  SuggestionsThreadData,
  SuggestionsThreadSays,
  ToSuggestionsThread,
} from './make-suggestions.ts'
import { ThreadHost, type ThreadHostOptions, type ThreadStart } from './thread-host.ts'

export interface SuggestionsHostOptions extends Pick<
  ThreadHostOptions<ToSuggestionsThread, SuggestionsThreadSays>,
  'log' | 'onReplaced' | 'hangMaxMs'
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
}

/**
 * The thread that builds suggestions from the event logs. They can be rebuilt at any time; until
 * then the serving threads keep the old ones.
 */
export class SuggestionsHost {
  readonly #options: SuggestionsHostOptions
  readonly #host: ThreadHost<ToSuggestionsThread, SuggestionsThreadSays>
  #isClosed = false
  /** Logs that the thread must start over, until it has discarded what it derived from them. */
  readonly #rebuilding = new Map<string, (() => void)[]>()

  constructor(options: SuggestionsHostOptions) {
    this.#options = options
    const { entry, log, onReplaced, hangMaxMs } = options
    this.#host = new ThreadHost<ToSuggestionsThread, SuggestionsThreadSays>({
      name: 'suggestions',
      entry,
      start: () => this.#start(),
      receive: (message) => this.#receive(message),
      log,
      onReplaced,
      ...(hangMaxMs === undefined ? {} : { hangMaxMs }),
    })
  }

  /** A new port that a serving thread hears of suggestions on. */
  connect(): MessagePort {
    return this.#host.connect()
  }

  /** The thread of the event logs was replaced. */
  reconnectEvents(): void {
    const port = this.#options.connectEvents()
    this.#host.tell({ kind: 'events', port }, [port])
  }

  /**
   * Events were removed from a log: everything derived from it is rebuilt.
   *
   * @returns when what was made before is gone from the disk, and cannot come back
   */
  rebuild(log: string): Promise<void> {
    // The thread has written its files for the last time.
    if (this.#isClosed) {
      historyFileOf(this.#options.folder, log).remove()
      return Promise.resolve()
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#rebuilding.set(log, [...(this.#rebuilding.get(log) ?? []), resolve])
    this.#host.tell({ kind: 'rebuild', log })
    return promise
  }

  async close(): Promise<void> {
    await this.#host.close()
    this.#isClosed = true
    for (const log of this.#rebuilding.keys()) {
      historyFileOf(this.#options.folder, log).remove()
      this.#forgotten(log)
    }
  }

  #start(): ThreadStart<ToSuggestionsThread> {
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
      messages: [
        { kind: 'events', port: connectEvents() },
        // Its predecessor may have died before it read this.
        ...Array.from(this.#rebuilding.keys(), (log) => ({ kind: 'rebuild', log }) as const),
      ],
      onEnded: () => publisher.disconnect(publications.port1),
    }
  }

  #receive(message: SuggestionsThreadSays): void {
    if (message.kind === 'forgotten') this.#forgotten(message.log)
    else if (message.kind === 'problem') {
      this.#options.log('warn', 'Suggestions could not be made', {
        eventLog: message.log,
        error: message.message,
      })
    }
  }

  #forgotten(log: string): void {
    for (const resolve of this.#rebuilding.get(log) ?? []) resolve()
    this.#rebuilding.delete(log)
  }
}

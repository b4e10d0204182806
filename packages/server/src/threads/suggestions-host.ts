import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Publisher } from '../adapters/embedded/publisher.ts'
import type { DiskRoomMemory } from '../adapters/shared-memory/disk-room.ts'
import { historyFileOf } from '../adapters/suggestions/history-file.ts'
import type {
  SuggestionsThreadData,
  SuggestionsThreadSays,
  ToSuggestionsThread,
} from './make-suggestions.ts'

const BACK_OFF_MS = 1_000

export interface SuggestionsHostOptions {
  /** Entry file of the thread. */
  readonly entry: URL
  /** Folder of the event logs. */
  readonly events: string
  /** Folder of what is made of them. */
  readonly folder: string
  /** File of the documents. */
  readonly documents: string
  readonly diskRoom: DiskRoomMemory
  readonly publisher: Publisher
  readonly connectEvents: () => MessagePort
  readonly log: (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void
  /** Every serving thread needs a new port. */
  readonly onReplaced: () => void
}

/**
 * Starts the thread that makes suggestions of the event logs, and another one when it dies: what it makes
 * can be made again, and until then the serving threads keep what they have.
 */
export class SuggestionsHost {
  readonly #options: SuggestionsHostOptions
  #worker: Worker
  #closing: (() => void) | undefined
  #isClosed = false
  /** Logs that the thread is to begin anew, until it has thrown away what it made of them. */
  readonly #rebuilding = new Map<string, (() => void)[]>()

  constructor(options: SuggestionsHostOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  /** A new port that a serving thread hears of suggestions on. */
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

  /**
   * Events were taken out of a log: everything made of it is made again.
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
    this.#tell({ kind: 'rebuild', log })
    return promise
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#closing = resolve
      this.#tell({ kind: 'close' })
    })
    await this.#worker.terminate()
    this.#isClosed = true
    for (const [log, resolves] of this.#rebuilding) {
      historyFileOf(this.#options.folder, log).remove()
      for (const resolve of resolves) resolve()
    }
  }

  #tell(message: ToSuggestionsThread, transfer: MessagePort[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  #start(): Worker {
    const {
      entry,
      events,
      folder,
      documents,
      diskRoom,
      publisher,
      connectEvents,
      log,
      onReplaced,
    } = this.#options
    const publications = new MessageChannel()
    publisher.connect(publications.port1)
    const workerData: SuggestionsThreadData = {
      events,
      folder,
      generation: publisher.generation,
      publications: publications.port2,
      documents,
      diskRoom,
    }
    const worker = new Worker(entry, {
      workerData,
      transferList: [publications.port2],
      name: 'suggestions',
    })
    const port = connectEvents()
    worker.postMessage({ kind: 'events', port } satisfies ToSuggestionsThread, [port])
    // Its predecessor may have died before it read this.
    for (const name of this.#rebuilding.keys()) {
      worker.postMessage({ kind: 'rebuild', log: name } satisfies ToSuggestionsThread)
    }
    worker.on('message', (message: SuggestionsThreadSays) => {
      switch (message.kind) {
        case 'closed':
          this.#closing?.()
          break
        case 'forgotten':
          for (const resolve of this.#rebuilding.get(message.log) ?? []) resolve()
          this.#rebuilding.delete(message.log)
          break
        case 'problem':
          log('warn', 'Suggestions could not be made', {
            eventLog: message.log,
            error: message.message,
          })
          break
      }
    })
    worker.on('error', (error) => {
      log('error', 'The thread of the suggestions failed', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    })
    worker.on('exit', () => {
      publisher.disconnect(publications.port1)
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

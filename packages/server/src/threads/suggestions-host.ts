import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Publisher } from '../adapters/embedded/publisher.ts'
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

  /** Events were taken out of a log. */
  rebuild(log: string): void {
    this.#tell({ kind: 'rebuild', log })
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#closing = resolve
      this.#tell({ kind: 'close' })
    })
    await this.#worker.terminate()
  }

  #tell(message: ToSuggestionsThread, transfer: MessagePort[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  #start(): Worker {
    const { entry, events, folder, publisher, connectEvents, log, onReplaced } = this.#options
    const publications = new MessageChannel()
    publisher.connect(publications.port1)
    const workerData: SuggestionsThreadData = {
      events,
      folder,
      generation: publisher.generation,
      publications: publications.port2,
    }
    const worker = new Worker(entry, {
      workerData,
      transferList: [publications.port2],
      name: 'suggestions',
    })
    const port = connectEvents()
    worker.postMessage({ kind: 'events', port } satisfies ToSuggestionsThread, [port])
    worker.on('message', (message: SuggestionsThreadSays) => {
      if (message.kind === 'closed') this.#closing?.()
      else
        log('warn', 'Suggestions could not be made', {
          eventLog: message.log,
          error: message.message,
        })
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

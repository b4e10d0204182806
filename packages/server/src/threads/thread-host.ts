import { MessageChannel, Worker } from 'node:worker_threads'
import type { MessagePort, Transferable } from 'node:worker_threads'
import { SHARED_THREAD_HANG_MAX_MS } from '@aisle/contract'
import { createVitals, type Vitals } from '../adapters/shared-memory/vitals.ts'
import { BackOff } from './back-off.ts'
import { ThreadWatch } from './thread-watch.ts'

/** A thread that has not closed its files by then is ended; its files on disk tolerate that. */
const CLOSE_MAX_MS = 5_000

/** What every shared thread is told. */
export type ToSharedThread =
  /** Another thread that wants something of it. */
  | { readonly kind: 'connect'; readonly port: MessagePort }
  /** Write what is there, then `closed`. */
  | { readonly kind: 'close' }

/** How a thread is started, the first time and whenever it is replaced. */
export interface ThreadStart<To> {
  readonly workerData: object
  /** Ports in it. */
  readonly transferList?: readonly Transferable[]
  /** What it is told before anything else. */
  readonly messages: readonly To[]
  /** Gives back what was made for this one thread; called when it has ended. */
  readonly onEnded?: () => void
}

export interface ThreadHostOptions<To, From> {
  /** Of the thread, and in the log. */
  readonly name: string
  readonly entry: URL
  readonly start: () => ThreadStart<To>
  /** @param tell answers the very thread that said it: another one may have taken its place */
  readonly receive: (
    message: Exclude<From, { readonly kind: 'closed' }>,
    tell: (message: To) => void,
  ) => void
  /** Everybody who had a port needs a new one. */
  readonly onReplaced: () => void
  readonly log: (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void
  readonly hangMaxMs?: number
  readonly closeMaxMs?: number
}

interface Running {
  readonly worker: Worker
  readonly startedMs: number
}

/**
 * One thread that all stores share: started, ended when it hangs, and replaced whenever it ends,
 * until it is closed. What it does can be begun again at any moment; who waits for an answer is
 * refused when its port closes, and asks again.
 */
export class ThreadHost<
  To extends { readonly kind: string },
  From extends { readonly kind: string },
> {
  readonly #options: ThreadHostOptions<To | ToSharedThread, From>
  readonly #vitals: Vitals = createVitals(1)
  readonly #watch: ThreadWatch
  readonly #backOff = new BackOff()
  /** Undefined between the end of a thread and the start of the next. */
  #running: Running | undefined
  /** Ports that wait for the next thread. */
  readonly #waiting: MessagePort[] = []
  #replacing: NodeJS.Timeout | undefined
  #closed: Promise<void> | undefined
  #onGone: () => void = () => undefined

  constructor(options: ThreadHostOptions<To | ToSharedThread, From>) {
    this.#options = options
    const { name, log, hangMaxMs = SHARED_THREAD_HANG_MAX_MS } = options
    this.#watch = new ThreadWatch(
      this.#vitals,
      () => {
        log('error', 'A shared thread hangs and is ended', { name })
        void this.#running?.worker.terminate()
      },
      hangMaxMs,
    )
    this.#start()
  }

  /** A new port of the thread; goes to the thread that uses it. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    if (this.#running === undefined) this.#waiting.push(port1)
    else this.tell({ kind: 'connect', port: port1 }, [port1])
    return port2
  }

  /** Lost when there is no thread just now: `start` says what its successor has to know. */
  tell(message: To | ToSharedThread, transfer: readonly Transferable[] = []): void {
    this.#running?.worker.postMessage(message, transfer)
  }

  /** Resolves when the thread has ended, by itself or at the deadline. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const { name, log, closeMaxMs = CLOSE_MAX_MS } = this.#options
    this.#watch.stop()
    clearTimeout(this.#replacing)
    for (const port of this.#waiting.splice(0)) port.close()
    if (this.#running === undefined) return
    const { worker } = this.#running
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onGone = resolve
    const deadline = setTimeout(() => {
      log('warn', 'A shared thread did not close in time and is ended', { name })
      resolve()
    }, closeMaxMs)
    this.tell({ kind: 'close' })
    await promise
    clearTimeout(deadline)
    await worker.terminate()
  }

  #start(): void {
    const { name, entry, start, receive, log } = this.#options
    const { workerData, transferList = [], messages, onEnded } = start()
    const worker = new Worker(entry, {
      workerData: { ...workerData, vitals: this.#vitals } satisfies SharedThreadData,
      transferList: [...transferList],
      name,
    })
    const running: Running = { worker, startedMs: performance.now() }
    this.#running = running
    this.#watch.starts(0)
    const tell = (message: To | ToSharedThread): void =>
      worker.postMessage(message, portsOf(message))
    for (const message of messages) tell(message)
    for (const port of this.#waiting.splice(0)) tell({ kind: 'connect', port })
    worker.on('message', (message: From | { readonly kind: 'closed' }) => {
      if (message.kind === 'closed') this.#onGone()
      else receive(message as Exclude<From, { readonly kind: 'closed' }>, tell)
    })
    worker.on('error', (error) => {
      log('error', 'A shared thread failed', {
        name,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    })
    worker.on('exit', () => {
      onEnded?.()
      this.#running = undefined
      if (this.#closed === undefined) this.#replace(running)
      else this.#onGone()
    })
  }

  #replace({ startedMs }: Running): void {
    const { name, log, onReplaced } = this.#options
    if (this.#watch.died(0)) {
      log('error', 'A store over which a shared thread ended is set aside for a while', { name })
    }
    const waitMs = this.#backOff.waitMs(performance.now() - startedMs)
    log('warn', 'A shared thread ended and is being replaced', { name, waitMs })
    this.#replacing = setTimeout(() => {
      this.#start()
      onReplaced()
    }, waitMs)
  }
}

/** Part of what every shared thread is started with. */
export interface SharedThreadData {
  readonly vitals: Vitals
}

function portsOf(message: object): MessagePort[] {
  return 'port' in message ? [message.port as MessagePort] : []
}

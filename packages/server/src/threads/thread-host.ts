import { MessageChannel, Worker, type MessagePort, type Transferable } from 'node:worker_threads'
import { SHARED_THREAD_HANG_MAX_MS } from '@aisle/contract'
import { PortCalls } from '../adapters/message-port/port-calls.ts'
import { endThread, serveCalls } from '../adapters/message-port/serve-calls.ts'
import { createVitals, type Vitals } from '../adapters/shared-memory/vitals.ts'
import type { LoadedThread } from './activity-book.ts'
import { BackOff } from './back-off.ts'
import type { HostCalls, SharedThread, SharedThreadData, ThreadCalls } from './shared-thread.ts'
import { ThreadWatch } from './thread-watch.ts'

/**
 * A thread that has not closed its files by then is ended; its files on disk tolerate that. DuckDB
 * does not: when it is ended in a query, the process aborts. On a busy machine that takes seconds.
 */
const CLOSE_MAX_MS = 15_000

/** Parameters for starting a thread, the first time and at each replacement. */
export interface ThreadStart<Thread extends SharedThread> {
  readonly workerData: object
  /** Ports in it. */
  readonly transferList?: readonly Transferable[]
  /** Sends the thread its first messages. */
  readonly begin?: (thread: PortCalls<ThreadCalls<Thread>>) => void
  /** Releases the resources of this thread; called when it has ended. */
  readonly onEnded?: () => void
}

export interface ThreadHostOptions<Thread extends SharedThread, Host extends object> {
  /** Name of the thread, also in the log. */
  readonly name: string
  readonly entry: URL
  readonly start: () => ThreadStart<Thread>
  /** The thread starts, and ports wait, until this settles. Absent: it starts at once. */
  readonly startAfter?: Promise<unknown>
  /** The calls that the thread may make here. */
  readonly host: Host
  /** Called when the thread was replaced: every holder of a port needs a new one. */
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
 * Hosts one thread that all stores share: starts it, ends it when it hangs, and replaces it when it
 * ends, until it is closed. Its work can be restarted at any moment; a caller that waits for a
 * response is refused when its port closes, and retries.
 */
export class ThreadHost<Thread extends SharedThread, Host extends object> {
  readonly #options: ThreadHostOptions<Thread, Host>
  readonly #calls = new PortCalls<ThreadCalls<SharedThread>>()
  readonly #vitals: Vitals = createVitals(1)
  readonly #watch: ThreadWatch
  readonly #backOff = new BackOff()
  /** Undefined between the end of a thread and the start of the next. */
  #running: Running | undefined
  /** Ports that wait for the next thread. */
  readonly #waiting: MessagePort[] = []
  #replacing: NodeJS.Timeout | undefined
  #closed: Promise<void> | undefined
  #started = Promise.withResolvers<void>()
  readonly #ready = Promise.withResolvers<void>()

  constructor(options: ThreadHostOptions<Thread, Host>) {
    this.#options = options
    const { name, log, startAfter, hangMaxMs = SHARED_THREAD_HANG_MAX_MS } = options
    this.#watch = new ThreadWatch(
      this.#vitals,
      () => {
        log('error', 'A shared thread is not responding; terminating it', { name })
        void this.#running?.worker.terminate()
      },
      hangMaxMs,
    )
    if (startAfter === undefined) this.#start()
    else {
      const start = (): void => {
        if (this.#closed === undefined) this.#start()
      }
      void startAfter.then(start, start)
    }
  }

  /** Creates a port of the thread, to be sent to the thread that uses it. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    if (this.#running === undefined) this.#waiting.push(port1)
    else this.#connect(port1)
    return port2
  }

  /** Resolves when the thread ends. */
  get threads(): readonly LoadedThread[] {
    if (this.#running === undefined) return []
    return [{ name: this.#options.name, performance: this.#running.worker.performance }]
  }

  /**
   * The running thread. Without one, messages are lost (`start` sends its successor what it needs),
   * and calls fail, as they do when the thread ends.
   */
  get thread(): PortCalls<ThreadCalls<Thread>> {
    return this.#calls as PortCalls<ThreadCalls<Thread>>
  }

  /** Resolves when there is a thread, or when there will be none any more. */
  get started(): Promise<void> {
    const isSettled = this.#running !== undefined || this.#closed !== undefined
    return isSettled ? Promise.resolve() : this.#started.promise
  }

  /** Resolves when a thread has responded for the first time. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Resolves when the thread has ended, on closing or at the deadline. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const { name, log, closeMaxMs = CLOSE_MAX_MS } = this.#options
    this.#watch.stop()
    clearTimeout(this.#replacing)
    for (const port of this.#waiting.splice(0)) port.close()
    this.#started.resolve()
    if (this.#running === undefined) return
    const { worker } = this.#running
    const { promise, resolve } = Promise.withResolvers<void>()
    const deadline = setTimeout(() => {
      log('warn', 'A shared thread did not close in time; terminating it', { name })
      resolve()
    }, closeMaxMs)
    this.#calls.call('thread', 'close', []).then(resolve, resolve)
    await promise
    clearTimeout(deadline)
    await worker.terminate()
  }

  #start(): void {
    const { name, entry, start, host, log } = this.#options
    const { workerData, transferList = [], begin, onEnded } = start()
    const worker = new Worker(entry, {
      workerData: { ...workerData, vitals: this.#vitals } satisfies SharedThreadData,
      transferList: [...transferList],
      name,
    })
    const running: Running = { worker, startedMs: performance.now() }
    this.#running = running
    this.#watch.starts(0)
    this.#calls.connect(worker)
    serveCalls<HostCalls<Host>>(worker, { host }, endThread)
    begin?.(this.thread)
    // A thread that ends before closing has a successor.
    this.#calls.call('thread', 'ready', []).then(this.#ready.resolve, () => undefined)
    for (const port of this.#waiting.splice(0)) this.#connect(port)
    this.#started.resolve()
    this.#started = Promise.withResolvers()
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
    })
  }

  #connect(port: MessagePort): void {
    this.#calls.tell('thread', 'connect', [port], [port])
  }

  #replace({ startedMs }: Running): void {
    const { name, log, onReplaced } = this.#options
    if (this.#watch.died(0)) {
      log('error', 'A store that crashed a shared thread is quarantined for a while', { name })
    }
    const waitMs = this.#backOff.waitMs(performance.now() - startedMs)
    log('warn', 'A shared thread ended; replacing it', { name, waitMs })
    this.#replacing = setTimeout(() => {
      this.#start()
      onReplaced()
    }, waitMs)
  }
}

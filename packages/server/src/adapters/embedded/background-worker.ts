import { Worker } from 'node:worker_threads'
import { SHARED_THREAD_HANG_MAX_MS } from '@aisle/contract'
import { PortCalls } from '../message-port/port-calls.ts'

/** Times a job is tried: a job that ends its thread twice is given up. */
const ATTEMPTS_MAX = 2

interface Job {
  readonly message: unknown
  attempts: number
  resolve(result: unknown): void
  reject(error: Error): void
}

/** What the writer may call in the thread. */
export interface JobCalls {
  readonly jobs: { perform(message: unknown): Promise<unknown> }
}

/** What the thread is started with. */
export interface BackgroundThreadData {
  /** One number, raised while a job comes on. */
  readonly beats: Int32Array<SharedArrayBuffer>
}

/**
 * Looks at the beats in the time after which a job that has none hangs: a process that had no
 * processor for a while is no hang.
 */
const LOOKS = 10

/** The job has ended its thread, as often as it was tried. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError'
}

/**
 * The job was given up because the worker was closed: nothing is wrong, and the next start does it
 * again.
 */
export class WorkerClosedError extends Error {
  override readonly name = 'WorkerClosedError'

  constructor() {
    super('The background thread is closed')
  }
}

/**
 * Writer's side of the thread for work that takes long and may wait: merges, index files. One job
 * at a time, in order. When the thread dies, or a job does not come on any more, it is replaced and
 * the job is tried once more, so a job must be one that can be done twice. Started with the first
 * job.
 */
export class BackgroundWorker {
  readonly #entry: URL
  readonly #queue: Job[] = []
  readonly #calls = new PortCalls<JobCalls>(
    () => new ThreadEndedError(this.#failure.message, { cause: this.#failure }),
  )
  #failure = new Error('The background thread ended')
  #worker: Worker | undefined
  #current: Job | undefined
  #closed = false
  readonly #hangMaxMs: number
  readonly #beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #looking: NodeJS.Timeout | undefined

  /**
   * @param entry file of the thread; it calls `answerJobs`
   * @param hangMaxMs a job that does not beat for so long hangs
   */
  constructor(entry: URL, hangMaxMs = SHARED_THREAD_HANG_MAX_MS) {
    this.#entry = entry
    this.#hangMaxMs = hangMaxMs
  }

  /** Jobs that wait or are under way. */
  get length(): number {
    return this.#queue.length + (this.#current === undefined ? 0 : 1)
  }

  /** Rejects when the job fails, with ThreadEndedError, or with WorkerClosedError. */
  run<Result>(message: unknown): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#closed) {
        reject(new WorkerClosedError())
        return
      }
      const settle = (result: unknown): void => resolve(result as Result)
      this.#queue.push({ message, attempts: 0, resolve: settle, reject })
      this.#next()
    })
  }

  /** Gives up what is under way: it can be done again after the next start. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#looking)
    const given = [this.#current, ...this.#queue.splice(0)].filter((job) => job !== undefined)
    this.#current = undefined
    for (const job of given) job.reject(new WorkerClosedError())
    await this.#worker?.terminate()
  }

  #next(): void {
    if (this.#current !== undefined || this.#closed) return
    const job = this.#queue.shift()
    if (job === undefined) {
      // An idle thread must not keep the process alive.
      this.#worker?.unref()
      return
    }
    this.#current = job
    job.attempts++
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#watch(this.#worker)
    void this.#perform(job)
  }

  async #perform(job: Job): Promise<void> {
    try {
      job.resolve(await this.#calls.call('jobs', 'perform', [job.message]))
    } catch (error) {
      const isAgain = error instanceof ThreadEndedError && job.attempts < ATTEMPTS_MAX
      if (isAgain && !this.#closed) this.#queue.unshift(job)
      else job.reject(error as Error)
    }
    this.#current = undefined
    clearInterval(this.#looking)
    this.#next()
  }

  /** Ends the thread of a job that does not come on. */
  #watch(worker: Worker): void {
    clearInterval(this.#looking)
    let seen = Atomics.load(this.#beats, 0)
    let looks = 0
    this.#looking = setInterval(() => {
      const newest = Atomics.load(this.#beats, 0)
      looks = newest === seen ? looks + 1 : 0
      seen = newest
      if (looks > LOOKS) void worker.terminate()
    }, this.#hangMaxMs / LOOKS).unref()
  }

  #start(): Worker {
    const workerData: BackgroundThreadData = { beats: this.#beats }
    const worker = new Worker(this.#entry, { name: 'merge', workerData })
    worker.on('error', (error) => {
      this.#failure = error instanceof Error ? error : new Error(String(error))
    })
    worker.on('exit', () => (this.#worker = undefined))
    this.#calls.connect(worker)
    return worker
  }
}

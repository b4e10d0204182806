import { Worker } from 'node:worker_threads'
import { SHARED_THREAD_HANG_MAX_MS } from '@aisle/contract'
import { PortCalls } from '../message-port/port-calls.ts'

/** Attempts per job: a job that ends its thread twice fails. */
const ATTEMPTS_MAX = 2

interface Job {
  readonly message: unknown
  attempts: number
  resolve(result: unknown): void
  reject(error: Error): void
}

/** The calls that the writer may make in the thread. */
export interface JobCalls {
  readonly jobs: { perform(message: unknown): Promise<unknown> }
}

/** The data that the thread starts with. */
export interface BackgroundThreadData {
  /** One number, raised while a job makes progress. */
  readonly beats: Int32Array<SharedArrayBuffer>
}

/**
 * Number of checks of the beats before a job without one counts as hung. There are several, because
 * a process that got no processor time does not hang.
 */
const LOOKS = 10

/** Every attempt at the job ended its thread. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError'
}

/**
 * The job was abandoned because the worker was closed. This is not a fault: the next start repeats
 * it.
 */
export class WorkerClosedError extends Error {
  override readonly name = 'WorkerClosedError'

  constructor() {
    super('The background thread is closed')
  }
}

/**
 * The writer's side of the thread for long work that may wait: merges, index files. It runs one job
 * at a time, in order, and starts with the first job. If the thread dies, or a job stops making
 * progress, the thread is replaced and the job retried, so jobs must be idempotent.
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
   * @param hangMaxMs a job without a beat for this long counts as hung
   */
  constructor(entry: URL, hangMaxMs = SHARED_THREAD_HANG_MAX_MS) {
    this.#entry = entry
    this.#hangMaxMs = hangMaxMs
  }

  /** Jobs that are waiting or running. */
  get length(): number {
    return this.#queue.length + (this.#current === undefined ? 0 : 1)
  }

  /** Rejects with the error of the job, with ThreadEndedError or with WorkerClosedError. */
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

  /** Aborts the running job, which can be repeated after the next start. */
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

  /** Ends the thread of a job that makes no progress. */
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

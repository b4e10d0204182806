import { Worker } from 'node:worker_threads'

/** Times a job is tried: a job that ends its thread twice is given up. */
const ATTEMPTS_MAX = 2

interface Job {
  readonly message: unknown
  attempts: number
  resolve(result: unknown): void
  reject(error: Error): void
}

export type BackgroundAnswer =
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly message: string }

/** The job was given up because the worker was closed: nothing is wrong, and the next start does it again. */
export class WorkerClosedError extends Error {
  override readonly name = 'WorkerClosedError'

  constructor() {
    super('The background thread is closed')
  }
}

/**
 * Writer's side of the thread for work that takes long and may wait: merges, index files. One job at
 * a time, in order. When the thread dies it is replaced and the job is tried once more, so a job must
 * be one that can be done twice. Started with the first job.
 */
export class BackgroundWorker {
  readonly #entry: URL
  readonly #queue: Job[] = []
  #worker: Worker | undefined
  #current: Job | undefined
  #closed = false

  /** @param entry file of the thread; it calls `answerJobs` */
  constructor(entry: URL) {
    this.#entry = entry
  }

  /** Jobs that wait or are under way. */
  get length(): number {
    return this.#queue.length + (this.#current === undefined ? 0 : 1)
  }

  /** Rejects when the job fails, or with WorkerClosedError. */
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
    this.#worker.postMessage(job.message)
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { name: 'merge' })
    let failure = new Error('The background thread ended')
    worker.on('message', (answer: BackgroundAnswer) => {
      const job = this.#current
      this.#current = undefined
      if (answer.kind === 'done') job?.resolve(answer.result)
      else job?.reject(new Error(answer.message))
      this.#next()
    })
    worker.on(
      'error',
      (error) => (failure = error instanceof Error ? error : new Error(String(error))),
    )
    worker.on('exit', () => {
      this.#worker = undefined
      const job = this.#current
      this.#current = undefined
      if (job !== undefined) {
        if (job.attempts < ATTEMPTS_MAX) this.#queue.unshift(job)
        else job.reject(failure)
      }
      this.#next()
    })
    return worker
  }
}

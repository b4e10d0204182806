interface Job {
  /** Settles when the work is done; never rejects. */
  start(): Promise<void>
}

export interface TurnQueueOptions {
  /** Number of works in progress at the same time. */
  readonly lanes: number
  /** Number of them that one key may have. */
  readonly perKey: number
}

/**
 * Work of many owners, each under its key. The keys take turns, one work at a time, so a key with
 * much to do does not delay the others. Works of one key start in the order of arrival.
 * (`FairQueue` is for jobs that occupy a thread, and weighs them by cost.)
 */
export class TurnQueue {
  readonly #options: TurnQueueOptions
  /**
   * Waiting works by key; the key with the next turn comes first. Keys without work are not in it.
   */
  readonly #waiting = new Map<string, Job[]>()
  readonly #running = new Map<string, number>()
  #runningCount = 0
  /** Works that must run alone; they go first. */
  readonly #alone: Job[] = []
  #isAlone = false

  constructor(options: TurnQueueOptions) {
    this.#options = options
  }

  /** Number of works of a key that are waiting or in progress. */
  lengthOf(key: string): number {
    return (this.#waiting.get(key)?.length ?? 0) + (this.#running.get(key) ?? 0)
  }

  /** Whether a key with nothing in progress is waiting, because all lanes are taken. */
  get isAnyLeftOut(): boolean {
    return this.#waiting.keys().some((key) => !this.#running.has(key))
  }

  /** Rejects with the error of the work. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const job: Job = { start: () => work().then(resolve, reject) }
      const waiting = this.#waiting.get(key)
      if (waiting === undefined) this.#waiting.set(key, [job])
      else waiting.push(job)
      this.#next()
    })
  }

  /** The same, but runs while nothing else is in progress; later works wait for it. */
  runAlone<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#alone.push({ start: () => work().then(resolve, reject) })
      this.#next()
    })
  }

  #next(): void {
    const { lanes, perKey } = this.#options
    if (this.#isAlone) return
    if (this.#alone.length > 0) {
      if (this.#runningCount > 0) return
      this.#isAlone = true
      void this.#alone
        .shift()!
        .start()
        .then(() => {
          this.#isAlone = false
          this.#next()
        })
      return
    }
    // A key that still has work moves behind the others, now and when its work ends.
    for (const [key, jobs] of this.#waiting) {
      if (this.#runningCount >= lanes) return
      if ((this.#running.get(key) ?? 0) >= perKey) continue
      const job = jobs.shift()!
      this.#waiting.delete(key)
      if (jobs.length > 0) this.#waiting.set(key, jobs)
      this.#start(job, key)
    }
  }

  #start(job: Job, key: string): void {
    this.#runningCount++
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1)
    void job.start().then(() => {
      this.#runningCount--
      this.#end(key)
      this.#next()
    })
  }

  #end(key: string): void {
    const waiting = this.#waiting.get(key)
    if (waiting !== undefined) {
      this.#waiting.delete(key)
      this.#waiting.set(key, waiting)
    }
    const left = this.#running.get(key)! - 1
    if (left === 0) this.#running.delete(key)
    else this.#running.set(key, left)
  }
}

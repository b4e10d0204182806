interface Job {
  /** Settles when the work has; never rejects. */
  start(): Promise<void>
}

export interface TurnQueueOptions {
  /** Works under way at the same time. */
  readonly lanes: number
  /** Of which one key may have so many. */
  readonly perKey: number
}

/**
 * Work of many owners, each under its key: the keys take turns, one work at a time, so that a key
 * with much to do waits for the others no less than they for it. Works of one key begin in the
 * order in which they came. (`FairQueue` is for jobs that keep a thread busy, and weighs them by
 * what they cost.)
 */
export class TurnQueue {
  readonly #options: TurnQueueOptions
  /**
   * Works that wait, by key; the key whose turn is next comes first. A key without work is not in
   * it.
   */
  readonly #waiting = new Map<string, Job[]>()
  readonly #running = new Map<string, number>()
  #runningCount = 0
  /** Works that nothing else may run beside; they go first. */
  readonly #alone: Job[] = []
  #isAlone = false

  constructor(options: TurnQueueOptions) {
    this.#options = options
  }

  /** How many works of a key wait, or are under way. */
  lengthOf(key: string): number {
    return (this.#waiting.get(key)?.length ?? 0) + (this.#running.get(key) ?? 0)
  }

  /** Whether a key waits that has nothing under way: the lanes are taken. */
  get isAnyLeftOut(): boolean {
    return this.#waiting.keys().some((key) => !this.#running.has(key))
  }

  /** Rejects with what the work rejects with. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const job: Job = { start: () => work().then(resolve, reject) }
      const waiting = this.#waiting.get(key)
      if (waiting === undefined) this.#waiting.set(key, [job])
      else waiting.push(job)
      this.#next()
    })
  }

  /** The same when nothing else is under way; what comes later waits for it. */
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
    // A key that still has work is put behind the others, now and when its work ends, and seen
    // again after them.
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

/**
 * Short jobs share a turn of the event loop: none begins when the turn has lasted this long, about
 * as long as one search that is not cached, …
 */
const SHARE_MIN_MS = 1
/**
 * … or as long as the loop has read and refused requests since the turn before it, while jobs
 * waited; at most this long. With a thousand connections that send again as soon as they are
 * refused, one job per turn would be twenty a second.
 */
const SHARE_MAX_MS = 20
/** Jobs per millisecond of its share. */
const JOBS_PER_MS = 16

export interface TurnHost {
  /** Calls back in the next pass over such calls, in order; promises are settled between them. */
  defer(step: () => void): void
  nowMs(): number
  /** Processor time of this thread. */
  cpuMs(): number
  /** Jobs that wait. */
  waiting(): number
  /** Estimated cost of the next job. */
  costMs(): number
  /** Runs the next job. @returns false if there was none */
  begin(startMs: number): boolean
  /**
   * The last started job is complete, or waits for something.
   *
   * @param costMs processor time that it took
   * @param gapMs processor time from the end of the turn before it to its own, if it had to wait
   * meanwhile, and is the first of its turn; else 0
   */
  end(costMs: number, gapMs: number): void
}

/**
 * Runs one job per turn of an event loop, or several short ones in a row, whose code then stays in
 * the caches of the processor. Between two turns the loop reads what has arrived.
 */
export class SharedTurns {
  readonly #host: TurnHost
  readonly #step = (): void => this.#next()
  /** Steps of this turn or the next: one before each job, and one after the last. */
  #stepsLeft = 0
  /** A turn that has begun gets no further steps. */
  #hasBegun = false
  #isRunning = false
  #turnStartMs = 0
  #shareMs = SHARE_MIN_MS
  #jobsLeft = 0
  #startCpuMs = 0
  /** Processor time at the end of the previous turn, if jobs were waiting; else 0. */
  #endedCpuMs = 0
  /** When that was. */
  #endedMs = 0

  constructor(host: TurnHost) {
    this.#host = host
  }

  /** A job has arrived. */
  schedule(): void {
    if (!this.#hasBegun) this.#addSteps(1)
  }

  #addSteps(jobCount: number): void {
    // Those that find no time left do nothing.
    const jobsMax = Math.max(1, SHARE_MAX_MS * Math.min(JOBS_PER_MS, 1 / this.#host.costMs()))
    let more = this.#stepsLeft === 0 ? jobCount + 1 : jobCount
    for (; more > 0 && this.#stepsLeft <= jobsMax; more--) {
      this.#stepsLeft++
      this.#host.defer(this.#step)
    }
  }

  #next(): void {
    const isLast = --this.#stepsLeft === 0
    // The turn has lasted long enough.
    if (this.#hasBegun && !this.#isRunning && !isLast) return
    const nowMs = this.#host.nowMs()
    const cpuMs = this.#host.cpuMs()
    if (!this.#hasBegun) this.#begin(nowMs)
    this.#hasBegun = !isLast
    if (this.#isRunning) {
      const gapMs = this.#endedCpuMs === 0 ? 0 : this.#startCpuMs - this.#endedCpuMs
      this.#host.end(cpuMs - this.#startCpuMs, gapMs)
      this.#endedCpuMs = 0
    }
    this.#startCpuMs = cpuMs
    const hasTime = nowMs - this.#turnStartMs < this.#shareMs && this.#jobsLeft-- > 0
    this.#isRunning = hasTime && !isLast && this.#host.begin(nowMs)
    if (!isLast || this.#host.waiting() === 0) return
    this.#endedCpuMs = cpuMs
    this.#endedMs = nowMs
    this.#addSteps(this.#host.waiting())
  }

  #begin(nowMs: number): void {
    const readMs = this.#endedCpuMs === 0 ? 0 : nowMs - this.#endedMs
    this.#turnStartMs = nowMs
    this.#shareMs = Math.min(Math.max(SHARE_MIN_MS, readMs), SHARE_MAX_MS)
    this.#jobsLeft = this.#shareMs * JOBS_PER_MS
  }
}

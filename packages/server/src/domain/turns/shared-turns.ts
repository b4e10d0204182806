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
/**
 * While connections wait to be accepted, no turn begins, for up to this long. A pass of the event
 * loop accepts a single connection; with a turn in every pass, those were fifty a second.
 */
const ACCEPT_MAX_MS = 20
/** Turn while more of them wait, each perhaps of a store that waits for nothing else. */
const SHARE_ACCEPTING_MS = 5
/**
 * When a pass of the loop has read for this long, jobs take a turn of `SHARE_MIN_MS` between two
 * requests. A single pass reads up to 48 times 1,024 requests, if enough connections send again at
 * once. The turn is short because what is not read yet may be from a store that waits for nothing.
 */
const READ_MAX_MS = 5
/** Jobs per millisecond of its share. */
const JOBS_PER_MS = 16

export interface TurnHost {
  /** Calls back in the next pass over such calls, in order; promises are settled between them. */
  defer(step: () => void): void
  /** Calls back when promises are settled. */
  settle(done: () => void): void
  nowMs(): number
  /** Processor time of this thread. */
  cpuMs(): number
  /** Whether a connection was accepted since the last call: others may wait behind it. */
  hasAccepted(): boolean
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
   */
  end(costMs: number): void
}

/**
 * Runs one job per turn of an event loop, or several short ones in a row, whose code then stays in
 * the caches of the processor. Between two turns the loop accepts all new connections and reads
 * what has arrived; where that takes long, short turns are taken between two requests.
 */
export class SharedTurns {
  readonly #host: TurnHost
  readonly #step = (): void => {
    if (this.#aheadCount > 0) this.#aheadCount--
    else if (this.#isAccepting) this.#stepsLeft--
    else if (!this.#hasBegun && !this.#isDue && this.#host.hasAccepted()) this.#accept()
    else this.#next()
  }
  readonly #pass = (): void => this.#acceptNext()
  readonly #settled = (): void => void (this.#isSettled = true)
  /** Steps of this turn or the next: one before each job, and one after the last. */
  #stepsLeft = 0
  /** Steps that ran between two requests, before they were called. */
  #aheadCount = 0
  /** Whether promises are settled since the last step that ran between two requests. */
  #isSettled = true
  /** A turn that has begun gets no further steps. */
  #hasBegun = false
  #isRunning = false
  /** Turns wait while the loop accepts connections, one with each pass. */
  #isAccepting = false
  /** When the next turn was put off; 0: it was not. */
  #acceptingSinceMs = 0
  /** The next turn has waited as long as it may, and more connections wait. */
  #isDue = false
  /** When the loop began to read, with jobs waiting. */
  #readingSinceMs = 0
  /** How long it has read in this pass, but for the time since then. */
  #readMs = 0
  #turnStartMs = 0
  #shareMs = SHARE_MIN_MS
  #jobsLeft = 0
  #startCpuMs = 0

  constructor(host: TurnHost) {
    this.#host = host
  }

  /** A job has arrived. */
  schedule(): void {
    if (this.#hasBegun || this.#isAccepting) return
    if (this.#stepsLeft === 0) {
      this.#readingSinceMs = this.#host.nowMs()
      this.#readMs = 0
    }
    this.#addSteps(1)
  }

  /** The loop has read a request, which is refused or in the queue. */
  read(): void {
    if (!this.#isSettled || (this.#stepsLeft === 0 && !this.#isAccepting)) return
    const nowMs = this.#host.nowMs()
    if (!this.#hasBegun && nowMs - this.#readingSinceMs < READ_MAX_MS) return
    if (this.#isAccepting) this.#endAccepting()
    if (this.#stepsLeft === 0) return
    do {
      this.#aheadCount++
      this.#next(true)
      // Those that begin no job need not wait for promises.
    } while (this.#hasBegun && !this.#isRunning)
    this.#isSettled = false
    this.#host.settle(this.#settled)
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

  #next(isAhead = false): void {
    const isLast = --this.#stepsLeft === 0
    // The turn has lasted long enough.
    if (this.#hasBegun && !this.#isRunning && !isLast) return
    const nowMs = this.#host.nowMs()
    const cpuMs = this.#host.cpuMs()
    if (!this.#hasBegun) this.#begin(nowMs, isAhead)
    this.#hasBegun = !isLast
    if (this.#isRunning) this.#host.end(cpuMs - this.#startCpuMs)
    this.#startCpuMs = cpuMs
    const hasTime = nowMs - this.#turnStartMs < this.#shareMs && this.#jobsLeft-- > 0
    this.#isRunning = hasTime && !isLast && this.#host.begin(nowMs)
    if (!isLast || this.#host.waiting() === 0) return
    this.#readingSinceMs = nowMs
    this.#addSteps(this.#host.waiting())
  }

  /** @param isAhead between two requests of a pass, which goes on reading */
  #begin(nowMs: number, isAhead: boolean): void {
    this.#readMs += nowMs - this.#readingSinceMs
    this.#turnStartMs = nowMs
    if (isAhead) this.#shareMs = SHARE_MIN_MS
    else if (this.#isDue) this.#shareMs = SHARE_ACCEPTING_MS
    else {
      this.#shareMs = Math.min(Math.max(SHARE_MIN_MS, this.#readMs), SHARE_MAX_MS)
      this.#readMs = 0
    }
    this.#isDue = false
    this.#acceptingSinceMs = 0
    this.#jobsLeft = this.#shareMs * JOBS_PER_MS
  }

  /** Puts the turn off that a step would have begun, unless it has waited for too long. */
  #accept(): void {
    this.#acceptingSinceMs ||= this.#host.nowMs()
    this.#isDue = this.#hasWaited()
    if (this.#isDue) return this.#next()
    this.#stepsLeft--
    this.#isAccepting = true
    this.#host.defer(this.#pass)
  }

  #acceptNext(): void {
    // The turn was taken between two requests.
    if (!this.#isAccepting) return
    const doMoreWait = this.#host.hasAccepted()
    this.#isDue = doMoreWait && this.#hasWaited()
    if (doMoreWait && !this.#isDue) this.#host.defer(this.#pass)
    else this.#endAccepting()
  }

  #hasWaited(): boolean {
    return this.#host.nowMs() - this.#acceptingSinceMs >= ACCEPT_MAX_MS
  }

  #endAccepting(): void {
    this.#isAccepting = false
    if (this.#host.waiting() > 0) this.#addSteps(this.#host.waiting())
  }
}

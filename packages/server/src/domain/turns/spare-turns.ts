/**
 * So long a part waits for jobs at most, in milliseconds: beside searches without end, a bulk goes
 * on as well.
 */
const WAIT_MAX_MS = 10

export interface SpareTurnHost {
  /** Calls back in the next turn of the event loop. */
  defer(step: () => void): void
  nowMs(): number
  /** Jobs that wait. */
  waiting(): number
}

interface Part {
  readonly sinceMs: number
  readonly begin: () => void
}

/**
 * Turns of the event loop for parts of what takes long and is not waited for as a search is: one
 * part a turn, whosever it is, and none while jobs wait. When each of four bulks took its part of
 * the same turn, a search waited for all of them.
 */
export class SpareTurns {
  readonly #host: SpareTurnHost
  readonly #parts: Part[] = []
  readonly #step = (): void => this.#next()

  constructor(host: SpareTurnHost) {
    this.#host = host
  }

  /** Resolves in a turn of its own: the first that asked is the first. */
  take(): Promise<void> {
    return new Promise((begin) => {
      this.#parts.push({ sinceMs: this.#host.nowMs(), begin })
      if (this.#parts.length === 1) this.#host.defer(this.#step)
    })
  }

  #next(): void {
    const { sinceMs } = this.#parts[0]!
    const mustWait = this.#host.waiting() > 0 && this.#host.nowMs() - sinceMs < WAIT_MAX_MS
    if (!mustWait) this.#parts.shift()!.begin()
    if (this.#parts.length > 0) this.#host.defer(this.#step)
  }
}

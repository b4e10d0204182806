/**
 * Maximum milliseconds that a part waits for jobs, so that a bulk also continues during endless
 * searches.
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
 * Assigns turns of the event loop to parts of long work that is less urgent than a search: one part
 * per turn, from any work, and none while jobs wait. When four bulks each took a part of the same
 * turn, a search waited for all of them.
 */
export class SpareTurns {
  readonly #host: SpareTurnHost
  readonly #parts: Part[] = []
  readonly #step = (): void => this.#next()

  constructor(host: SpareTurnHost) {
    this.#host = host
  }

  /** Resolves in a separate turn, in the order of calls. */
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

/** Maximum number of keys; the least recently used one is evicted. */
const KEYS_MAX = 20_000
/** The first wait; each further failure doubles it. */
const FIRST_WAIT_MS = 1_000

export interface GuessLimit {
  /** Failures without a wait. */
  readonly freeCount: number
  /** Milliseconds in which that many failures expire, evenly. */
  readonly windowMs: number
  /** Maximum wait. */
  readonly waitMaxMs: number
}

interface Failures {
  readonly count: number
  readonly atMs: number
}

/**
 * Limits guesses of a secret, by key: after the free failures, each further one doubles the wait
 * before the next guess is checked. An attempt counts as a failure until it has succeeded, so
 * parallel attempts gain nothing.
 */
export class GuessLimits {
  readonly #limit: GuessLimit
  readonly #failures = new Map<string, Failures>()

  constructor(limit: GuessLimit) {
    this.#limit = limit
  }

  /** @returns milliseconds to wait; 0 if another attempt is allowed */
  waitMs(key: string, nowMs: number): number {
    const { freeCount, waitMaxMs } = this.#limit
    const last = this.#failures.get(key)
    if (last === undefined || last.count < freeCount) return 0
    const backOffMs = Math.min(waitMaxMs, FIRST_WAIT_MS * 2 ** Math.round(last.count - freeCount))
    return Math.max(0, backOffMs - elapsedMs(last, nowMs))
  }

  failed(key: string, nowMs: number): void {
    this.#set(key, this.#faded(key, nowMs) + 1, nowMs)
  }

  /** Takes back a failure that turned out to be a success. */
  succeeded(key: string, nowMs: number): void {
    this.#set(key, Math.max(0, this.#faded(key, nowMs) - 1), nowMs)
  }

  #faded(key: string, nowMs: number): number {
    const last = this.#failures.get(key)
    if (last === undefined) return 0
    const { freeCount, windowMs } = this.#limit
    return Math.max(0, last.count - (elapsedMs(last, nowMs) * freeCount) / windowMs)
  }

  #set(key: string, count: number, atMs: number): void {
    this.#failures.delete(key)
    this.#failures.set(key, { count, atMs })
    if (this.#failures.size <= KEYS_MAX) return
    for (const oldest of this.#failures.keys()) {
      this.#failures.delete(oldest)
      break
    }
  }
}

/** The clock may be set back, which must not add failures. */
function elapsedMs({ atMs }: Failures, nowMs: number): number {
  return Math.max(0, nowMs - atMs)
}

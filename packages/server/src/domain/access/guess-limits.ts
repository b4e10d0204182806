/** Keys that are remembered at most; the one unused for the longest time makes room. */
const KEYS_MAX = 20_000
/** The first wait; each further failure doubles it. */
const FIRST_WAIT_MS = 1_000

export interface GuessLimit {
  /** Failures that cost nothing yet. */
  readonly freeCount: number
  /** Milliseconds in which so many failures fade, evenly. */
  readonly windowMs: number
  /** What a wait grows to at most. */
  readonly waitMaxMs: number
}

interface Failures {
  readonly count: number
  readonly atMs: number
}

/**
 * How often a secret may be guessed, by key: after the free failures each further one doubles the
 * time until the next guess is looked at. An attempt counts as a failure until it has succeeded, so
 * that many at once gain nothing.
 */
export class GuessLimits {
  readonly #limit: GuessLimit
  readonly #failures = new Map<string, Failures>()

  constructor(limit: GuessLimit) {
    this.#limit = limit
  }

  /** @returns milliseconds to wait; 0 when one more may be tried */
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

  /** What was counted as a failure was none. */
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

/** Time may be set back: that must not add failures. */
function elapsedMs({ atMs }: Failures, nowMs: number): number {
  return Math.max(0, nowMs - atMs)
}

/**
 * Time without a change after which a version counts as settled. It is longer than the copies of a
 * shard take to show the same write, and than facts about words are reused unasked.
 */
const UNCHANGED_MS = 5_000
/** Minimum time between two checks of a store that is changing. */
const CHECK_MS = 1_000
/** Maximum share of time for these: after each change, the cluster reads all documents. */
const CHECKING_SHARE = 0.05
/** Maximum pause: one slow check says little about the next. */
const CHECK_PAUSE_MAX_MS = 60_000

/** A cost is the average of about this many last checks. */
const AVERAGED_CHECKS = 4
/** How long a cost is known: the cluster may have cached the version by now. */
const COST_KNOWN_MS = 10_000

/** The version of a store as a node last saw it, and since when it has been the same. */
export class ObservedVersion {
  readonly #nowMs: () => number
  #version: number | undefined
  #sinceMs = -Infinity
  #askedMs = -Infinity
  #isAsked = false
  #pauseMs = CHECK_MS
  #costMs = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** The version that the store has had for long enough; undefined while it is changing. */
  get settled(): number | undefined {
    // A change is seen by the next check.
    const unchangedMs = UNCHANGED_MS + this.#pauseMs - CHECK_MS
    return this.#nowMs() - this.#sinceMs >= unchangedMs ? this.#version : undefined
  }

  /**
   * Whether to ask for the version now: once a second at most while the store is changing, and less
   * often if that takes long.
   */
  mayAsk(): boolean {
    const nowMs = this.#nowMs()
    if (this.settled === undefined && nowMs - this.#askedMs < this.#pauseMs) return false
    this.#askedMs = nowMs
    this.#isAsked = true
    return true
  }

  /** What a check costs the cluster: less than a millisecond while it has cached the version. */
  get costMs(): number {
    return this.#nowMs() - this.#askedMs < COST_KNOWN_MS ? this.#costMs : 0
  }

  /** @param costMs what the check took */
  see(version: number, costMs = 0): void {
    const nowMs = this.#nowMs()
    this.#costMs += (costMs - this.#costMs) / AVERAGED_CHECKS
    if (this.#isAsked) {
      const pauseMs = (nowMs - this.#askedMs) / CHECKING_SHARE
      this.#pauseMs = Math.min(Math.max(CHECK_MS, pauseMs), CHECK_PAUSE_MAX_MS)
    }
    this.#isAsked = false
    this.#askedMs = nowMs
    if (version === this.#version) return
    this.#version = version
    this.#sinceMs = nowMs
  }
}

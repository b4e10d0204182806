/**
 * Time without a change after which a version counts as settled. It is longer than the copies of a
 * shard take to show the same write, and than facts about words are reused unasked.
 */
const UNCHANGED_MS = 5_000
/** Minimum time between two checks of a store that is changing. */
const CHECK_MS = 1_000

/** The version of a store as a node last saw it, and since when it has been the same. */
export class ObservedVersion {
  readonly #nowMs: () => number
  #version: number | undefined
  #sinceMs = -Infinity
  #askedMs = -Infinity

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** The version that the store has had for long enough; undefined while it is changing. */
  get settled(): number | undefined {
    return this.#nowMs() - this.#sinceMs >= UNCHANGED_MS ? this.#version : undefined
  }

  /** Whether to ask for the version now: once a second at most while the store is changing. */
  mayAsk(): boolean {
    const nowMs = this.#nowMs()
    if (this.settled === undefined && nowMs - this.#askedMs < CHECK_MS) return false
    this.#askedMs = nowMs
    return true
  }

  see(version: number): void {
    this.#askedMs = this.#nowMs()
    if (version === this.#version) return
    this.#version = version
    this.#sinceMs = this.#nowMs()
  }
}

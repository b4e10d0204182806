/** A thread that lived this long was healthy: its death does not count towards a crash loop. */
const HEALTHY_AFTER_MS = 10_000
const FIRST_MS = 100
const MAX_MS = 5_000

/**
 * Returns the delay before a thread that ended is replaced: none the first time, longer each time
 * it dies soon.
 */
export class BackOff {
  #quickDeaths = 0

  /** @param livedMs lifetime of the thread that has just ended */
  waitMs(livedMs: number): number {
    if (livedMs > HEALTHY_AFTER_MS) this.#quickDeaths = 0
    const deaths = this.#quickDeaths++
    return deaths === 0 ? 0 : Math.min(FIRST_MS * 2 ** (deaths - 1), MAX_MS)
  }
}

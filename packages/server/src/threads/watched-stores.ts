import { ThreadVitals, type Vitals } from '../adapters/shared-memory/vitals.ts'
import { NO_WORK, type WatchedWork } from '../ports/request-watch.ts'
import type { StoreWatch } from '../ports/store-watch.ts'
import { monotonicSeconds } from './thread-watch.ts'

const BEAT_MS = 250
/** Stores whose fingerprints are kept. */
const FINGERPRINTS_MAX = 10_000

/**
 * The side of a shared thread: beats while its event loop turns, and says for which store it is at
 * work.
 */
export class WatchedStores implements StoreWatch {
  readonly #vitals: ThreadVitals
  readonly #onSetAside: (log: string, seconds: number) => void
  readonly #works = new Map<string, WatchedWork>()
  /** Stores that were said to be set aside. */
  readonly #setAside = new Set<string>()

  /** @param onSetAside told once about each store that is */
  constructor(vitals: Vitals, onSetAside: (log: string, seconds: number) => void) {
    this.#vitals = new ThreadVitals(vitals, 0, monotonicSeconds)
    this.#onSetAside = onSetAside
    // At once: it is watched from its first beat on.
    this.#vitals.beat()
    setInterval(() => this.#vitals.beat(), BEAT_MS).unref()
  }

  during<T>(log: string, work: () => T): T {
    this.#vitals.workOn(this.#workOf(log))
    try {
      const result = work()
      this.#vitals.workOn(NO_WORK)
      return result
    } catch (error) {
      // If nobody catches it, the thread has ended by then, and is found at this work.
      setImmediate(() => this.#vitals.workOn(NO_WORK))
      throw error
    }
  }

  setAsideSeconds(log: string): number {
    const seconds = this.#vitals.quarantineSeconds(this.#workOf(log))
    if (seconds === 0) this.#setAside.delete(log)
    else if (!this.#setAside.has(log)) {
      this.#setAside.add(log)
      this.#onSetAside(log, seconds)
    }
    return seconds
  }

  #workOf(log: string): WatchedWork {
    let work = this.#works.get(log)
    if (work === undefined) {
      if (this.#works.size >= FINGERPRINTS_MAX) this.#works.clear()
      work = { request: this.#vitals.fingerprint(log), origin: 0n }
      this.#works.set(log, work)
    }
    return work
  }
}

import { ThreadVitals, type Vitals } from '../adapters/shared-memory/vitals.ts'
import { NO_WORK, type WatchedWork } from '../ports/host/request-watch.ts'
import type { StoreWatch } from '../ports/host/store-watch.ts'
import { monotonicSeconds } from './thread-watch.ts'

const BEAT_MS = 250

/**
 * The side of a shared thread: beats while its event loop turns, and reports which store it works
 * for.
 */
export class WatchedStores implements StoreWatch {
  readonly #vitals: ThreadVitals
  readonly #onSetAside: (log: string, seconds: number) => void
  /** Stores that were reported as set aside. */
  readonly #setAside = new Set<string>()

  /** @param onSetAside called once for each store that is set aside */
  constructor(vitals: Vitals, onSetAside: (log: string, seconds: number) => void) {
    this.#vitals = new ThreadVitals(vitals, 0, monotonicSeconds)
    this.#onSetAside = onSetAside
    // Beats at once, because it is watched from its first beat.
    this.#vitals.beat()
    setInterval(() => this.#vitals.beat(), BEAT_MS).unref()
  }

  during<T>(log: string, work: () => T): T {
    this.#vitals.workOn(workOf(log))
    try {
      const result = work()
      this.#vitals.workOn(NO_WORK)
      return result
    } catch (error) {
      // An uncaught error ends the thread, and the watch finds it at this work.
      setImmediate(() => this.#vitals.workOn(NO_WORK))
      throw error
    }
  }

  setAsideSeconds(log: string): number {
    const seconds = this.#vitals.quarantineSeconds(workOf(log))
    if (seconds === 0) this.#setAside.delete(log)
    else if (!this.#setAside.has(log)) {
      this.#setAside.add(log)
      this.#onSetAside(log, seconds)
    }
    return seconds
  }
}

function workOf(log: string): WatchedWork {
  return { request: log, origin: '' }
}

import { ThreadVitals, type Vitals } from '../adapters/shared-memory/vitals.ts'
import { NO_WORK, type WatchedWork } from '../ports/host/request-watch.ts'
import type { StoreWatch } from '../ports/host/store-watch.ts'
import { monotonicSeconds } from './thread-watch.ts'

const BEAT_MS = 250

/**
 * The side of a shared thread: beats while its event loop turns, and says for which store it is at
 * work.
 */
export class WatchedStores implements StoreWatch {
  readonly #vitals: ThreadVitals
  readonly #onSetAside: (log: string, seconds: number) => void
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
    this.#vitals.workOn(workOf(log))
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

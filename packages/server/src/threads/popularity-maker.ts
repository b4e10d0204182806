import { dayOf } from '@aisle/suggestions'
import type { ReplicaStore } from '../adapters/embedded/replica.ts'
import type { LogFollower } from '../adapters/suggestions/log-follower.ts'
import type { FromSuggestionsThread } from '../adapters/suggestions/messages.ts'

/**
 * Clicks come all the time, and cached answers last until the next popularity: it may be so old.
 */
const CLICKS_MS = 30_000
/**
 * A document that is written has a new key, and is without its popularity until it is looked up
 * again.
 */
const WRITES_MS = 2_000
/** A build may take this share of the time at most. */
const PAUSE_PER_BUILD = 10

type PublishedPopularity = FromSuggestionsThread & { readonly kind: 'popularity' }

interface Made {
  readonly message: PublishedPopularity
  /** What it was made of. */
  readonly follower: LogFollower
  readonly clicks: string
  readonly writes: string
  readonly madeMs: number
  /** Not again before. */
  readonly nextMs: number
}

/** Rebuilds the popularity of documents when clicks, days or documents have changed it. */
export class PopularityMaker {
  readonly #findKey: (catalog: number, id: string) => number | undefined
  /** By log. */
  readonly #made = new Map<string, Made>()
  #version = 0

  constructor(findKey: (catalog: number, id: string) => number | undefined) {
    this.#findKey = findKey
  }

  /** The newest of all stores, for a thread that has none yet. */
  all(): PublishedPopularity[] {
    return [...this.#made.values()].map(({ message }) => message)
  }

  forget(log: string): void {
    this.#made.delete(log)
  }

  /** @returns a new popularity, when one is due */
  renew(log: string, follower: LogFollower, store: ReplicaStore): PublishedPopularity | undefined {
    const made = this.#made.get(log)
    const nowMs = Date.now()
    const { isEmpty, changes } = follower.appeal
    // Where there was one, an empty one must take its place.
    if (made === undefined && isEmpty) return undefined
    const { lastWriteAt = '', docCount } = store.statistics
    const writes = `${lastWriteAt} ${docCount} ${store.catalog}`
    const clicks = `${changes} ${dayOf(nowMs)}`
    if (made?.follower === follower) {
      if (nowMs < made.nextMs) return undefined
      if (writes === made.writes && (clicks === made.clicks || nowMs < made.madeMs + CLICKS_MS)) {
        return undefined
      }
    }
    const startMs = performance.now()
    const index = follower.buildPopularity((id) => this.#findKey(store.catalog, id), nowMs)
    const pauseMs = PAUSE_PER_BUILD * (performance.now() - startMs)
    // Larger than any before, also of a thread that this one replaces.
    this.#version = Math.max(nowMs, this.#version + 1)
    const message = { kind: 'popularity', log, index, version: this.#version } as const
    const nextMs = nowMs + Math.max(WRITES_MS, pauseMs)
    this.#made.set(log, { message, follower, clicks, writes, madeMs: nowMs, nextMs })
    return message
  }
}

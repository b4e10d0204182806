import { dayOf } from '@aisle/suggestions'
import type { Clock } from '../../ports/host/clock.ts'
import type { FollowedStores } from '../../ports/suggestions/followed-stores.ts'
import type { SuggestionPublisher } from '../../ports/suggestions/suggestion-publisher.ts'
import type { LogFollower } from './log-follower.ts'

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

interface Made {
  /** What it was made of. */
  readonly follower: LogFollower
  readonly clicks: string
  readonly writes: string
  readonly madeMs: number
  /** Not again before. */
  readonly nextMs: number
}

export interface PopularityMakerOptions {
  readonly stores: FollowedStores
  readonly publisher: SuggestionPublisher
  readonly clock: Clock
}

/** Rebuilds the popularity of documents when clicks, days or documents have changed it. */
export class PopularityMaker {
  readonly #options: PopularityMakerOptions
  /** By log. */
  readonly #made = new Map<string, Made>()
  #version = 0

  constructor(options: PopularityMakerOptions) {
    this.#options = options
  }

  forget(log: string): void {
    this.#made.delete(log)
  }

  /** Publishes a new popularity, when one is due. */
  async renew(log: string, follower: LogFollower, storeId: string): Promise<void> {
    const { stores, publisher, clock } = this.#options
    const made = this.#made.get(log)
    const nowMs = clock.now()
    const { isEmpty, changes } = follower.appeal
    // Where there was one, an empty one must take its place.
    if (made === undefined && isEmpty) return
    const isSame = made?.follower === follower
    if (isSame && nowMs < made.nextMs) return
    const startMs = performance.now()
    /** Milliseconds: not again before. */
    const next = (): number =>
      nowMs + Math.max(WRITES_MS, PAUSE_PER_BUILD * (performance.now() - startMs))
    const writes = await stores.stamp(storeId)
    const clicks = `${changes} ${dayOf(nowMs)}`
    const areClicksKnown = isSame && (clicks === made.clicks || nowMs < made.madeMs + CLICKS_MS)
    if (areClicksKnown && writes === made.writes) {
      this.#made.set(log, { ...made, nextMs: next() })
      return
    }
    const content = await stores.contentOf(storeId)
    const docKeys = await stores.docKeys(storeId, follower.popularIds(nowMs))
    // The keys may be of either store of a swap: next time.
    if ((await stores.contentOf(storeId)) !== content) return
    const index = follower.buildPopularity((id) => docKeys.get(id), nowMs)
    // Larger than any before, also of a thread that this one replaces.
    this.#version = Math.max(nowMs, this.#version + 1)
    publisher.popularity(log, index, content, this.#version)
    this.#made.set(log, { follower, clicks, writes, madeMs: nowMs, nextMs: next() })
  }
}

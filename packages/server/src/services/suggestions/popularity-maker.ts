import { dayOf } from '@aisle/suggestions'
import type { Clock } from '../../ports/host/clock.ts'
import type { FollowedStores } from '../../ports/suggestions/followed-stores.ts'
import type { SuggestionPublisher } from '../../ports/suggestions/suggestion-publisher.ts'
import type { LogFollower } from './log-follower.ts'

/**
 * Maximum age of popularity: clicks arrive all the time, and cached answers are valid until the
 * next popularity.
 */
const CLICKS_MS = 30_000
/**
 * A written document has a new key, and no popularity until it is looked up again.
 */
const WRITES_MS = 2_000
/** Minimum pause after a build, in multiples of its duration. */
const PAUSE_PER_BUILD = 10

interface Made {
  /** Versions of its input. */
  readonly follower: LogFollower
  readonly clicks: string
  readonly writes: string
  readonly madeMs: number
  /** Time of the next build at the earliest. */
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
  /** Popularity by log. */
  readonly #made = new Map<string, Made>()
  #version = 0

  constructor(options: PopularityMakerOptions) {
    this.#options = options
  }

  forget(log: string): void {
    this.#made.delete(log)
  }

  /** Publishes a new popularity if one is due. */
  async renew(log: string, follower: LogFollower, storeId: string): Promise<void> {
    const { stores, publisher, clock } = this.#options
    const made = this.#made.get(log)
    const nowMs = clock.now()
    const { isEmpty, changes } = follower.appeal
    // An empty one must replace an earlier one.
    if (made === undefined && isEmpty) return
    const isSame = made?.follower === follower
    if (isSame && nowMs < made.nextMs) return
    const startMs = performance.now()
    /** Time of the next build at the earliest, in milliseconds. */
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
    // During a swap, the keys may be of either store: retry next time.
    if ((await stores.contentOf(storeId)) !== content) return
    const index = follower.buildPopularity((id) => docKeys.get(id), nowMs)
    // Larger than any version before, also of a thread that this one replaces.
    this.#version = Math.max(nowMs, this.#version + 1)
    publisher.popularity(log, index, content, this.#version)
    this.#made.set(log, { follower, clicks, writes, madeMs: nowMs, nextMs: next() })
  }
}

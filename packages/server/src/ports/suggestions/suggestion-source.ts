import type {
  PopularityIndex,
  ProfileIndex,
  SuggestionMatcher,
  TogetherIndex,
} from '@aisle/suggestions'
import type { LogOwner } from '../events/event-log.ts'

/**
 * Popular queries of a store, recent interests of its visitors and products that go together, as of
 * a moment ago.
 */
export interface StoreSuggestions {
  readonly matcher: SuggestionMatcher
  readonly profiles: ProfileIndex
  readonly together: TogetherIndex
}

/** Popularity of the documents of a store, as of a moment ago. */
export interface StorePopularity {
  readonly index: PopularityIndex
  /** Names the documents: see `SearchView.content`. */
  readonly content: string
  /** Equal numbers mean equal popularity, on every thread. */
  readonly version: number
}

/**
 * The suggestions of each store. Made in the background from the event log; an event shows within
 * ten seconds. Short-lived: use one within a turn, then drop it.
 */
export interface SuggestionSource {
  /**
   * They are first made when they are first asked for, which takes some 10 ms, and kept up to date
   * from then on. Undefined: nothing is known yet.
   */
  of(owner: LogOwner): Promise<StoreSuggestions | undefined>
  /**
   * Follows clicks within a minute, and changed documents within seconds. Undefined: nothing is
   * known yet.
   */
  popularity(owner: LogOwner): StorePopularity | undefined
}

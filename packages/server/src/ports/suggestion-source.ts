import type { PopularityIndex, ProfileIndex, SuggestionMatcher } from '@aisle/suggestions'
import type { LogOwner } from './event-log.ts'

/** What people search for in a store, and what each of them was looking for lately, as of a moment ago. */
export interface StoreSuggestions {
  readonly matcher: SuggestionMatcher
  readonly profiles: ProfileIndex
}

/** How popular the documents of a store are, as of a moment ago. */
export interface StorePopularity {
  readonly index: PopularityIndex
  /** The same number is the same popularity, on every thread. */
  readonly version: number
}

/**
 * The suggestions of each store. Made in the background from the event log; an event shows within ten
 * seconds. Short-lived: use one within a turn, then drop it.
 */
export interface SuggestionSource {
  /** Undefined: nothing is known yet. */
  of(owner: LogOwner): StoreSuggestions | undefined
  /** Follows clicks within a minute, and changed documents within seconds. Undefined: nothing is known yet. */
  popularity(owner: LogOwner): StorePopularity | undefined
}

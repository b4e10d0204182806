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
  /** Identifies the documents: see `SearchView.content`. */
  readonly content: string
  /** Equal numbers mean equal popularity, on every thread. */
  readonly version: number
}

/**
 * Provides the suggestions of each store, built in the background from the event log; an event
 * takes effect within ten seconds. Short-lived: use one within a turn, then drop it.
 */
export interface SuggestionSource {
  /**
   * The first request builds them, in some 10 ms; they are kept up to date from then on. Undefined
   * if nothing is known yet.
   */
  of(owner: LogOwner): Promise<StoreSuggestions | undefined>
  /**
   * Follows clicks within a minute, and changed documents within seconds. Undefined if nothing is
   * known yet.
   */
  popularity(owner: LogOwner): StorePopularity | undefined
}

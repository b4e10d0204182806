import type { Awaitable } from '../awaitable.ts'
import type { LogOwner } from '../events/event-log.ts'

/** A store, for the code that follows its event log. */
export interface FollowedStore extends LogOwner {
  /** Undefined while it is being loaded: its language is not known yet. */
  readonly language: string | undefined
}

/** All stores as of a moment ago. A deleted store has no documents. */
export interface FollowedStores {
  stores(): Awaitable<readonly FollowedStore[]>
  /** Whether all stores are known and loaded. */
  areKnown(): Awaitable<boolean>
  /** Changes whenever its documents or its settings change. */
  stamp(storeId: string): Awaitable<string>
  /** `SearchView.content`, which the docKeys belong to; empty if the store was deleted. */
  contentOf(storeId: string): Awaitable<string>
  /** DocKeys of the live versions of documents, without others. */
  docKeys(storeId: string, ids: readonly string[]): Awaitable<ReadonlyMap<string, number>>
}

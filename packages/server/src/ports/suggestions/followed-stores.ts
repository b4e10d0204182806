import type { Awaitable } from '../awaitable.ts'
import type { LogOwner } from '../events/event-log.ts'

/** A store as it is seen by what follows its event log. */
export interface FollowedStore extends LogOwner {
  /** Undefined while it is being loaded: its language is not known yet. */
  readonly language: string | undefined
}

/** All stores, as of a moment ago. One that is gone has no documents. */
export interface FollowedStores {
  stores(): Awaitable<readonly FollowedStore[]>
  /** Whether all stores are known and loaded. */
  areKnown(): Awaitable<boolean>
  /** Tells one state of its documents and its settings from another. */
  stamp(storeId: string): Awaitable<string>
  /** `SearchView.content`: what docKeys belong to. Empty: the store is gone. */
  contentOf(storeId: string): Awaitable<string>
  /** Of the live versions of documents; others are not in it. */
  docKeys(storeId: string, ids: readonly string[]): Awaitable<ReadonlyMap<string, number>>
}

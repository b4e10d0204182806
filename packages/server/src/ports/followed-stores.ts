import type { StoreResources } from './resource-reader.ts'
import type { StoreRecord, StoreStatistics } from './store-registry.ts'

/** A store as it is seen by what follows its event log. */
export interface FollowedStore {
  readonly record: StoreRecord
  readonly statistics: StoreStatistics
  readonly resources: StoreResources
  /** Where its documents are. */
  readonly catalog: number
  /** Undefined while it is being loaded: its language is not known yet. */
  readonly index: { readonly language: string; readonly index?: number } | undefined
}

/** All stores, as of the newest acknowledged write. */
export interface FollowedStores {
  stores(): readonly FollowedStore[]
  /** What is not searchable yet, in words; empty once all stores are known and loaded. */
  starting(): readonly string[]
}

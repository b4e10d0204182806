import type { Schema } from '@aisle/engine'
import type { AccessChange } from '../../domain/access/access-table.ts'
import type { ResourceChange } from '../../domain/store/resource.ts'
import type { StoreRecord, StoreStatistics } from '../../ports/catalog/store-registry.ts'
import type { IndexSnapshotHandle } from './engine-port.ts'
import type { SearchCounter } from './search-counter.ts'

/**
 * A message from the writer to every serving thread, sent in order on one port per thread. Only
 * parts that changed are sent. Bulk data is in SharedArrayBuffers: a message carries handles, not
 * bytes.
 *
 * The parts that decide the results of a store (its index, its resources) carry a `version`, set by
 * the publisher: a number that only grows, the same on every thread for the same state. Cached
 * responses stay valid as long as it stays the same.
 */
export type Publication =
  | {
      readonly kind: 'store'
      readonly storeId: string
      readonly record?: StoreRecord
      readonly statistics?: StoreStatistics
      readonly index?: PublishedIndex
      /** With `index`: it answers as before, having been merged, opened or closed. */
      readonly answersAsBefore?: true
      /** Present with `index`: see `contentOf`. */
      readonly content?: string
      /** Counts the searches of the store; the same for as long as the store exists. */
      readonly counter?: SearchCounter
      readonly version?: number
    }
  /** Figures of a store that was announced before. */
  | {
      readonly kind: 'resources'
      readonly storeId: string
      readonly change: ResourceChange
      readonly version?: number
    }
  /**
   * Two stores swap everything published about them except records and counters. `versions` are
   * their new versions, set by the publisher.
   */
  | {
      readonly kind: 'swapped'
      readonly storeIds: readonly [string, string]
      readonly versions?: readonly [number, number]
    }
  /** Users and sessions of the whole service. */
  | { readonly kind: 'access'; readonly change: AccessChange }
  /** A store with its resources. */
  | { readonly kind: 'removed'; readonly storeId: string }
  /** Every store that existed at the start has been announced. */
  | { readonly kind: 'announced' }
  /**
   * Ends a round of messages: a thread that has applied it is up to date with this generation.
   */
  | { readonly kind: 'generation'; readonly generation: number }

/** The searchable state of one store. */
export type PublishedIndex =
  /** The index is being loaded or rebuilt; documents can be read by id. */
  | { readonly kind: 'loading'; readonly catalog: number }
  /** The store has no schema yet, so nothing can be found. */
  | { readonly kind: 'empty'; readonly catalog: number; readonly language: string }
  /** The index is closed, only in its files: a search asks the writer to open it. */
  | {
      readonly kind: 'closed'
      readonly catalog: number
      readonly index: number
      readonly language: string
      readonly schema: Schema
    }
  | {
      readonly kind: 'searchable'
      readonly catalog: number
      /** Number of the index; an index with another number shares nothing with it. */
      readonly index: number
      readonly language: string
      readonly schema: Schema
      readonly snapshot: IndexSnapshotHandle
    }

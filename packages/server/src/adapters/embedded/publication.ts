import type { Schema } from '@aisle/engine'
import type { AccessChange } from '../../domain/access/access-table.ts'
import type { ResourceChange } from '../../domain/store/resource.ts'
import type { StoreRecord, StoreStatistics } from '../../ports/catalog/store-registry.ts'
import type { IndexSnapshotHandle } from './engine-port.ts'
import type { SearchCounter } from './search-counter.ts'

/**
 * What the writer tells every serving thread, in order, on one port per thread. Only parts that
 * changed are sent. Bulk data is in SharedArrayBuffers: a message carries handles, not bytes.
 *
 * What decides the answers of a store (its index, its resources) carries a `version`, put there by
 * the publisher: a number that only grows, the same on every thread for the same state.
 */
export type Publication =
  | {
      readonly kind: 'store'
      readonly storeId: string
      readonly record?: StoreRecord
      readonly statistics?: StoreStatistics
      readonly index?: PublishedIndex
      /** With `index`: see `contentOf`. */
      readonly content?: string
      /** Counts its searches; the same for as long as the store lives. */
      readonly counter?: SearchCounter
      readonly version?: number
    }
  /** Of a store that was announced before. */
  | {
      readonly kind: 'resources'
      readonly storeId: string
      readonly change: ResourceChange
      readonly version?: number
    }
  /**
   * Two stores exchange all that was published of them but records and counters. `versions` are
   * theirs from then on, put there by the publisher.
   */
  | {
      readonly kind: 'swapped'
      readonly storeIds: readonly [string, string]
      readonly versions?: readonly [number, number]
    }
  /** Users and sessions, of the whole service. */
  | { readonly kind: 'access'; readonly change: AccessChange }
  /** With its resources. */
  | { readonly kind: 'removed'; readonly storeId: string }
  /** Every store that was there at the start has been announced. */
  | { readonly kind: 'announced' }
  /**
   * Ends a round of messages: a thread that has applied it has seen everything up to this
   * generation.
   */
  | { readonly kind: 'generation'; readonly generation: number }

/** The searchable state of one store. */
export type PublishedIndex =
  /** Being loaded or rebuilt; documents can be read by id. */
  | { readonly kind: 'loading'; readonly catalog: number }
  /** No schema yet: nothing can be found. */
  | { readonly kind: 'empty'; readonly catalog: number; readonly language: string }
  /** In its files only: whoever searches it asks the writer to open it. */
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
      /** Number of the index; another one has nothing to do with it. */
      readonly index: number
      readonly language: string
      readonly schema: Schema
      readonly snapshot: IndexSnapshotHandle
    }

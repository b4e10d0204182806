import type { FieldValue } from '@aisle/engine'
import type { ResourceTable } from '../../domain/resource.ts'
import type { CatalogCounters, StoreRow } from '../../ports/document-store.ts'
import type { StoreStatistics } from '../../ports/store-registry.ts'
import type { StoreIndex } from './engine-port.ts'
import type { PublishedIndex } from './publication.ts'

/** One store as the writer holds it. Main thread only. */
export interface StoreState {
  /** As of the newest commit. */
  row: StoreRow
  /** As of the newest commit. */
  readonly resources: ResourceTable
  /** As of the newest decided write: ahead of the disk while a commit is in flight. */
  counters: CatalogCounters
  /** As of the newest commit that was applied: what may be shown. */
  shown: CatalogCounters
  /** Versions that are decided but not committed, by id; `undefined` = deleted. */
  readonly pending: Map<string, PendingVersion>
  /** Number of the newest group that is on disk. */
  settledGroup: number
  /** Absent before a schema, and while it is being loaded. */
  index: StoreIndex | undefined
  loading: boolean
}

export interface PendingVersion {
  /** Number of the group that decided it. */
  readonly group: number
  /** Absent: the id names no document any more. */
  readonly version: DecidedVersion | undefined
}

export interface DecidedVersion {
  readonly docKey: number
  readonly id: string
  readonly json: Uint8Array
  readonly values: readonly (FieldValue | undefined)[]
}

export function publishedIndexOf(state: StoreState): PublishedIndex {
  const { catalog, schema } = state.row
  if (state.loading) return { kind: 'loading', catalog }
  if (schema === undefined || state.index === undefined) return { kind: 'empty', catalog }
  return { kind: 'searchable', catalog, schema, snapshot: state.index.snapshot() }
}

export function statisticsOf(state: StoreState): StoreStatistics {
  const { docCount, documentBytes, lastWriteMs } = state.shown
  const { indexBytes, segmentCount } = state.index?.statistics() ?? NO_INDEX
  return {
    docCount,
    documentBytes,
    indexBytes,
    segmentCount,
    ...(lastWriteMs === 0 ? {} : { lastWriteAt: new Date(lastWriteMs).toISOString() }),
  }
}

const NO_INDEX = { indexBytes: 0, segmentCount: 0 }

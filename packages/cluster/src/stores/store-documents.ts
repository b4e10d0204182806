import { ResourceTable, type Resource } from '@aisle/server/domain'
import type { StoreRecord } from '@aisle/server/ports'
import type { DocumentKind } from '../control/known-documents.ts'

/** A store as stored in its control document. */
export interface ClusterStore {
  /** Unique for each store ever created, also under the same id. */
  readonly life: string
  readonly record: StoreRecord
  /** Name of its first content; absent: the name of the store. */
  readonly content?: string
  /** Approximate bytes of its documents, which are loaded at once; absent: they are not. */
  readonly bulkLoadBytes?: number
}

/**
 * Resources besides documents. They belong to the content of that life; for another life they are
 * obsolete.
 */
export interface StoreResources {
  readonly life: string
  readonly table: ResourceTable
}

export const STORES: DocumentKind<ClusterStore> = {
  kind: 'store',
  change: 'change the store',
  read: (json) => JSON.parse(json) as ClusterStore,
  write: (store) => JSON.stringify(store),
}

interface StoredResources {
  readonly life: string
  readonly resources: readonly Resource[]
}

export const RESOURCES: DocumentKind<StoreResources> = {
  kind: 'resources',
  change: 'change settings, sets, presets or rules',
  read: (json, before) => {
    const { life, resources } = JSON.parse(json) as StoredResources
    return { life, table: changedTable(before?.table ?? ResourceTable.empty, resources) }
  },
  write: ({ life, table }) =>
    JSON.stringify({ life, resources: table.all() } satisfies StoredResources),
}

/** Returns a table of these resources in which unchanged ones are the same objects as before. */
function changedTable(before: ResourceTable, resources: readonly Resource[]): ResourceTable {
  const after = ResourceTable.of(resources)
  return before.after({
    puts: resources.filter(({ kind, name, json }) => before.get(kind, name)?.json !== json),
    removes: before.all().filter(({ kind, name }) => after.get(kind, name) === undefined),
  })
}

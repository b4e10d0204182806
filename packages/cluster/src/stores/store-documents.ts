import { ResourceTable } from '@aisle/server/domain'
import type { Resource } from '@aisle/server/domain'
import type { StoreRecord } from '@aisle/server/ports'
import type { DocumentKind } from '../control/known-documents.ts'

/** A store as its control document has it. */
export interface ClusterStore {
  /** Another one for each store that was ever created, also under the same id. */
  readonly life: string
  readonly record: StoreRecord
  /** What its first content is named; absent: as the store. */
  readonly content?: string
}

/** What is kept besides documents: of the content of that life alone, else it is left over. */
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

/** A table of these resources in which what did not change is the same object as before. */
function changedTable(before: ResourceTable, resources: readonly Resource[]): ResourceTable {
  const after = ResourceTable.of(resources)
  return before.after({
    puts: resources.filter(({ kind, name, json }) => before.get(kind, name)?.json !== json),
    removes: before.all().filter(({ kind, name }) => after.get(kind, name) === undefined),
  })
}

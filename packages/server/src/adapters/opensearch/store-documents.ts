import type { SlotMap } from '@aisle/opensearch'
import type { Schema } from '@aisle/engine'
import { ResourceTable } from '../../domain/store/resource.ts'
import type { Resource } from '../../domain/store/resource.ts'
import type { StoreRecord } from '../../ports/store-registry.ts'
import type { DocumentKind } from './known-documents.ts'

/** A store as its control document has it. */
export interface ClusterStore {
  /** Another one for each store that was ever created, also under the same id. */
  readonly life: string
  readonly record: StoreRecord
}

/** What a store keeps besides documents: of that life alone, of another one it is left over. */
export interface StoreContent {
  readonly life: string
  readonly table: ResourceTable
}

/**
 * The documents of a store as they belong together: their schema, and where they are. Small,
 * because every write reads the newest one. Clearing, another schema, another language and another
 * index give a store another scope; what has the former one is as good as gone.
 */
export interface StoreCatalog {
  /** Of that life alone; of another one it is left over. */
  readonly life: string
  /** The first part of every id and term; never used twice. */
  readonly scope: string
  readonly index: string
  /** The index is shared, and requests must name the store. */
  readonly isPool: boolean
  /** Absent before any schema. */
  readonly schema?: Schema | undefined
  readonly slots: SlotMap
  /** BCP 47 tag of the analyzer that made the terms. */
  readonly language: string
}

export const STORES: DocumentKind<ClusterStore> = {
  kind: 'store',
  change: 'change the store',
  read: (json) => JSON.parse(json) as ClusterStore,
  write: (store) => JSON.stringify(store),
}

export const CATALOGS: DocumentKind<StoreCatalog> = {
  kind: 'catalog',
  change: 'change the documents of the store',
  read: (json, before) => {
    const catalog = JSON.parse(json) as StoreCatalog
    const isSame = JSON.stringify(catalog.schema) === JSON.stringify(before?.schema)
    // What is derived from a schema is kept with the object.
    return isSame ? { ...catalog, schema: before?.schema } : catalog
  },
  write: (catalog) => JSON.stringify(catalog),
}

interface StoredContent {
  readonly life: string
  readonly resources: readonly Resource[]
}

export const RESOURCES: DocumentKind<StoreContent> = {
  kind: 'resources',
  change: 'change settings, sets, presets or rules',
  read: (json, before) => {
    const { life, resources } = JSON.parse(json) as StoredContent
    return { life, table: changedTable(before?.table ?? ResourceTable.empty, resources) }
  },
  write: ({ life, table }) =>
    JSON.stringify({ life, resources: table.all() } satisfies StoredContent),
}

/** A table of these resources in which what did not change is the same object as before. */
function changedTable(before: ResourceTable, resources: readonly Resource[]): ResourceTable {
  const after = ResourceTable.of(resources)
  return before.after({
    puts: resources.filter(({ kind, name, json }) => before.get(kind, name)?.json !== json),
    removes: before.all().filter(({ kind, name }) => after.get(kind, name) === undefined),
  })
}

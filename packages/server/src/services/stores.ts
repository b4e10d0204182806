import {
  ApiError,
  KEY_GRACE_DEFAULT_SECONDS,
  type CreatedStore,
  type CreateStoreRequest,
  type DeletedStore,
  type RotatedKey,
  type StoreList,
  type StoreSummary,
} from '@aisle/contract'
import type { KeyKind } from '../ports/catalog-writer.ts'
import type { StoreRecord } from '../ports/store-registry.ts'
import type { Catalog } from './catalog.ts'
import { presentAnalysis } from './change-settings.ts'

const KEY_KINDS: readonly string[] = ['read', 'write', 'events'] satisfies KeyKind[]

export async function createStore(
  { writer }: Catalog,
  { name, id }: CreateStoreRequest,
): Promise<CreatedStore> {
  const created = await writer.createStore({ name, id })
  return {
    store_id: created.storeId,
    name: created.name,
    read_secret: created.readSecret,
    write_secret: created.writeSecret,
    events_write_key: created.eventsWriteKey,
  }
}

export function listStores({ registry }: Catalog): StoreList {
  const stores = registry.list().toSorted((a, b) => (a.storeId < b.storeId ? -1 : 1))
  return { stores: stores.map((store) => summary(registry, store)) }
}

/** @throws ApiError store_not_found */
export function describeStore({ registry }: Catalog, storeId: string): StoreSummary {
  return summary(registry, existing(registry, storeId))
}

/** @throws ApiError store_not_found */
export async function renameStore(
  { registry, writer }: Catalog,
  storeId: string,
  name: string,
): Promise<StoreSummary> {
  existing(registry, storeId)
  await writer.renameStore(storeId, name)
  return summary(registry, existing(registry, storeId))
}

/** @throws ApiError store_not_found */
export async function deleteStore(
  { registry, writer }: Catalog,
  storeId: string,
): Promise<DeletedStore> {
  existing(registry, storeId)
  await writer.deleteStore(storeId)
  return { store_id: storeId, status: 'deleted' }
}

/** @throws ApiError store_not_found, invalid_parameter */
export async function rotateKey(
  { registry, writer }: Catalog,
  storeId: string,
  kind: string,
  graceSeconds: number = KEY_GRACE_DEFAULT_SECONDS,
): Promise<RotatedKey> {
  existing(registry, storeId)
  if (!KEY_KINDS.includes(kind)) {
    throw new ApiError('invalid_parameter', 'The key kind must be `read`, `write` or `events`', {
      param: 'kind',
    })
  }
  const rotated = await writer.rotateKey(storeId, kind as KeyKind, graceSeconds)
  return { secret: rotated.secret, previous_valid_until: rotated.previousValidUntil }
}

function existing(registry: Catalog['registry'], storeId: string): StoreRecord {
  const store = registry.find(storeId)
  if (store !== undefined) return store
  throw new ApiError('store_not_found', 'There is no store of that id', { param: 'id' })
}

function summary(registry: Catalog['registry'], store: StoreRecord): StoreSummary {
  const statistics = registry.statistics(store.storeId)
  const { docCount, indexBytes, documentBytes, segmentCount, lastWriteAt } = statistics
  return {
    store_id: store.storeId,
    name: store.name,
    created_at: store.createdAt,
    documents: docCount,
    index_bytes: indexBytes,
    document_bytes: documentBytes,
    segments: segmentCount,
    analysis: presentAnalysis(statistics),
    ...(lastWriteAt === undefined ? {} : { last_write_at: lastWriteAt }),
  }
}

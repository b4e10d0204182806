import {
  ApiError,
  type CreatedStore,
  type CreateStoreRequest,
  type DeletedStore,
  type FinishedBulkLoad,
  type StoreList,
  type StoreSummary,
  type SwappedStores,
} from '@aisle/contract'
import { roleIn, type Rights } from '../../domain/access/roles.ts'
import { RESTORES } from '../../ports/catalog/edit-journal.ts'
import type { StoreRecord } from '../../ports/catalog/store-registry.ts'
import type { ServicePorts } from '../service-ports.ts'
import { presentAnalysis, presentEmbedding } from './change-settings.ts'

export async function createStore(
  { writer }: Pick<ServicePorts, 'writer'>,
  { name, id, bulk_load: bulkLoad }: CreateStoreRequest,
): Promise<CreatedStore> {
  const created = await writer.createStore({ name, id, bulkLoadBytes: bulkLoad?.document_bytes })
  return {
    store_id: created.storeId,
    name: created.name,
    read_secret: created.readSecret,
    write_secret: created.writeSecret,
    events_write_key: created.eventsWriteKey,
  }
}

/** @param rights of the user who asks; absent: the administrator */
export async function listStores(
  { registry }: Pick<ServicePorts, 'registry'>,
  rights: Rights | undefined,
): Promise<StoreList> {
  const stores = registry
    .list()
    .filter((store) => rights === undefined || roleIn(rights, store) !== undefined)
    .toSorted((a, b) => (a.storeId < b.storeId ? -1 : 1))
  return { stores: await Promise.all(stores.map((store) => summary(registry, store))) }
}

/** @throws ApiError store_not_found */
export async function describeStore(
  { registry }: Pick<ServicePorts, 'registry'>,
  storeId: string,
): Promise<StoreSummary> {
  return summary(registry, existingStore(registry, storeId))
}

/** @throws ApiError store_not_found */
export async function renameStore(
  { registry, writer }: Pick<ServicePorts, 'registry' | 'writer'>,
  storeId: string,
  name: string,
): Promise<StoreSummary> {
  existingStore(registry, storeId)
  await writer.renameStore(storeId, name)
  return summary(registry, existingStore(registry, storeId))
}

/** @throws ApiError store_not_found */
export async function deleteStore(
  { registry, writer }: Pick<ServicePorts, 'registry' | 'writer'>,
  storeId: string,
): Promise<DeletedStore> {
  existingStore(registry, storeId)
  await writer.deleteStore(storeId)
  return { store_id: storeId, status: 'deleted' }
}

/**
 * Two stores exchange documents, schema and settings at once. Ids, names, keys and events stay.
 *
 * @throws ApiError store_not_found, invalid_parameter (a store with itself), unavailable
 */
export async function swapStores(
  { registry, writer, edits }: Pick<ServicePorts, 'registry' | 'writer' | 'edits'>,
  storeId: string,
  otherId: string,
): Promise<SwappedStores> {
  existingStore(registry, storeId)
  existingStore(registry, otherId, 'other')
  if (storeId === otherId) {
    const message = `Cannot swap store "${storeId}" with itself: name another store`
    throw new ApiError('invalid_parameter', message, { param: 'other' })
  }
  await requireNoRestore(edits, [storeId, otherId])
  await writer.swapStores(storeId, otherId)
  const stores = [existingStore(registry, storeId), existingStore(registry, otherId, 'other')]
  return {
    status: 'swapped',
    stores: await Promise.all(stores.map((store) => summary(registry, store))),
  }
}

/** @throws ApiError store_not_found, unavailable */
export async function finishBulkLoad(
  { registry, writer }: Pick<ServicePorts, 'registry' | 'writer'>,
  storeId: string,
): Promise<FinishedBulkLoad> {
  existingStore(registry, storeId)
  const isFinished = await writer.finishBulkLoad(storeId)
  return { store_id: storeId, status: isFinished ? 'finished' : 'copying' }
}

/**
 * The documents of a restore must not end up in a store that serves.
 *
 * @throws ApiError unavailable
 */
async function requireNoRestore(
  edits: ServicePorts['edits'],
  storeIds: readonly string[],
): Promise<void> {
  for (const { content, json } of await edits.open()) {
    if (content !== RESTORES) continue
    const { storeId } = JSON.parse(json) as { readonly storeId: string }
    if (!storeIds.includes(storeId)) continue
    throw new ApiError(
      'unavailable',
      `Store "${storeId}" is being restored: swap it when the restore is complete`,
      {
        retryAfterSeconds: RESTORE_RETRY_SECONDS,
      },
    )
  }
}

const RESTORE_RETRY_SECONDS = 10

/** @throws ApiError store_not_found */
export function existingStore(
  registry: ServicePorts['registry'],
  storeId: string,
  param = 'id',
): StoreRecord {
  const store = registry.find(storeId)
  if (store !== undefined) return store
  throw new ApiError('store_not_found', 'There is no store with this id', { param })
}

async function summary(
  registry: ServicePorts['registry'],
  store: StoreRecord,
): Promise<StoreSummary> {
  const statistics = await registry.statistics(store.storeId)
  const { docCount, diskBytes, indexBytes, documentBytes, segmentCount, lastWriteAt } = statistics
  return {
    store_id: store.storeId,
    name: store.name,
    created_at: store.createdAt,
    documents: docCount,
    disk_bytes: diskBytes,
    index_bytes: indexBytes,
    document_bytes: documentBytes,
    segments: segmentCount,
    analysis: presentAnalysis(statistics),
    ...presentEmbedding(statistics),
    ...(lastWriteAt === undefined ? {} : { last_write_at: lastWriteAt }),
  }
}

import {
  ApiError,
  RESTORES_MAX,
  type ChangedBy,
  type RestoreStoreRequest,
  type SnapshotStores,
  type StartedRestore,
  type StoreRestore,
} from '@aisle/contract'
import { uuidv7 } from '../../domain/values/uuid.ts'
import { diskReserve, type DiskRoom } from '../../ports/host/disk-room.ts'
import { RESTORES } from '../../ports/catalog/edit-journal.ts'
import type { SnapshotReader } from '../../ports/catalog/snapshot-reader.ts'
import { openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { createStore } from '../store/stores.ts'
import {
  isOver,
  presentRestore,
  RESTORE_RECORDS,
  restoreKey,
  type RestoreRecord,
} from './restore-record.ts'

/** What restores need besides the usual ports. */
export interface RestorePorts extends ServicePorts {
  readonly snapshotReader: SnapshotReader
  /** Absent: unlimited. */
  readonly room?: DiskRoom | undefined
}

/** Bytes on disk per byte of documents: the documents, and the files of their index. */
const DISK_BYTES_PER_BYTE = 2

/** @throws ApiError snapshot_not_found, snapshot_failed, restore_unsupported */
export async function listSnapshotStores(
  { snapshotReader }: Pick<RestorePorts, 'snapshotReader'>,
  snapshot: string,
): Promise<SnapshotStores> {
  const stores = await snapshotReader.stores(snapshot)
  return {
    stores: stores.map(({ storeId, name, createdAt, docCount, documentBytes }) => ({
      store_id: storeId,
      name,
      created_at: createdAt,
      documents: docCount,
      document_bytes: documentBytes,
    })),
  }
}

/**
 * Creates a store and records that it gets what a store in a snapshot has; a runner of the service
 * then works on it. The record comes first: so nothing is left that nobody knows of.
 *
 * @throws ApiError store_not_found, store_exists, restore_running, disk_reserve, and what
 *   `listSnapshotStores` throws
 */
export async function beginRestore(
  ports: RestorePorts,
  runner: string,
  snapshot: string,
  { store: sourceId, id: storeId, name }: RestoreStoreRequest,
  changedBy: ChangedBy | undefined,
): Promise<StartedRestore> {
  const stores = await ports.snapshotReader.stores(snapshot)
  const source = stores.find((one) => one.storeId === sourceId)
  if (source === undefined) {
    const message = `The snapshot has no store ${JSON.stringify(sourceId)}`
    throw new ApiError('store_not_found', message, { param: 'store' })
  }
  const bytes = source.documentBytes * DISK_BYTES_PER_BYTE
  if (ports.room !== undefined && ports.room.bytes() < bytes) {
    throw diskReserve(`restore a store that takes about ${bytes} bytes`)
  }
  const others = await RESTORE_RECORDS.list(ports, RESTORES)
  const open = others.find((one) => !isOver(one))
  if (open !== undefined) {
    throw new ApiError('restore_running', `Another restore is in progress: ${open.id}`)
  }
  for (const { id } of others.slice(RESTORES_MAX - 1)) await ports.edits.remove(RESTORES, id)
  const record: RestoreRecord = {
    id: uuidv7(),
    snapshot,
    sourceId,
    storeId,
    state: 'verifying',
    isConfigured: false,
    documentsTotal: source.docCount,
    documentsDone: 0,
    refused: 0,
    errors: [],
    changedBy,
    createdAt: new Date(ports.clock.now()).toISOString(),
    isCancelled: false,
    // No runner has this name: that of this thread would take the record before its store exists.
    runner: `begins:${runner}`,
    attempts: 0,
    beats: 0,
  }
  await RESTORE_RECORDS.create(ports, RESTORES, record)
  try {
    const store = await createStore(ports, { id: storeId, name: name ?? source.name })
    const { content } = openView(ports, storeId)
    const started = await RESTORE_RECORDS.update(ports, restoreKey(record.id), (one) => ({
      ...one,
      content,
      runner: '',
    }))
    return { restore: presentRestore(started ?? record), store }
  } catch (error) {
    await ports.edits.remove(RESTORES, record.id)
    throw error
  }
}

/** Newest first. */
export async function listRestores(
  ports: Pick<ServicePorts, 'edits'>,
): Promise<readonly StoreRestore[]> {
  return (await RESTORE_RECORDS.list(ports, RESTORES)).map(presentRestore)
}

/** @throws ApiError restore_not_found */
export async function findRestore(
  ports: Pick<ServicePorts, 'edits'>,
  id: string,
): Promise<RestoreRecord> {
  const record = await RESTORE_RECORDS.find(ports, RESTORES, id)
  if (record !== undefined) return record
  throw new ApiError('restore_not_found', 'There is no restore with this id', {
    param: 'restore_id',
  })
}

/**
 * Ends a restore before its next documents, and deletes the new store. One that is over stays as it
 * is.
 *
 * @throws ApiError restore_not_found
 */
export async function cancelRestore(
  ports: Pick<ServicePorts, 'edits'>,
  id: string,
): Promise<RestoreRecord> {
  await findRestore(ports, id)
  const cancel = (one: RestoreRecord): RestoreRecord | undefined =>
    isOver(one) ? undefined : { ...one, isCancelled: true }
  const changed = await RESTORE_RECORDS.update(ports, restoreKey(id), cancel)
  return changed ?? findRestore(ports, id)
}

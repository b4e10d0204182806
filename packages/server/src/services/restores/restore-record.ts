import { ApiError, type ChangedBy, type ErrorCode, type StoreRestore } from '@aisle/contract'
import type { WalkPlace } from '../../ports/catalog/document-reader.ts'
import { RESTORES, type StoredEdit } from '../../ports/catalog/edit-journal.ts'
import type { ServicePorts } from '../service-ports.ts'

/** The state of a restore, as the journal keeps it. */
export interface RestoreRecord {
  readonly id: string
  readonly snapshot: string
  readonly sourceId: string
  /** The new store. */
  readonly storeId: string
  /** Its content; undefined until it has been created. */
  readonly content?: string | undefined
  readonly state: StoreRestore['state']
  /** Whether the new store has the schema, settings and sets. */
  readonly isConfigured: boolean
  readonly documentsTotal: number
  readonly documentsDone: number
  /** The last document that was copied. */
  readonly after?: WalkPlace | undefined
  readonly refused: number
  readonly errors: readonly RefusedDocument[]
  readonly changedBy?: ChangedBy | undefined
  readonly createdAt: string
  readonly endedAt?: string | undefined
  readonly isCancelled: boolean
  /** Who works on it, and how many have since it last got further. */
  readonly runner: string
  readonly attempts: number
  /** Increases while nothing else changes: somebody works on it. */
  readonly beats: number
  readonly error?: string | undefined
}

export interface RefusedDocument {
  readonly id: string
  readonly code: ErrorCode
  readonly error: string
}

export function isOver({ state }: Pick<RestoreRecord, 'state'>): boolean {
  return state !== 'verifying' && state !== 'copying'
}

export function recordOf({ json }: Pick<StoredEdit, 'json'>): RestoreRecord {
  return JSON.parse(json) as RestoreRecord
}

type Journal = Pick<ServicePorts, 'edits'>

export async function createRecord({ edits }: Journal, record: RestoreRecord): Promise<void> {
  await edits.put(rowOf(record))
}

export async function findRecord(
  { edits }: Journal,
  id: string,
): Promise<RestoreRecord | undefined> {
  const stored = await edits.get(RESTORES, id)
  return stored && recordOf(stored)
}

/** Newest first. */
export async function listRecords({ edits }: Journal): Promise<RestoreRecord[]> {
  return (await edits.list(RESTORES)).map(recordOf)
}

/** Changes of others come between two attempts. */
const ATTEMPTS_MAX = 100

/**
 * Changes a record from its newest state.
 *
 * @param change returns undefined to leave it as it is
 * @returns the record afterwards; undefined if there is none or `change` left it
 */
export async function updateRecord(
  { edits }: Journal,
  id: string,
  change: (record: RestoreRecord) => RestoreRecord | undefined,
): Promise<RestoreRecord | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const stored = await edits.get(RESTORES, id)
    const next = stored && change(recordOf(stored))
    if (stored === undefined || next === undefined) return undefined
    if ((await edits.put(rowOf(next), stored.revision)) !== undefined) return next
  }
  throw new ApiError('unavailable', 'Other requests are changing this restore: try again', {
    retryAfterSeconds: 1,
  })
}

function rowOf(record: RestoreRecord): Omit<StoredEdit, 'revision'> {
  return {
    content: RESTORES,
    id: record.id,
    isOpen: !isOver(record),
    json: JSON.stringify(record),
  }
}

export function presentRestore(record: RestoreRecord): StoreRestore {
  const { changedBy, endedAt, error } = record
  return {
    id: record.id,
    snapshot: record.snapshot,
    source_store: record.sourceId,
    store_id: record.storeId,
    state: record.state,
    documents_total: record.documentsTotal,
    documents_done: record.documentsDone,
    refused: record.refused,
    errors: [...record.errors],
    ...(changedBy === undefined ? {} : { changed_by: changedBy }),
    created_at: record.createdAt,
    ...(endedAt === undefined ? {} : { ended_at: endedAt }),
    ...(error === undefined ? {} : { error }),
  }
}

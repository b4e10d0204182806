import type { ChangedBy, ErrorCode, StoreRestore } from '@aisle/contract'
import type { WalkPlace } from '../../ports/catalog/document-reader.ts'
import { RESTORES } from '../../ports/catalog/edit-journal.ts'
import type { JobEnd } from '../jobs/job-runner.ts'
import type { ServicePorts } from '../service-ports.ts'
import { JobRecords, type JobKey, type JobRecord } from '../jobs/job-records.ts'

/** The state of a restore, as the journal keeps it. */
export interface RestoreRecord extends JobRecord {
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

export const RESTORE_RECORDS = new JobRecords<RestoreRecord>({
  noun: 'restore',
  isOver,
  read: (json) => JSON.parse(json) as RestoreRecord,
  write: (record) => JSON.stringify(record),
})

export function endedRestore(
  { clock }: Pick<ServicePorts, 'clock'>,
  record: RestoreRecord,
  state: JobEnd,
  error?: string,
): RestoreRecord {
  return { ...record, state, endedAt: new Date(clock.now()).toISOString(), error }
}

/** Where a restore is in the journal. */
export function restoreKey(id: string): JobKey {
  return { content: RESTORES, id }
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

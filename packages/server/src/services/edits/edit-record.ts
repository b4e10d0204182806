import {
  EDIT_IDS_SHOWN_MAX,
  type ChangedBy,
  type DocumentEditJob,
  type ErrorCode,
} from '@aisle/contract'
import { exactJson } from '../../domain/json/json-exact.ts'
import { parseExact } from '../../domain/json/json-scan.ts'
import { JobRecords, type JobRecord } from '../jobs/job-records.ts'
import type { JobEnd } from '../jobs/job-runner.ts'
import type { ServicePorts } from '../service-ports.ts'

/** The state of one edit of many documents, as the journal keeps it. */
export interface EditRecord extends JobRecord {
  readonly content: string
  /** The store that had the content when the edit began. */
  readonly storeId: string
  readonly kind: 'edit' | 'undo'
  readonly state: DocumentEditJob['state']
  readonly filterBy: string | undefined
  readonly q: string | undefined
  /** As requested; integers beyond 2^53 exact. */
  readonly edit: unknown
  /** The edit that an undo reverses. */
  readonly undoes?: string | undefined
  readonly undoneBy?: string | undefined
  readonly note?: string | undefined
  readonly changedBy?: ChangedBy | undefined
  readonly createdAt: string
  readonly endedAt?: string | undefined
  readonly found: number
  readonly partCount: number
  /** The part that comes next. */
  readonly nextPart: number
  readonly tally: Tally
  readonly history: DocumentEditJob['history']
  /** Compressed. */
  readonly historyBytes: number
  readonly error?: string | undefined
}

/** Outcomes of documents. */
export interface Tally {
  readonly done: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  readonly skipped: number
  readonly errors: readonly Refusal[]
  readonly skippedIds: readonly string[]
}

export interface Refusal {
  readonly id: string
  readonly code: ErrorCode
  readonly error: string
}

export const NO_TALLY: Tally = {
  done: 0,
  changed: 0,
  unchanged: 0,
  refused: 0,
  skipped: 0,
  errors: [],
  skippedIds: [],
}

/** Adds the outcomes of a part; lists keep the first ones. */
export function added(tally: Tally, part: Tally): Tally {
  return {
    done: tally.done + part.done,
    changed: tally.changed + part.changed,
    unchanged: tally.unchanged + part.unchanged,
    refused: tally.refused + part.refused,
    skipped: tally.skipped + part.skipped,
    errors: [...tally.errors, ...part.errors].slice(0, EDIT_IDS_SHOWN_MAX),
    skippedIds: [...tally.skippedIds, ...part.skippedIds].slice(0, EDIT_IDS_SHOWN_MAX),
  }
}

export function isOver({ state }: EditRecord): boolean {
  return state === 'done' || state === 'cancelled' || state === 'failed'
}

export const EDIT_RECORDS = new JobRecords<EditRecord>({
  noun: 'edit',
  isOver,
  read: (json) => parseExact(json) as EditRecord,
  write: exactJson,
})

export function endedEdit(
  { clock }: Pick<ServicePorts, 'clock'>,
  record: EditRecord,
  state: JobEnd,
  error?: string,
): EditRecord {
  const endedAt = new Date(clock.now()).toISOString()
  const history = record.tally.changed === 0 ? 'none' : record.history
  return { ...record, state, endedAt, history, error }
}

/** @returns JSON text of a `DocumentEditJob` */
export function editJson(record: EditRecord): string {
  const { tally } = record
  return exactJson({
    id: record.id,
    kind: record.kind,
    state: record.state,
    filter_by: record.filterBy,
    q: record.q,
    edit: record.edit,
    undoes: record.undoes,
    note: record.note,
    changed_by: record.changedBy,
    created_at: record.createdAt,
    ended_at: record.endedAt,
    found: record.found,
    done: tally.done,
    changed: tally.changed,
    unchanged: tally.unchanged,
    refused: tally.refused,
    skipped: tally.skipped,
    errors: tally.errors,
    skipped_ids: tally.skippedIds,
    history: record.history,
    history_bytes: record.historyBytes,
    undone_by: record.undoneBy,
    error: record.error,
  })
}

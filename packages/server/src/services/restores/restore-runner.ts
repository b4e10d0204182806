import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, BULK_BATCH_MAX, RESTORE_ERRORS_SHOWN_MAX } from '@aisle/contract'
import type { SnapshotKeeper } from '../../ports/catalog/snapshot-keeper.ts'
import type { OpenSnapshotStore } from '../../ports/catalog/snapshot-reader.ts'
import type { StoredDocument } from '../../ports/catalog/document-reader.ts'
import { RESTORES } from '../../ports/catalog/edit-journal.ts'
import { declaredFields } from '../../domain/documents/redefine-fields.ts'
import { analysisOf } from '../../domain/store/store-settings.ts'
import { ResourceTable } from '../../domain/store/resource.ts'
import { JobRunner, type JobRunnerOptions, type JobWork } from '../jobs/job-runner.ts'
import { currentSettings } from '../store/store-settings.ts'
import { endedRestore, RESTORE_RECORDS, type RestoreRecord } from './restore-record.ts'
import type { RestorePorts } from './restore-store.ts'

export interface RestoreRunnerOptions extends JobRunnerOptions {
  /** Milliseconds of copying after which the progress is recorded. */
  readonly noteMs?: number
}

const NOTE_MS = 1_000
/** Bytes of documents of one write. */
const PAGE_BYTES = 1_000_000

type Ports = RestorePorts & { readonly snapshots: SnapshotKeeper }
type Work = JobWork<RestoreRecord>

/**
 * Copies stores out of snapshots into new stores. Documents that are copied twice are as they were,
 * in the same place.
 */
export function restoreRunner(
  ports: Ports,
  { noteMs = NOTE_MS, ...options }: RestoreRunnerOptions = {},
): JobRunner<RestoreRecord> {
  return new JobRunner(
    ports,
    {
      records: RESTORE_RECORDS,
      has: ({ content }) => content === RESTORES,
      atOnce: 1,
      step: (record, work) => step(ports, record, work, noteMs),
      ended: (record, state, error) => endedRestore(ports, record, state, error),
      abandon: (record) => deleteOwn(ports, record),
    },
    options,
  )
}

async function step(
  ports: Ports,
  record: RestoreRecord,
  work: Work,
  noteMs: number,
): Promise<RestoreRecord | undefined> {
  const { snapshots, snapshotReader } = ports
  const { snapshot, sourceId } = record
  if (record.content === undefined) {
    throw new ApiError('internal', 'The service ended while it created the new store')
  }
  if (record.state === 'verifying') {
    await snapshots.verify(snapshot)
    return work.update((one) => ({ ...one, state: 'copying', attempts: 1 }))
  }
  const source = await snapshotReader.open(snapshot, sourceId)
  try {
    return await copy(ports, record, source, work, noteMs)
  } finally {
    await source.close()
  }
}

/** Copies until nothing is left, somebody cancels it, or the service stops. */
async function copy(
  ports: Ports,
  record: RestoreRecord,
  source: OpenSnapshotStore,
  { update, isStopping }: Work,
  noteMs: number,
): Promise<RestoreRecord | undefined> {
  const { storeId } = record
  if (!record.isConfigured) {
    requireOwn(ports, record)
    await configure(ports, storeId, source)
    await update((one) => ({ ...one, isConfigured: true, attempts: 1 }))
  }
  const scan = source.scan(record.after)
  let { documentsDone, refused, after } = record
  let errors = [...record.errors]
  let notedMs = performance.now()
  for (;;) {
    const page = source.schema === undefined ? [] : await scan.next(PAGE_BYTES)
    for (const documents of batchesOf(page)) {
      requireOwn(ports, record)
      const outcomes = await ports.writer.writeDocuments(
        storeId,
        documents.map((one) => ({ id: one.id, action: 'upsert', json: one.json })),
      )
      const failed = outcomes.flatMap((outcome, at) =>
        outcome.status === 'failed'
          ? [{ id: documents[at]!.id, code: outcome.code, error: outcome.message }]
          : [],
      )
      refused += failed.length
      errors = [...errors, ...failed].slice(0, RESTORE_ERRORS_SHOWN_MAX)
      documentsDone += documents.length
      const { docKey, inserted = docKey } = documents.at(-1)!
      after = { docKey, inserted }
    }
    const isDue = performance.now() - notedMs >= noteMs
    if (page.length > 0 && !isDue && !isStopping()) continue
    const noted = await update((one) => ({
      ...one,
      documentsDone,
      refused,
      errors,
      after,
      attempts: 1,
    }))
    if (noted === undefined || noted.isCancelled || isStopping()) return noted
    if (page.length === 0) return update((one) => endedRestore(ports, one, 'done'))
    notedMs = performance.now()
    await nextTurn()
  }
}

/** Settings, sets, presets and rules; then the schema, which their language applies to. */
async function configure(
  { writer }: Ports,
  storeId: string,
  { resources, schema }: OpenSnapshotStore,
): Promise<void> {
  const { settings } = currentSettings(ResourceTable.of(resources))
  await writer.changeResources(storeId, { puts: resources, removes: [] }, analysisOf(settings))
  if (schema !== undefined) await writer.changeSchema(storeId, 'additive', declaredFields(schema))
}

function isOwn({ backend }: Ports, { storeId, content }: RestoreRecord): boolean {
  return content !== undefined && backend.view(storeId)?.content === content
}

/** @throws ApiError if the new store was deleted, or has other documents now */
function requireOwn(ports: Ports, record: RestoreRecord): void {
  if (isOwn(ports, record)) return
  throw new ApiError('store_not_found', `Store "${record.storeId}" was deleted`)
}

/** A restore that is not complete leaves no store behind. */
async function deleteOwn(ports: Ports, record: RestoreRecord): Promise<void> {
  if (isOwn(ports, record)) await ports.writer.deleteStore(record.storeId)
}

function batchesOf(page: readonly StoredDocument[]): StoredDocument[][] {
  const batches: StoredDocument[][] = []
  for (let from = 0; from < page.length; from += BULK_BATCH_MAX) {
    batches.push(page.slice(from, from + BULK_BATCH_MAX))
  }
  return batches
}

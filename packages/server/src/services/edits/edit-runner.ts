import { ApiError, EDIT_HISTORY_MAX_BYTES } from '@aisle/contract'
import { isStoreContent } from '../../ports/catalog/edit-journal.ts'
import { JobRunner, type JobRunnerOptions, type JobWork } from '../jobs/job-runner.ts'
import type { ServicePorts } from '../service-ports.ts'
import { removeExpired } from './edit-documents.ts'
import { added, EDIT_RECORDS, endedEdit, type EditRecord } from './edit-record.ts'
import { limitHistory } from './limit-history.ts'
import { changePart, findTargets, undoPart } from './run-edit.ts'
import { sweepEdits } from './sweep-edits.ts'

export interface EditRunnerOptions extends JobRunnerOptions {
  readonly historyMaxBytes?: number
}

/** Edits of different stores on which a runner works at the same time. */
const EDITS_AT_ONCE = 4

/**
 * Works on edits of many documents, part by part. Two runners that work on the same part do no
 * harm: documents change only from the version that was recorded.
 */
export function editRunner(
  ports: ServicePorts,
  { historyMaxBytes = EDIT_HISTORY_MAX_BYTES, ...options }: EditRunnerOptions = {},
): JobRunner<EditRecord> {
  return new JobRunner(
    ports,
    {
      records: EDIT_RECORDS,
      has: ({ content }) => isStoreContent(content),
      atOnce: EDITS_AT_ONCE,
      step: (record, work) => step(ports, record, work, historyMaxBytes),
      ended: (record, state, error) => endedEdit(ports, record, state, error),
      finish: (record) => finish(ports, record),
      tidy: () => sweepEdits(ports),
    },
    options,
  )
}

async function step(
  ports: ServicePorts,
  record: EditRecord,
  { update, isStopping }: JobWork<EditRecord>,
  historyMaxBytes: number,
): Promise<EditRecord | undefined> {
  const storeId = storeOf(ports, record)
  if (record.state === 'finding') {
    const note = async (found: number): Promise<boolean> => {
      const noted = await update((one) => ({ ...one, found, attempts: 1 }))
      return noted !== undefined && !noted.isCancelled && !isStopping()
    }
    const targets = await findTargets(ports, storeId, record, note)
    if (targets === undefined) return update((one) => one)
    return update((one) => ({ ...one, ...targets, state: 'changing', attempts: 1 }))
  }
  if (record.nextPart >= record.partCount) return update((one) => endedEdit(ports, one, 'done'))
  const { tally, historyBytes } =
    record.kind === 'undo'
      ? { tally: await undoPart(ports, storeId, record), historyBytes: 0 }
      : await changePart(ports, storeId, record)
  const next = await update((one) => ({
    ...one,
    nextPart: record.nextPart + 1,
    tally: added(one.tally, tally),
    historyBytes: one.history === 'kept' ? one.historyBytes + historyBytes : 0,
    attempts: 1,
  }))
  if (next === undefined || next.kind === 'undo') return next
  return limitHistory(ports, next, historyMaxBytes)
}

async function finish(ports: ServicePorts, record: EditRecord): Promise<void> {
  const { undoes, content, state, id } = record
  if (undoes !== undefined && state !== 'done') {
    // It may be undone again.
    await EDIT_RECORDS.update(ports, { content, id: undoes }, (one) =>
      one.undoneBy === id ? { ...one, undoneBy: undefined } : undefined,
    )
  }
  await removeExpired(ports, content)
}

/** The store that has the documents now: they move with a swap. */
function storeOf({ backend, registry }: ServicePorts, { content, storeId }: EditRecord): string {
  if (backend.view(storeId)?.content === content) return storeId
  const other = registry.list().find((one) => backend.view(one.storeId)?.content === content)
  if (other !== undefined) return other.storeId
  throw new ApiError('store_not_found', 'The store was deleted')
}

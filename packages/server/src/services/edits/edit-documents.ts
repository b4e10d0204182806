import {
  ApiError,
  EDIT_HISTORY_MAX_DAYS,
  EDITS_PER_STORE_MAX,
  type ChangedBy,
  type EditDocumentsRequest,
} from '@aisle/contract'
import { uuidv7 } from '../../domain/values/uuid.ts'
import type { StoredEdit } from '../../ports/catalog/edit-journal.ts'
import { openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { EDIT_RECORDS, editJson, isOver, NO_TALLY, type EditRecord } from './edit-record.ts'
import { checkEdit } from './preview-edit.ts'
import { parseDocumentsFilter } from '../documents/matching-documents.ts'

const DAY_MS = 86_400_000

/**
 * Records an edit of all documents that match now; a runner of the service then works on it.
 *
 * @throws ApiError edit_running, and what `checkEdit` throws
 */
export async function beginEdit(
  ports: ServicePorts,
  storeId: string,
  request: EditDocumentsRequest,
  changedBy: ChangedBy | undefined,
): Promise<EditRecord> {
  const { selection, content } = checkEdit(ports, storeId, request)
  // An invalid filter is refused here, not by the runner.
  if (selection.filterBy !== undefined) parseDocumentsFilter(ports, storeId, selection.filterBy)
  await requireNoOther(ports, content)
  const { edit, note } = request
  const record = {
    ...begun(ports, storeId, content, changedBy),
    kind: 'edit',
    ...selection,
    edit,
    note,
  } as const
  await EDIT_RECORDS.create(ports, content, record)
  return record
}

/**
 * Records the undo of an edit: it writes back the former documents where they are as the edit left
 * them.
 *
 * @throws ApiError edit_not_found, edit_not_undoable, edit_running
 */
export async function beginUndo(
  ports: ServicePorts,
  storeId: string,
  id: string,
  changedBy: ChangedBy | undefined,
): Promise<EditRecord> {
  const { content } = openView(ports, storeId)
  const undone = await findEdit(ports, storeId, id)
  const reason = reasonAgainstUndo(undone)
  if (reason !== undefined) {
    throw new ApiError('edit_not_undoable', `This edit cannot be undone: ${reason}`, {
      param: 'edit_id',
    })
  }
  await requireNoOther(ports, content)
  const record: EditRecord = {
    ...begun(ports, storeId, content, changedBy),
    kind: 'undo',
    filterBy: undone.filterBy,
    q: undone.q,
    edit: undone.edit,
    undoes: undone.id,
    state: 'changing',
    found: undone.tally.changed,
    partCount: undone.nextPart,
    history: 'none',
  }
  await EDIT_RECORDS.create(ports, content, record)
  await EDIT_RECORDS.update(ports, undone, (one) => ({ ...one, undoneBy: record.id }))
  return record
}

/** @returns JSON text of `DocumentEditJobs` */
export async function listEdits(ports: ServicePorts, storeId: string): Promise<string> {
  const { content } = openView(ports, storeId)
  const edits = await ports.edits.list(content)
  const kept = edits.filter((edit) => !isExpired(edit, ports.clock.now()))
  return `{"edits":[${kept.map((edit) => editJson(EDIT_RECORDS.of(edit))).join()}]}`
}

/** @throws ApiError edit_not_found */
export async function findEdit(
  ports: ServicePorts,
  storeId: string,
  id: string,
): Promise<EditRecord> {
  const { content } = openView(ports, storeId)
  const stored = await ports.edits.get(content, id)
  if (stored === undefined || isExpired(stored, ports.clock.now())) {
    throw new ApiError('edit_not_found', 'There is no edit with this id', { param: 'edit_id' })
  }
  return EDIT_RECORDS.of(stored)
}

/**
 * Ends an edit before its next part. What it has changed by then stays, and can be undone. One that
 * is over stays as it is.
 *
 * @throws ApiError edit_not_found
 */
export async function cancelEdit(
  ports: ServicePorts,
  storeId: string,
  id: string,
): Promise<EditRecord> {
  const record = await findEdit(ports, storeId, id)
  const cancel = (one: EditRecord): EditRecord | undefined =>
    isOver(one) ? undefined : { ...one, isCancelled: true }
  return (await EDIT_RECORDS.update(ports, record, cancel)) ?? findEdit(ports, storeId, id)
}

/** Removes edits that are too old or too many, the oldest first. */
export async function removeExpired(ports: ServicePorts, content: string): Promise<void> {
  const edits = await ports.edits.list(content)
  const nowMs = ports.clock.now()
  for (const [place, edit] of edits.entries()) {
    const isOld = place >= EDITS_PER_STORE_MAX || isExpired(edit, nowMs)
    if (isOld && !edit.isOpen) await ports.edits.remove(content, edit.id)
  }
}

function isExpired(edit: StoredEdit, nowMs: number): boolean {
  if (edit.isOpen) return false
  return Date.parse(EDIT_RECORDS.of(edit).createdAt) < nowMs - EDIT_HISTORY_MAX_DAYS * DAY_MS
}

function reasonAgainstUndo(edit: EditRecord): string | undefined {
  if (!isOver(edit)) return 'it is in progress'
  if (edit.kind === 'undo') return 'it is an undo; repeat the edit instead'
  if (edit.undoneBy !== undefined) return 'it was undone'
  if (edit.tally.changed === 0) return 'it has changed nothing'
  if (edit.history !== 'kept') return 'the former values are no longer kept'
  return undefined
}

async function requireNoOther({ edits }: ServicePorts, content: string): Promise<void> {
  for (const { id, isOpen } of await edits.list(content)) {
    // The list of a cluster may be a second old.
    if (!isOpen || (await edits.get(content, id))?.isOpen !== true) continue
    throw new ApiError('edit_running', `Another edit is in progress: ${id}`)
  }
}

function begun(
  { clock }: ServicePorts,
  storeId: string,
  content: string,
  changedBy: ChangedBy | undefined,
): Omit<EditRecord, 'kind' | 'filterBy' | 'q' | 'edit'> {
  return {
    id: uuidv7(),
    content,
    storeId,
    state: 'finding',
    changedBy,
    createdAt: new Date(clock.now()).toISOString(),
    found: 0,
    partCount: 0,
    nextPart: 0,
    tally: NO_TALLY,
    history: 'kept',
    historyBytes: 0,
    isCancelled: false,
    runner: '',
    attempts: 0,
    beats: 0,
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import { readDocumentEdit, type DocumentEdit } from '../../domain/documents/document-edit.ts'
import type { VersionChange } from '../../domain/documents/document-write.ts'
import type { StoredDocument } from '../../ports/catalog/document-reader.ts'
import { restIfDue } from '../../ports/search/turns.ts'
import { existingScan } from '../documents/moments.ts'
import { openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import {
  digestOf,
  PART_DOCUMENTS,
  readPart,
  writePart,
  type EditPart,
  type FormerDocument,
  type FoundVersion,
} from './edit-parts.ts'
import { changeUnwritten } from './change-unwritten.ts'
import { NO_TALLY, type EditRecord, type Refusal, type Tally } from './edit-record.ts'
import { backgroundPace, findDocuments } from './found-documents.ts'
import { outcomeOf } from './preview-edit.ts'

/** Bytes of documents of one part; a single one may have more. */
const PART_BYTES = 1_000_000
/** Parts after which the progress of finding is recorded. */
const NOTED_PARTS = 20

type HistoryPart = Extract<EditPart, { stage: 'history' }>

/**
 * Finds the documents of an edit and records them in parts, before any is changed: so nothing is
 * found twice, however often the work is interrupted.
 *
 * @param note called now and then; returns whether to go on
 * @returns undefined if it was told to stop
 */
export async function findTargets(
  ports: ServicePorts,
  storeId: string,
  { id, filterBy, q }: EditRecord,
  note: (found: number) => Promise<boolean>,
): Promise<{ readonly found: number; readonly partCount: number } | undefined> {
  const { pages } = await findDocuments(ports, storeId, { filterBy, q })
  let found = 0
  let partCount = 0
  let versions: FoundVersion[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    if (versions.length === 0) return
    await writePart(ports, id, partCount++, { stage: 'targets', versions })
    versions = []
    bytes = 0
  }
  for await (const page of pages) {
    const documents = page.map(({ id, docKey, json }) => ({
      version: { id, docKey, digest: digestOf(json) },
      bytes: json.length,
    }))
    for (const document of documents) {
      versions.push(document.version)
      bytes += document.bytes
      found++
      if (versions.length < PART_DOCUMENTS && bytes < PART_BYTES) continue
      await flush()
      if (partCount % NOTED_PARTS === 0 && !(await note(found))) return undefined
    }
  }
  await flush()
  return { found, partCount }
}

/**
 * Changes the documents of one part. The former documents are durable before that, so that a part
 * which was interrupted continues where it was.
 */
export async function changePart(
  ports: ServicePorts,
  storeId: string,
  record: EditRecord,
): Promise<{ readonly tally: Tally; readonly historyBytes: number }> {
  const { id, nextPart } = record
  const { schema, edit } = editOf(ports, storeId, record)
  const part = await readPart(ports, id, nextPart)
  if (part === undefined) throw lostPart()
  const isResumed = part.stage === 'history'
  const history = isResumed ? part : await historyOf(ports, storeId, part.versions, edit, schema)
  let historyBytes = await writePart(ports, id, nextPart, history)
  const change: VersionChange =
    edit.kind === 'delete'
      ? { kind: 'delete' }
      : { kind: 'replace', json: await editedOnes(history, edit, schema) }
  const { documents } = history
  const outcomes = await changeUnwritten(
    ports,
    { storeId, content: record.content },
    documents.map(({ id, docKey, before }) => ({
      id,
      docKey,
      digest: digestOf(Buffer.from(before)),
    })),
    change,
  )
  const changed: FormerDocument[] = []
  const skippedIds = [...history.skippedIds]
  const errors = [...history.errors]
  for (const [at, document] of documents.entries()) {
    const outcome = outcomes[at]!
    const isDone =
      outcome.status === 'changed' ||
      (isResumed && outcome.status === 'superseded' && (await isAfter(ports, storeId, document)))
    if (isDone) changed.push(document)
    else if (outcome.status !== 'failed') skippedIds.push(document.id)
    else errors.push({ id: document.id, code: outcome.code, error: outcome.message })
  }
  if (changed.length < documents.length) {
    const rest = { ...history, documents: changed, skippedIds, errors }
    historyBytes = await writePart(ports, id, nextPart, rest)
  }
  return {
    historyBytes,
    tally: {
      ...counted(changed.length, errors, skippedIds),
      unchanged: history.unchanged,
      done: changed.length + errors.length + skippedIds.length + history.unchanged,
    },
  }
}

/** Writes back the former documents of one part, as far as they are as the edit left them. */
export async function undoPart(
  ports: ServicePorts,
  storeId: string,
  { undoes, nextPart, content }: EditRecord,
): Promise<Tally> {
  const part = await readPart(ports, undoes!, nextPart)
  if (part?.stage !== 'history') throw lostPart()
  const versions: FoundVersion[] = []
  const json = new Map<string, Uint8Array>()
  const gone: FormerDocument[] = []
  const skippedIds: string[] = []
  let changed = 0
  const pace = backgroundPace()
  for (const former of part.documents) {
    await restIfDue(pace)
    const current = await ports.reader.get(storeId, former.id)
    const before = Buffer.from(former.before)
    const digest = current === undefined ? null : digestOf(current.json)
    // A part that was interrupted finds its own work.
    if (digest === digestOf(before)) changed++
    else if (digest !== former.after) skippedIds.push(former.id)
    else if (current === undefined) gone.push(former)
    else {
      versions.push({ id: former.id, docKey: current.docKey, digest: digestOf(current.json) })
      json.set(former.id, before)
    }
  }
  const { writer } = ports
  const change = { kind: 'replace', json } as const
  const outcomes = [
    ...(await changeUnwritten(ports, { storeId, content }, versions, change)),
    ...(gone.length === 0
      ? []
      : await writer.writeDocuments(
          storeId,
          gone.map(({ id, before }) => ({ id, action: 'insert', json: Buffer.from(before) })),
        )),
  ]
  const errors: Refusal[] = []
  for (const outcome of outcomes) {
    if (outcome.status === 'superseded') skippedIds.push(outcome.id)
    else if (outcome.status !== 'failed') changed++
    else if (outcome.code === 'document_exists') skippedIds.push(outcome.id)
    else errors.push({ id: outcome.id, code: outcome.code, error: outcome.message })
  }
  return { ...counted(changed, errors, skippedIds), unchanged: 0, done: part.documents.length }
}

function editOf(
  ports: ServicePorts,
  storeId: string,
  record: EditRecord,
): { readonly schema: Schema; readonly edit: DocumentEdit } {
  const { schema } = openView(ports, storeId)
  if (schema === undefined) {
    throw new ApiError('schema_not_defined', 'The schema of the store was removed')
  }
  return { schema, edit: readDocumentEdit(record.edit, schema) }
}

/** Reads the documents of a part, and computes the outcome of each. */
async function historyOf(
  ports: ServicePorts,
  storeId: string,
  versions: readonly FoundVersion[],
  edit: DocumentEdit,
  schema: Schema,
): Promise<HistoryPart> {
  const left = new Map(versions.map((version) => [version.docKey, version]))
  const documents: FormerDocument[] = []
  const errors: Refusal[] = []
  let unchanged = 0
  const pace = backgroundPace()
  const docKeys = Float64Array.from(left.keys()).toSorted()
  const add = (document: StoredDocument): void => {
    const outcome = outcomeOf(document, edit, schema)
    if (outcome.kind === 'unchanged') unchanged++
    else if (outcome.kind === 'refused') {
      errors.push({ id: outcome.id, code: outcome.code, error: outcome.error })
    } else {
      const after = outcome.kind === 'changed' ? digestOf(outcome.json) : null
      documents.push(formerOf(document, after))
    }
  }
  const scan = existingScan(await ports.reader.scan(storeId, docKeys))
  try {
    for (;;) {
      const page = await scan.next(PART_BYTES)
      if (page.length === 0) break
      for (const document of page) {
        left.delete(document.docKey)
        add(document)
        // The read transaction stays open, but others run.
        if (pace.isDue()) await nextTurn()
      }
    }
  } finally {
    scan.close()
  }
  const skippedIds: string[] = []
  for (const { id, digest } of left.values()) {
    const current = await ports.reader.get(storeId, id)
    if (current !== undefined && digestOf(current.json) === digest) add(current)
    else skippedIds.push(id)
    await restIfDue(pace)
  }
  return { stage: 'history', documents, unchanged, errors, skippedIds }
}

function formerOf({ id, docKey, json }: StoredDocument, after: string | null): FormerDocument {
  const before = Buffer.from(json.buffer, json.byteOffset, json.length).toString()
  return { id, docKey, before, after }
}

/** The edit computes the same from the same documents, also after an interruption. */
async function editedOnes(
  { documents }: HistoryPart,
  edit: DocumentEdit,
  schema: Schema,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const edited = new Map<string, Uint8Array>()
  const pace = backgroundPace()
  for (const { id, before } of documents) {
    const json = Buffer.from(before)
    const outcome = outcomeOf({ id, json }, edit, schema)
    edited.set(id, outcome.kind === 'changed' ? outcome.json : json)
    await restIfDue(pace)
  }
  return edited
}

async function isAfter(
  { reader }: ServicePorts,
  storeId: string,
  { id, after }: FormerDocument,
): Promise<boolean> {
  const current = await reader.get(storeId, id)
  return current === undefined ? after === null : digestOf(current.json) === after
}

function counted(
  changed: number,
  errors: readonly Refusal[],
  skippedIds: readonly string[],
): Omit<Tally, 'unchanged' | 'done'> {
  return {
    ...NO_TALLY,
    changed,
    refused: errors.length,
    skipped: skippedIds.length,
    errors,
    skippedIds,
  }
}

function lostPart(): ApiError {
  return new ApiError('internal', 'A part of this edit can no longer be read')
}

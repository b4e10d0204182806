import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, BULK_BATCH_MAX, EXPORT_MOMENT_MAX_MS, OBJECT_KEYS_MAX } from '@aisle/contract'
import type { DocumentsCleared, DocumentsUpdated } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import { checkDocument } from '../../domain/documents/document-rules.ts'
import type {
  DocumentVersion,
  FailedWrite,
  VersionChange,
} from '../../domain/documents/document-write.ts'
import { scanMembers } from '../../domain/json/json-scan.ts'
import { openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { matchingDocuments, parseDocumentsFilter, type FilterPace } from './matching-documents.ts'
import { existingScan, Moments } from './moments.ts'

/** Number of retries for documents that were changed meanwhile. */
const PASSES_MAX = 10
const PAGE_BYTES = 1_000_000
const ERRORS_SHOWN_MAX = 20
const SWAPPED =
  'The store was swapped in the meantime: documents that had not been changed by then were left unchanged'

/**
 * Deletes the documents that match a filter now. A document that changes meanwhile is checked
 * again, and deleted only if it still matches.
 *
 * @throws ApiError invalid_filter, filter_timeout …; then nothing was deleted
 */
export async function deleteMatching(
  ports: Pick<ServicePorts, 'reader' | 'writer' | 'backend' | 'clock'>,
  storeId: string,
  filterBy: string,
  pace?: FilterPace,
): Promise<DocumentsCleared> {
  const by = { storeId, filterBy, pace }
  const { changed, warnings } = await changeMatching(ports, by, { kind: 'delete' })
  return {
    status: 'deleted',
    message: 'Documents that match a filter deleted',
    documents_deleted: changed,
    ...warnings,
  }
}

/**
 * Sets fields in the documents that match a filter now, like the action `update`.
 *
 * @param body JSON text `{set: {…}}`
 * @throws ApiError invalid_filter, filter_timeout, invalid_type …; then nothing was changed
 */
export async function updateMatching(
  ports: Pick<ServicePorts, 'reader' | 'writer' | 'backend' | 'clock'>,
  storeId: string,
  filterBy: string,
  body: Uint8Array,
  pace?: FilterPace,
): Promise<DocumentsUpdated> {
  const patch = readPatch(body)
  const { schema } = parseDocumentsFilter(ports, storeId, filterBy).view
  if (schema === undefined) {
    throw new ApiError('schema_not_defined', 'Define a schema before you update documents')
  }
  checkPatch(patch, schema)
  const change = { kind: 'update', patch } as const
  const by = { storeId, filterBy, pace }
  const { changed, failed, warnings } = await changeMatching(ports, by, change)
  return {
    status: 'updated',
    documents_updated: changed,
    documents_failed: failed.length,
    errors: failed.slice(0, ERRORS_SHOWN_MAX).map(({ id, message }) => ({ id, error: message })),
    ...warnings,
  }
}

/** The store, and the filter that its documents meet. */
interface ByFilter {
  readonly storeId: string
  readonly filterBy: string
  readonly pace: FilterPace | undefined
}

interface Changed {
  readonly changed: number
  readonly failed: readonly FailedWrite[]
  readonly warnings: { readonly warnings?: string[] }
}

async function changeMatching(
  ports: Pick<ServicePorts, 'reader' | 'writer' | 'backend' | 'clock'>,
  by: ByFilter,
  change: VersionChange,
): Promise<Changed> {
  const { storeId } = by
  let changed = 0
  const failed: FailedWrite[] = []
  const warnings = new Set<string>()
  let again: string[] | undefined
  const { content } = openView(ports, storeId)
  for (let pass = 0; pass < PASSES_MAX && again?.length !== 0; pass++) {
    let batches: PackedVersions[]
    try {
      batches = await versionsToChange(ports, by, again, warnings)
    } catch (error) {
      // What was changed before stays changed, and the warning names the rest.
      if (pass > 0 && error instanceof ApiError && error.code === 'filter_timeout') break
      throw error
    }
    // The filter was not meant for the documents of another store.
    if (openView(ports, storeId).content !== content) {
      warnings.add(SWAPPED)
      again = []
      break
    }
    again = []
    for (const batch of batches) {
      const versions = unpack(batch)
      for (const outcome of await ports.writer.changeVersions(storeId, versions, change, content)) {
        if (outcome.status === 'changed') changed++
        else if (outcome.status === 'superseded') again.push(outcome.id)
        else failed.push(outcome)
      }
    }
  }
  const left = again?.length ?? 0
  if (left > 0) {
    const were = left === 1 ? 'document was' : 'documents were'
    warnings.add(`${left} ${were} written repeatedly in the meantime and left unchanged`)
  }
  return { changed, failed, warnings: warnings.size === 0 ? {} : { warnings: [...warnings] } }
}

/**
 * Up to `BULK_BATCH_MAX` versions, packed as JSON because there may be millions that wait.
 */
type PackedVersions = Uint8Array

/**
 * Reads which documents to change before any is changed. The read transaction lasts only for this
 * step, not for the changes, because the disk cannot reuse pages meanwhile.
 *
 * @param among restricts the change to documents with these ids
 * @param warnings receives warnings about the filter, and about documents left out
 */
async function versionsToChange(
  ports: Pick<ServicePorts, 'reader' | 'backend' | 'clock'>,
  { storeId, filterBy, pace }: ByFilter,
  among: readonly string[] | undefined,
  warnings: Set<string>,
): Promise<PackedVersions[]> {
  const { reader } = ports
  const matching = await matchingDocuments(ports, storeId, filterBy, pace)
  for (const warning of matching.warnings) warnings.add(warning)
  let { docKeys } = matching
  if (among !== undefined) {
    const live = new Set<number>()
    for (const id of among) {
      const document = await reader.get(storeId, id)
      if (document !== undefined) live.add(document.docKey)
    }
    docKeys = docKeys.filter((docKey) => live.has(docKey))
  }
  const moments = await Moments.begin(EXPORT_MOMENT_MAX_MS, async (after) =>
    existingScan(await reader.scan(storeId, docKeys, after?.docKey)),
  )
  const batches: PackedVersions[] = []
  let count = 0
  try {
    for (;;) {
      const page = await moments.next(PAGE_BYTES)
      if (page.length === 0) break
      count += page.length
      for (let from = 0; from < page.length; from += BULK_BATCH_MAX) {
        batches.push(pack(page.slice(from, from + BULK_BATCH_MAX)))
      }
      await nextTurn()
    }
  } finally {
    moments.close()
  }
  const missing = docKeys.length - count
  if (missing > 0) {
    // They are damaged, or their versions were purged between two read transactions.
    warnings.add(`${missing} documents could not be read and were left as they are`)
  }
  return batches
}

function pack(versions: readonly DocumentVersion[]): PackedVersions {
  return Buffer.from(JSON.stringify(versions.map(({ id, docKey }) => ({ id, docKey }))))
}

function unpack(packed: PackedVersions): DocumentVersion[] {
  return JSON.parse(Buffer.from(packed).toString()) as DocumentVersion[]
}

/** Checks the patch by the rules for documents; errors name it as the request does. */
function checkPatch(patch: Uint8Array, schema: Schema): void {
  try {
    checkDocument(patch, undefined, schema)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const renamed = (param: string): string => param.replace(/^data\b/, 'set')
    const details = error.details.map((one) =>
      one.param === undefined ? one : { ...one, param: renamed(one.param) },
    )
    throw new ApiError(error.code, error.message, { param: renamed(error.param ?? 'set'), details })
  }
}

/** @returns the JSON text of `set` */
function readPatch(body: Uint8Array): Uint8Array {
  const set = scanMembers(body, 0, body.length, OBJECT_KEYS_MAX).findLast(
    ({ key, kind }) => key === 'set' && kind !== 'null',
  )
  if (set === undefined) {
    throw new ApiError('missing_parameter', 'Parameter `set` is required', { param: 'set' })
  }
  const refused = (expected: string): ApiError =>
    new ApiError('invalid_parameter', `Parameter \`set\` must be ${expected}`, { param: 'set' })
  if (set.kind !== 'object') throw refused(`an object, received ${set.kind}`)
  const patch = body.slice(set.start, set.end)
  const fields = scanMembers(patch)
  if (fields.length === 0) throw refused('an object with at least one field')
  if (fields.some(({ key }) => key === 'id')) throw refused('without `id`, which cannot be changed')
  return patch
}

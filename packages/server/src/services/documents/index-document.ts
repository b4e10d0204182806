import { ApiError, OBJECT_KEYS_MAX, type DocumentWritten } from '@aisle/contract'
import { documentIdOf } from '../../domain/documents/apply-write.ts'
import { readDocumentId } from '../../domain/documents/document-rules.ts'
import { scanMembers, type JsonMember } from '../../domain/json/json-scan.ts'
import { readAction } from '../../domain/documents/write-request.ts'
import type { DocumentWrite } from '../../ports/catalog/catalog-writer.ts'
import type { ServicePorts } from '../service-ports.ts'
import { requireSchema } from './index-documents.ts'
import { unknownParameterWarnings } from '../parameter-warnings.ts'

const KEYS: ReadonlySet<string> = new Set(['id', 'action', 'data'])

interface IndexedDocument {
  readonly written: DocumentWritten
  /** Of what is stored now. */
  readonly etag: string
}

/**
 * Indexes one document.
 *
 * @param body JSON text `{id?, data, action?}`
 * @param ifMatch the header of that name; see `requireMatch`
 * @throws ApiError precondition_failed, or one with every bad field in `details`
 */
export async function indexDocument(
  ports: Pick<ServicePorts, 'writer' | 'backend'>,
  storeId: string,
  body: Uint8Array,
  ifMatch?: string,
): Promise<IndexedDocument> {
  const members = scanObject(body)
  requireSchema(ports, storeId)
  const write = readWrite(body, members)
  if (ifMatch !== undefined && documentIdOf(write) === undefined) {
    const message = '`If-Match` needs the `id` of the document that it is about'
    throw new ApiError('missing_parameter', message, { param: 'id' })
  }
  const [outcome] = await ports.writer.writeDocuments(storeId, [
    { ...write, ifMatch, isTagged: true },
  ])
  if (outcome === undefined) throw new Error('The writer gave no outcome')
  if (outcome.status === 'failed') {
    const { code, message, details, current } = outcome
    throw new ApiError(code, message, { param: details[0]?.param, details, current })
  }
  const { id, status, etag = '' } = outcome
  const unknown = [...members.keys()].filter((key) => !KEYS.has(key))
  const written = {
    id,
    status,
    message: status === 'created' ? 'Document created' : 'Document updated',
    ...(unknown.length === 0 ? {} : { warnings: unknownParameterWarnings(unknown) }),
  }
  return { written, etag }
}

/** The members by key; `null` counts as absent. */
function scanObject(body: Uint8Array): ReadonlyMap<string, JsonMember> {
  try {
    const all = scanMembers(body, 0, body.length, OBJECT_KEYS_MAX)
    const members = all.filter((member) => member.kind !== 'null')
    return new Map(members.map((member) => [member.key, member]))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_type') throw error
    throw new ApiError('invalid_parameter', 'The body must be a JSON object with `data`')
  }
}

function readWrite(body: Uint8Array, members: ReadonlyMap<string, JsonMember>): DocumentWrite {
  const data = members.get('data')
  if (data === undefined) {
    throw new ApiError('missing_parameter', 'Parameter `data` is required', { param: 'data' })
  }
  if (data.kind !== 'object') {
    throw new ApiError(
      'invalid_parameter',
      `Parameter \`data\` must be an object, received ${data.kind}`,
      {
        param: 'data',
      },
    )
  }
  const id = members.get('id')
  return {
    id: id === undefined ? undefined : readDocumentId(body, id),
    action: readAction(body, [...members.values()]),
    json: body.subarray(data.start, data.end),
  }
}

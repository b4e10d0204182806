import { Readable } from 'node:stream'
import {
  ApiError,
  DocumentsCleared,
  DocumentsExport,
  DocumentsFilter,
  DocumentsUpdated,
  EXPORTS_PER_THREAD_MAX,
  RequiredDocumentsFilter,
  Type,
  UpdateDocumentsRequest,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { deleteMatching, updateMatching } from '../../services/documents/change-matching.ts'
import { clearDocuments } from '../../services/documents/delete-documents.ts'
import {
  exportDocuments,
  type Export,
  type ExportRequest,
} from '../../services/documents/export-documents.ts'
import type { AppDependencies } from '../dependencies.ts'
import { refuseIfMatch } from '../if-match.ts'
import { takeStreamSlot } from '../stream-slot.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyBytes } from '../plugins/body.ts'
import { whileAllowed } from '../stream-rights.ts'

const DOCUMENTS = '/api/v1/stores/:id/documents'
const FILTER_ERRORS = [
  'invalid_filter',
  'unknown_field',
  'field_not_filterable',
  'unknown_collection',
  'filter_timeout',
  'request_quarantined',
] as const

/** Exports, deletes and updates the documents that match a filter, or all of them. */
export function documentsByFilterRoutes(app: FastifyInstance, ports: AppDependencies): void {
  let exportCount = 0
  app.get(
    DOCUMENTS,
    route('write', 'Documents', {
      // A HEAD request would read everything and send nothing.
      exposeHeadRoute: false,
      id: 'exportDocuments',
      summary: 'Export documents',
      description:
        'One line `{"id":…,"data":{…}}` per document, from one point in time while writes continue; aborted if the key or the session loses its rights. Documents not read within 50 seconds come from a later point in time: none is missed, but a document written in the meantime may appear twice (the later line is newer), and one deleted after its line stays in the export. With `order=inserted` each document appears once. The header `x-documents` holds the number of documents at the start.',
      query: DocumentsExport,
      success: {
        status: 200,
        description: 'The documents, as a stream of any length.',
        content: { 'application/x-ndjson': Type.String({ description: 'One per line.' }) },
      },
      errors: [...FILTER_ERRORS, 'invalid_parameter'],
    }),
    async (request, reply) => {
      const wanted = readExport(request)
      if (exportCount >= EXPORTS_PER_THREAD_MAX) {
        throw new ApiError('unavailable', 'Too many exports are in progress', {
          retryAfterSeconds: 5,
        })
      }
      const over = new AbortController()
      const freeSlot = takeStreamSlot(ports, 'export', request.storeId, () => over.abort())
      exportCount++
      let made: Export
      try {
        made = await exportDocuments(ports, request.storeId, wanted, undefined, request.pace)
      } catch (error) {
        exportCount--
        freeSlot()
        throw error
      }
      // The stream is aborted, not ended: a part of the documents must not look like all of them.
      const body = Readable.from(made.chunks, { objectMode: false, signal: over.signal })
      const stopAsking = whileAllowed(request, ports, () => {
        body.destroy(new Error('The caller no longer has access to this export'))
      })
      body.once('close', () => {
        exportCount--
        stopAsking()
        freeSlot()
      })
      return reply
        .header('content-type', 'application/x-ndjson')
        .header('x-documents', made.docCount)
        .send(body)
    },
  )
  app.delete(
    DOCUMENTS,
    route('write', 'Documents', {
      id: 'clearDocuments',
      summary: 'Delete all documents, or those that match a filter',
      description:
        'Cannot be undone. The schema is kept. An empty `filter_by` or an unknown parameter is refused, and nothing is deleted.',
      query: DocumentsFilter,
      success: jsonAnswer(DocumentsCleared, 'Deleted.'),
      errors: [...FILTER_ERRORS, 'invalid_parameter'],
    }),
    async (request, reply) => {
      refuseIfMatch(request)
      const filterBy = readFilterBy(request)
      const deleted =
        filterBy === undefined
          ? await clearDocuments(ports, request.storeId)
          : await deleteMatching(ports, request.storeId, filterBy, request.pace)
      return reply.send(deleted)
    },
  )
  app.patch(
    DOCUMENTS,
    route('write', 'Documents', {
      id: 'updateDocuments',
      summary: 'Set fields in all documents that match a filter',
      query: RequiredDocumentsFilter,
      body: { 'application/json': UpdateDocumentsRequest },
      example: { set: { price: 199 } },
      success: jsonAnswer(DocumentsUpdated, 'Durable, and visible to the next search.'),
      errors: [
        ...FILTER_ERRORS,
        'invalid_type',
        'out_of_range',
        'schema_not_defined',
        'disk_reserve',
      ],
    }),
    async (request, reply) => {
      refuseIfMatch(request)
      const filterBy = readFilterBy(request)
      if (filterBy === undefined) {
        const param = 'filter_by'
        throw new ApiError('missing_parameter', 'Parameter `filter_by` is required', { param })
      }
      const body = bodyBytes(request)
      return reply.send(await updateMatching(ports, request.storeId, filterBy, body, request.pace))
    },
  )
}

const readFilter = parameterReader<{ filter_by?: string }>(DocumentsFilter)
const readOptions = parameterReader<{ filter_by?: string; order?: 'written' | 'inserted' }>(
  DocumentsExport,
)

function readFilterBy(request: FastifyRequest): string | undefined {
  return readFilter(knownQuery(request, ['filter_by'])).filter_by
}

function readExport(request: FastifyRequest): ExportRequest {
  const { filter_by: filterBy, order } = readOptions(knownQuery(request, ['filter_by', 'order']))
  return { filterBy, order }
}

/**
 * Rejects unknown parameters, which may have been meant to restrict the documents, even a trailing
 * part that parses to nothing.
 */
function knownQuery(request: FastifyRequest, known: readonly string[]): Record<string, unknown> {
  const tail = request.url.split('?').slice(1).join('?')
  if (tail === '') return {}
  const query = request.query as Record<string, unknown>
  const unknown = Object.keys(query).find((name) => !known.includes(name))
  const isNothing = known.every((name) => !Object.hasOwn(query, name))
  const name = (unknown ?? (isNothing ? tail : undefined))?.slice(0, 100)
  if (name !== undefined) {
    const message = `Unknown parameter \`${name.toWellFormed()}\`; nothing was changed`
    throw new ApiError('invalid_parameter', message, { param: name.toWellFormed() })
  }
  return query
}

import {
  ApiError,
  DOCUMENT_MAX_BYTES,
  DocumentDeleted,
  DocumentResponse,
  DocumentsCleared,
  DocumentWritten,
  IndexDocumentRequest,
} from '@aisle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clearDocuments } from '../../services/clear-documents.ts'
import { deleteDocument } from '../../services/delete-document.ts'
import { getDocument } from '../../services/get-document.ts'
import { indexDocument } from '../../services/index-document.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendJson } from '../json-text.ts'
import { DOCUMENT_PATH, jsonAnswer, STORE_PATH } from '../operation.ts'
import { bodyBytes } from '../plugins/body.ts'

const DOCUMENTS = '/api/v1/stores/:id/documents'
const DOCUMENT = `${DOCUMENTS}/:document_id`

/** One document at a time, and all of them. */
export function documentRoutes(app: FastifyInstance, catalog: AppDependencies): void {
  app.post(
    DOCUMENTS,
    {
      bodyLimit: DOCUMENT_MAX_BYTES,
      config: {
        auth: 'write',
        operation: {
          id: 'indexDocument',
          tag: 'Documents',
          summary: 'Index one document',
          description: '201 when the document is new, 200 when it was there.',
          path: STORE_PATH,
          body: { 'application/json': IndexDocumentRequest },
          example: {
            id: '1',
            data: { title: 'Dome tent for two', brand: 'Northfold', price: 199 },
          },
          success: jsonAnswer(DocumentWritten, 'Durable, and visible to the next search.', 201),
          errors: [
            'document_exists',
            'document_not_found',
            'unknown_field',
            'invalid_type',
            'out_of_range',
            'schema_not_defined',
          ],
        },
      },
    },
    async (request, reply) => {
      const written = await indexDocument(catalog, request.storeId, bodyBytes(request))
      app.metrics.documents.inc({ result: written.status })
      return reply.code(written.status === 'created' ? 201 : 200).send(written)
    },
  )
  app.get<{ Params: { document_id: string } }>(
    DOCUMENT,
    {
      config: {
        auth: 'read',
        operation: {
          id: 'getDocument',
          tag: 'Documents',
          summary: 'Read one document',
          path: DOCUMENT_PATH,
          success: jsonAnswer(DocumentResponse, 'The document as it was sent.'),
          errors: ['document_not_found'],
        },
      },
    },
    (request, reply) =>
      sendJson(reply, getDocument(catalog, request.storeId, request.params.document_id)),
  )
  app.delete<{ Params: { document_id: string } }>(
    DOCUMENT,
    {
      config: {
        auth: 'write',
        operation: {
          id: 'deleteDocument',
          tag: 'Documents',
          summary: 'Delete one document',
          path: DOCUMENT_PATH,
          success: jsonAnswer(DocumentDeleted, 'Deleted.'),
          errors: ['document_not_found'],
        },
      },
    },
    async (request, reply) =>
      reply.send(await deleteDocument(catalog, request.storeId, request.params.document_id)),
  )
  app.delete(
    DOCUMENTS,
    {
      config: {
        auth: 'write',
        operation: {
          id: 'clearDocuments',
          tag: 'Documents',
          summary: 'Delete all documents',
          description: 'Cannot be undone. The schema stays. Takes no query parameters.',
          path: STORE_PATH,
          success: jsonAnswer(DocumentsCleared, 'All documents are gone.'),
        },
      },
    },
    async (request, reply) => {
      refuseQueryParameters(request)
      return reply.send(await clearDocuments(catalog, request.storeId))
    },
  )
}

/**
 * A parameter that this route does not know may have been meant to narrow what is deleted, so none is
 * ignored: not even a lone `?`-tail that parses to nothing.
 */
function refuseQueryParameters(request: FastifyRequest): void {
  const tail = request.url.split('?').slice(1).join('?')
  if (tail === '') return
  const name = Object.keys(request.query as object)[0] ?? tail
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`${name.slice(0, 100)}\` is not known here; nothing was deleted`,
    { param: name.slice(0, 100) },
  )
}

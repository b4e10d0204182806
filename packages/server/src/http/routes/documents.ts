import {
  DOCUMENT_MAX_BYTES,
  DocumentDeleted,
  DocumentResponse,
  DocumentWritten,
  IndexDocumentRequest,
} from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { deleteDocument } from '../../services/documents/delete-documents.ts'
import { getDocument } from '../../services/documents/get-document.ts'
import { indexDocument } from '../../services/documents/index-document.ts'
import { openView } from '../../services/open-view.ts'
import { omittedFields } from '../../services/store/omitted-fields.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendJson, sendTagged } from '../json-text.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyBytes } from '../plugins/body.ts'

const DOCUMENTS = '/api/v1/stores/:id/documents'
const DOCUMENT = `${DOCUMENTS}/:document_id`

/** Writes, reads and deletes single documents. */
export function documentRoutes(app: FastifyInstance, ports: AppDependencies): void {
  app.post(
    DOCUMENTS,
    route('write', 'Documents', {
      bodyLimit: DOCUMENT_MAX_BYTES,
      audit: false,
      id: 'indexDocument',
      summary: 'Index one document',
      description: 'The `ETag` is that of the document as it is stored now.',
      tagged: true,
      body: { 'application/json': IndexDocumentRequest },
      example: {
        id: '1',
        data: { title: 'Dome tent for two', brand: 'Northfold', price: 199 },
      },
      success: {
        ...jsonAnswer(DocumentWritten, 'Created. Durable, and visible to the next search.', 201),
        also: { 200: 'Replaced. Durable, and visible to the next search.' },
      },
      errors: [
        'document_exists',
        'document_not_found',
        'precondition_failed',
        'unknown_field',
        'invalid_type',
        'out_of_range',
        'schema_not_defined',
        'disk_reserve',
      ],
    }),
    async (request, reply) => {
      const { written, etag } = await indexDocument(
        ports,
        request.storeId,
        bodyBytes(request),
        request.headers['if-match'],
      )
      app.metrics.documents.inc({ result: written.status })
      const code = written.status === 'created' ? 201 : 200
      return reply.code(code).header('etag', etag).send(written)
    },
  )
  app.get<{ Params: { document_id: string } }>(
    DOCUMENT,
    route('read', 'Documents', {
      id: 'getDocument',
      summary: 'Read one document',
      description:
        'The `ETag` depends on the stored content alone. There is none if the setting `omit_fields` leaves out fields.',
      tagged: true,
      success: jsonAnswer(DocumentResponse, 'The document as sent.'),
      errors: ['document_not_found'],
    }),
    async (request, reply) => {
      const { actor, storeId, params } = request
      const isWhole = actor?.kind !== 'store_key' || actor.mayWrite
      const omitted = isWhole ? [] : omittedFields(openView(ports, storeId).resources)
      const { json, etag } = await getDocument(ports, storeId, params.document_id, omitted)
      return etag === undefined ? sendJson(reply, json) : sendTagged(reply, json, etag)
    },
  )
  app.delete<{ Params: { document_id: string } }>(
    DOCUMENT,
    route('write', 'Documents', {
      audit: false,
      id: 'deleteDocument',
      summary: 'Delete one document',
      success: jsonAnswer(DocumentDeleted, 'Deleted.'),
      errors: ['document_not_found', 'precondition_failed'],
    }),
    ({ storeId, params, headers }) =>
      deleteDocument(ports, storeId, params.document_id, headers['if-match']),
  )
}

import {
  DocumentEditJob,
  DocumentEditJobs,
  DocumentEditPreview,
  EditDocumentsRequest,
  type TObject,
} from '@aisle/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  beginEdit,
  beginUndo,
  cancelEdit,
  findEdit,
  listEdits,
} from '../../services/edits/edit-documents.ts'
import { editJson, type EditRecord } from '../../services/edits/edit-record.ts'
import { editRunner } from '../../services/edits/edit-runner.ts'
import { previewEdit } from '../../services/edits/preview-edit.ts'
import { changedBy } from '../actor.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'

const EDITS = '/api/v1/stores/:id/edits'
const EDIT = `${EDITS}/:edit_id`
const FOUND_ERRORS = [
  'invalid_filter',
  'unknown_field',
  'field_not_filterable',
  'unknown_collection',
  'filter_timeout',
  'schema_not_defined',
  'invalid_type',
  'out_of_range',
] as const
const PATH = { edit_id: 'Id of the edit.' }
const EXAMPLE = { filter_by: 'brand:=Northfold', edit: { add: { tags: 'sale', price: -5 } } }

type Params = { readonly edit_id: string }

/** Edits many documents as a job of the service, with a preview before and an undo after. */
export function editRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const runner = editRunner(ports, {
    onFault: (error) => app.log.error({ err: error }, 'An edit of documents failed unexpectedly'),
  })
  app.addHook('onReady', (done) => {
    runner.start()
    done()
  })
  app.addHook('onClose', () => runner.stop())
  const readEdit = bodyReader<EditDocumentsRequest>(EditDocumentsRequest as TObject)
  const send = (reply: FastifyReply, record: EditRecord): FastifyReply =>
    reply.type('application/json; charset=utf-8').send(editJson(record))
  /** This runner takes it now; if it cannot, another one does soon. */
  const accepted = (reply: FastifyReply, record: EditRecord): FastifyReply => {
    void runner.poll().catch(() => undefined)
    return send(reply.code(202), record)
  }

  app.post(
    `${EDITS}/preview`,
    route('write', 'Documents', {
      role: 'editor',
      audit: false,
      id: 'previewEdit',
      summary: 'Preview an edit of many documents',
      description:
        'Changes nothing. Counts what would change and what would be refused among the first documents, with examples.',
      body: { 'application/json': EditDocumentsRequest },
      example: EXAMPLE,
      success: jsonAnswer(DocumentEditPreview),
      errors: [...FOUND_ERRORS, 'request_quarantined'],
    }),
    async (request, reply) => {
      const preview = await previewEdit(ports, request.storeId, readEdit(request), request.pace)
      return reply.type('application/json; charset=utf-8').send(preview)
    },
  )
  app.post(
    EDITS,
    route('write', 'Documents', {
      id: 'editDocuments',
      summary: 'Edit all documents that match a filter or a search',
      description:
        'Runs as a job of the service, which continues after a restart. It changes the documents that match at its start, each only if nobody changes it in the meantime. See docs/bulk-edit.md.',
      body: { 'application/json': EditDocumentsRequest },
      example: EXAMPLE,
      success: jsonAnswer(DocumentEditJob, 'The edit has begun.', 202),
      errors: [...FOUND_ERRORS, 'edit_running'],
    }),
    async (request, reply) => {
      const by = changedBy(request)
      const record = await beginEdit(ports, request.storeId, readEdit(request), by)
      request.auditSubject = { storeId: request.storeId, target: record.id }
      return accepted(reply, record)
    },
  )
  app.get(
    EDITS,
    route('write', 'Documents', {
      id: 'listEdits',
      summary: 'List edits of many documents',
      success: jsonAnswer(DocumentEditJobs),
    }),
    async (request, reply) =>
      reply.type('application/json; charset=utf-8').send(await listEdits(ports, request.storeId)),
  )
  app.get<{ Params: Params }>(
    EDIT,
    route('write', 'Documents', {
      id: 'getEdit',
      summary: 'Read the progress and the result of an edit',
      path: PATH,
      success: jsonAnswer(DocumentEditJob),
      errors: ['edit_not_found'],
    }),
    async (request, reply) =>
      send(reply, await findEdit(ports, request.storeId, request.params.edit_id)),
  )
  app.post<{ Params: Params }>(
    `${EDIT}/cancel`,
    route('write', 'Documents', {
      id: 'cancelEdit',
      summary: 'Cancel an edit that is in progress',
      description: 'Documents that it has changed stay changed; an undo restores them.',
      path: PATH,
      success: jsonAnswer(DocumentEditJob, 'It stops before its next documents.'),
      errors: ['edit_not_found'],
    }),
    async (request, reply) =>
      send(reply, await cancelEdit(ports, request.storeId, request.params.edit_id)),
  )
  app.post<{ Params: Params }>(
    `${EDIT}/undo`,
    route('write', 'Documents', {
      id: 'undoEdit',
      summary: 'Undo an edit',
      description:
        'Writes back the former values of documents that nobody has changed since; `skipped_ids` lists the others. Deleted documents are inserted again.',
      path: PATH,
      success: jsonAnswer(DocumentEditJob, 'The undo has begun.', 202),
      errors: ['edit_not_found', 'edit_not_undoable', 'edit_running'],
    }),
    async (request, reply) => {
      const { edit_id: id } = request.params
      const record = await beginUndo(ports, request.storeId, id, changedBy(request))
      return accepted(reply, record)
    },
  )
}

import type { Static, TObject } from 'typebox'
import { Optional, Type } from './type.ts'
import { ERROR_STATUS, type ErrorCode } from './errors.ts'
import { DOCUMENT_ID_MAX_BYTES, EXPRESSION_MAX_CHARS } from './limits.ts'

const id = Type.Union([Type.String({ minLength: 1 }), Type.Integer()], {
  description: `1..${DOCUMENT_ID_MAX_BYTES} bytes without control characters; an integer is read as its decimal text; generated when omitted.`,
})
const action = Type.Enum(['upsert', 'insert', 'update'], {
  default: 'upsert',
  description:
    '`upsert` creates or replaces, `insert` fails if the id exists, `update` merges into an existing document: objects by member, lists are replaced, `null` removes.',
})
const data = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Field values. Numbers keep every digit.',
})

export const IndexDocumentRequest = Type.Object(
  { id: Type.Optional(id), action: Type.Optional(action), data },
  { $id: 'IndexDocumentRequest' },
)

export const DocumentWritten = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum(['created', 'updated']),
    message: Type.String(),
    warnings: Optional.Array(Type.String()),
  },
  {
    $id: 'DocumentWritten',
    description: 'The document is stored on disk and visible to the next search.',
  },
)

export const DocumentResponse = Type.Object({ id: Type.String(), data }, { $id: 'Document' })

export const DocumentDeleted = Type.Object(
  { id: Type.String(), status: Type.Literal('deleted'), message: Type.String() },
  { $id: 'DocumentDeleted' },
)

export const DocumentsCleared = Type.Object(
  {
    status: Type.Enum(['cleared', 'deleted'], {
      description: '`cleared`: all documents; `deleted`: those that match the filter.',
    }),
    message: Type.String(),
    documents_deleted: Type.Integer(),
    warnings: Optional.Array(Type.String()),
  },
  { $id: 'DocumentsCleared' },
)

const filterBy = Type.String({
  maxLength: EXPRESSION_MAX_CHARS,
  description: 'A filter as in a search; only matching documents.',
})

/** Query string of export and delete. */
export const DocumentsFilter: TObject = Type.Object({ filter_by: Type.Optional(filterBy) })
/** Query string of an update by filter; the filter is required. */
export const DocumentsExport: TObject = Type.Object({
  filter_by: Type.Optional(filterBy),
  order: Type.Optional(
    Type.Enum(['written', 'inserted'], {
      default: 'written',
      description:
        '`written`: by last write. `inserted`: by first insertion, for a copy that keeps the order of equal documents; not with `filter_by`.',
    }),
  ),
})

export const RequiredDocumentsFilter = Type.Object({ filter_by: filterBy })

export const UpdateDocumentsRequest = Type.Object(
  {
    set: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Fields to set in each document; objects are merged by member, `null` removes one.',
    }),
  },
  { $id: 'UpdateDocumentsRequest' },
)

export const DocumentsUpdated = Type.Object(
  {
    status: Type.Literal('updated'),
    documents_updated: Type.Integer(),
    documents_failed: Type.Integer(),
    errors: Type.Array(Type.Object({ id: Type.String(), error: Type.String() }), {
      description: 'First failures.',
    }),
    warnings: Optional.Array(Type.String()),
  },
  { $id: 'DocumentsUpdated' },
)

const bulkEntry = Type.Object(
  { id: Type.Optional(id), action: Type.Optional(action), data: Type.Optional(data) },
  {
    $id: 'BulkEntry',
    description:
      'An entry with an object `data` has its fields there, and other keys are ignored with a warning; without it, every key except `id` and `action` is a field.',
  },
)

/** Sent as JSON; `application/x-ndjson` sends one entry per line instead, any number of them. */
export const BulkRequest = Type.Union(
  [Type.Object({ documents: Type.Array(bulkEntry) }), Type.Array(bulkEntry)],
  { $id: 'BulkRequest' },
)

export const BulkResponse = Type.Object(
  {
    status: Type.Literal(207),
    results: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          index: Type.Integer({ description: 'Index in the request, from 0.' }),
          status: Type.Enum(['created', 'updated', 'failed']),
          code: Type.Integer({
            description:
              '201 created, 200 updated, 400 failed; 503 or 507 failed for reasons unrelated to the document.',
          }),
          error: Optional.String(),
          error_code: Optional.Enum(Object.keys(ERROR_STATUS) as ErrorCode[]),
          warnings: Optional.Array(Type.String(), {
            description: 'Parts of the entry that had no effect.',
          }),
        },
        { $id: 'BulkResult' },
      ),
      { description: 'One result per entry, in order.' },
    ),
    success: Type.Boolean({ description: 'Nothing failed.' }),
    indexed: Type.Integer(),
    errors: Type.Array(
      Type.Object({ id: Type.String(), index: Type.Integer(), error: Type.String() }),
      { description: 'Failures, at most 10,000; `results` has all of them.' },
    ),
    summary: Type.Object({
      total: Type.Integer(),
      succeeded: Type.Integer(),
      failed: Type.Integer(),
    }),
    error: Optional.String({
      description: 'Why the service stopped before the end of the stream; absent otherwise.',
    }),
    error_code: Optional.String(),
  },
  { $id: 'BulkResponse' },
)
export type IndexDocumentRequest = Static<typeof IndexDocumentRequest>
export type DocumentWritten = Static<typeof DocumentWritten>
export type DocumentResponse = Static<typeof DocumentResponse>
export type DocumentDeleted = Static<typeof DocumentDeleted>
export type DocumentsUpdated = Static<typeof DocumentsUpdated>
export type DocumentsCleared = Static<typeof DocumentsCleared>
export type BulkRequest = Static<typeof BulkRequest>
export type BulkResponse = Static<typeof BulkResponse>

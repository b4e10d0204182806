import type { Static } from 'typebox'
import { Optional, Type } from './type.ts'
import { ERROR_STATUS, type ErrorCode } from './errors.ts'
import { EXPRESSION_MAX_CHARS, QUERY_LENGTH_MAX_CHARS } from './limits.ts'
import {
  EDIT_IDS_SHOWN_MAX,
  EDIT_NOTE_MAX_CHARS,
  EDIT_SEARCH_DOCUMENTS_MAX,
} from './merchandising-limits.ts'
import { ChangedBy } from './settings.ts'

/** What happens to each document that is found. */
export const DocumentEdit = Type.Object(
  {
    set: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Fields to set, as `update` does: objects are merged, `null` removes a field.',
      }),
    ),
    add: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'By field: a number to add (negative to subtract), or values to append to a list unless it has them.',
      }),
    ),
    remove: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'By field: values to remove from a list, or `true` to remove the field.',
      }),
    ),
    delete: Optional.Boolean({ description: 'Deletes the documents; excludes all other actions.' }),
  },
  { $id: 'DocumentEdit' },
)
export type DocumentEdit = Static<typeof DocumentEdit>

export const EditDocumentsRequest = Type.Object(
  {
    filter_by: Optional.String({
      maxLength: EXPRESSION_MAX_CHARS,
      description: 'A filter as in a search.',
    }),
    q: Optional.String({
      maxLength: QUERY_LENGTH_MAX_CHARS,
      description: `Search words; \`*\` without a filter matches every document. With words, at most ${EDIT_SEARCH_DOCUMENTS_MAX} documents.`,
    }),
    edit: DocumentEdit,
    note: Optional.String({ maxLength: EDIT_NOTE_MAX_CHARS, description: 'Shown in the history.' }),
  },
  { $id: 'EditDocumentsRequest' },
)
export type EditDocumentsRequest = Static<typeof EditDocumentsRequest>

const refusal = Type.Object({
  id: Type.String(),
  code: Type.Enum(Object.keys(ERROR_STATUS) as ErrorCode[]),
  error: Type.String(),
})
const fields = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

export const DocumentEditPreview = Type.Object(
  {
    found: Type.Integer({ description: 'Documents that match now.' }),
    checked: Type.Integer({
      description: 'Documents that the edit was tried on; the counts below cover only these.',
    }),
    changed: Type.Integer(),
    unchanged: Type.Integer({ description: 'Documents that already have these values.' }),
    refused: Type.Integer({ description: 'Documents that the schema would not allow afterwards.' }),
    samples: Type.Array(
      Type.Object({
        id: Type.String(),
        before: fields('The fields that would change, as they are now.'),
        after: fields('The same fields after the edit.'),
      }),
      { description: 'The first documents that would change.' },
    ),
    errors: Type.Array(refusal, { description: 'The first documents that would be refused.' }),
    warnings: Optional.Array(Type.String()),
  },
  { $id: 'DocumentEditPreview' },
)
export type DocumentEditPreview = Static<typeof DocumentEditPreview>

export const DocumentEditJob = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(['edit', 'undo']),
    state: Type.Enum(['finding', 'changing', 'done', 'cancelled', 'failed'], {
      description: 'The service continues `finding` and `changing` after a restart.',
    }),
    filter_by: Optional.String(),
    q: Optional.String(),
    edit: DocumentEdit,
    undoes: Optional.String({ description: 'The edit that an `undo` reverses.' }),
    note: Optional.String(),
    changed_by: Type.Optional(ChangedBy),
    created_at: Type.String({ format: 'date-time' }),
    ended_at: Optional.String({ format: 'date-time' }),
    found: Type.Integer(),
    done: Type.Integer({
      description: 'Documents of `found` that have been processed, with any outcome.',
    }),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    refused: Type.Integer(),
    skipped: Type.Integer({
      description:
        'Documents that others changed or deleted in the meantime; for an undo: since the edit.',
    }),
    errors: Type.Array(refusal, { description: 'The first that were refused.' }),
    skipped_ids: Type.Array(Type.String(), {
      description: `The first ${EDIT_IDS_SHOWN_MAX} that were skipped.`,
    }),
    history: Type.Enum(['kept', 'dropped', 'none'], {
      description:
        'Whether an undo is possible: `dropped` if the former values exceeded a limit of size or age.',
    }),
    history_bytes: Type.Integer(),
    undone_by: Optional.String({ description: 'The undo of this edit.' }),
    error: Optional.String({ description: 'Why it failed.' }),
  },
  { $id: 'DocumentEditJob' },
)
export type DocumentEditJob = Static<typeof DocumentEditJob>

export const DocumentEditJobs = Type.Object(
  { edits: Type.Array(DocumentEditJob, { description: 'Newest first.' }) },
  { $id: 'DocumentEditJobs' },
)
export type DocumentEditJobs = Static<typeof DocumentEditJobs>

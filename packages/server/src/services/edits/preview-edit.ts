import {
  ApiError,
  EDIT_PREVIEW_CHECKED_MAX,
  EDIT_PREVIEW_SHOWN_MAX,
  type EditDocumentsRequest,
} from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import { checkDocument } from '../../domain/documents/document-rules.ts'
import {
  editedDocument,
  readDocumentEdit,
  type DocumentEdit,
} from '../../domain/documents/document-edit.ts'
import { canonicalJson } from '../../domain/json/canonical-json.ts'
import { exactJson } from '../../domain/json/json-exact.ts'
import { parseExact } from '../../domain/json/json-scan.ts'
import type { StoredDocument } from '../../ports/catalog/document-reader.ts'
import { restIfDue } from '../../ports/search/turns.ts'
import type { FilterPace } from '../documents/matching-documents.ts'
import { openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import type { Refusal } from './edit-record.ts'
import { findDocuments, type Selection } from './found-documents.ts'

/** A request to edit documents, checked against the schema of the store. */
export interface CheckedEdit {
  readonly selection: Selection
  readonly edit: DocumentEdit
  readonly schema: Schema
  readonly content: string
}

/** @throws ApiError missing_parameter, schema_not_defined, and what `readDocumentEdit` throws */
export function checkEdit(
  ports: ServicePorts,
  storeId: string,
  { filter_by: filterBy, q, edit }: EditDocumentsRequest,
): CheckedEdit {
  const { schema, content } = openView(ports, storeId)
  if (filterBy === undefined && q === undefined) {
    throw new ApiError(
      'missing_parameter',
      'Parameter `filter_by` or `q` is required; `q: "*"` alone matches every document',
      { param: 'filter_by' },
    )
  }
  if (schema === undefined) {
    throw new ApiError('schema_not_defined', 'Define a schema before you edit documents')
  }
  return { selection: { filterBy, q }, edit: readDocumentEdit(edit, schema), schema, content }
}

/** What an edit makes of one document. */
export type EditOutcome =
  | { readonly kind: 'deleted' | 'unchanged' }
  | { readonly kind: 'changed'; readonly json: Uint8Array }
  | ({ readonly kind: 'refused' } & Refusal)

export function outcomeOf(
  { id, json }: Pick<StoredDocument, 'id' | 'json'>,
  edit: DocumentEdit,
  schema: Schema,
): EditOutcome {
  if (edit.kind === 'delete') return { kind: 'deleted' }
  try {
    const edited = editedDocument(json, edit, schema)
    if (edited === json) return { kind: 'unchanged' }
    checkDocument(edited, id, schema)
    return { kind: 'changed', json: edited }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { kind: 'refused', id, code: error.code, error: error.message }
  }
}

/**
 * Tries an edit on the first documents that it finds, and changes nothing.
 *
 * @returns JSON text of a `DocumentEditPreview`
 * @throws ApiError
 */
export async function previewEdit(
  ports: ServicePorts,
  storeId: string,
  request: EditDocumentsRequest,
  pace: FilterPace,
): Promise<string> {
  const { selection, edit, schema } = checkEdit(ports, storeId, request)
  const { found, pages, warnings } = await findDocuments(ports, storeId, selection, pace)
  const counts = { checked: 0, changed: 0, unchanged: 0, refused: 0 }
  const samples: object[] = []
  const errors: Refusal[] = []
  reading: for await (const page of pages) {
    for (const document of page) {
      if (counts.checked === EDIT_PREVIEW_CHECKED_MAX) break reading
      counts.checked++
      const outcome = outcomeOf(document, edit, schema)
      if (outcome.kind === 'unchanged') counts.unchanged++
      else if (outcome.kind === 'refused') {
        counts.refused++
        const { id, code, error } = outcome
        if (errors.length < EDIT_PREVIEW_SHOWN_MAX) errors.push({ id, code, error })
      } else {
        counts.changed++
        const after = outcome.kind === 'changed' ? outcome.json : undefined
        if (samples.length < EDIT_PREVIEW_SHOWN_MAX) samples.push(sampleOf(document, after))
      }
      await restIfDue(pace)
    }
  }
  const shown = warnings.length === 0 ? {} : { warnings }
  return exactJson({ found, ...counts, samples, errors, ...shown })
}

/** The members that change; none of a document that is deleted. */
function sampleOf({ id, json }: StoredDocument, edited: Uint8Array | undefined): object {
  if (edited === undefined) return { id, before: {}, after: {} }
  const before = parseExact(json) as Record<string, unknown>
  const after = parseExact(edited) as Record<string, unknown>
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const differing = names.filter((name) => textAt(before, name) !== textAt(after, name))
  const only = (data: Record<string, unknown>): object =>
    Object.fromEntries(
      differing.filter((name) => Object.hasOwn(data, name)).map((name) => [name, data[name]]),
    )
  return { id, before: only(before), after: only(after) }
}

function textAt(data: Record<string, unknown>, name: string): string | undefined {
  return Object.hasOwn(data, name) ? canonicalJson(data[name]) : undefined
}

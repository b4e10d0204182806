import { ApiError } from '@aisle/contract'
import type { DocumentValue, Schema } from '@aisle/engine'
import { checkDocument, dataIdOf } from './document-rules.ts'
import { documentTag, requireDocumentMatch } from './document-tag.ts'
import { fieldOrdinal } from './field-lookup.ts'
import type { DocumentWrite, FailedWrite, WriteOutcome } from './document-write.ts'
import { mergeObjects } from '../json/json-splice.ts'
import { uuidv7 } from '../values/uuid.ts'
import { failedWrite } from './write-request.ts'

/** The document that a write would replace or change. */
export interface ExistingDocument {
  readonly id: string
  readonly json: Uint8Array
}

/** An accepted write, with the document it results in. */
export interface DecidedWrite {
  readonly id: string
  readonly status: 'created' | 'updated'
  /**
   * The JSON to store: the bytes of the write itself (not a copy), or for `update` the merged
   * object.
   */
  readonly json: Uint8Array
  /** The values to index, by field ordinal. */
  readonly values: readonly (DocumentValue | undefined)[]
  /**
   * The schema by which it is valid: the current one, or one with the fields that it adds by
   * patterns.
   */
  readonly schema: Schema
}

export type AppliedWrite =
  | {
      readonly decided: DecidedWrite
      readonly outcome: Exclude<WriteOutcome, FailedWrite>
    }
  | { readonly decided?: undefined; readonly outcome: FailedWrite }

/**
 * Applies one write to the current store: finds the document it names, decides, and returns a
 * rejection as a `failed` outcome. Every writer applies its writes through this function, one
 * after another, so that `find` sees the effects of earlier writes.
 *
 * Never throws an ApiError, only other errors (a bug, a failing disk).
 *
 * @param admit throws an ApiError if the document must not be stored, for example because the
 *   fields that it adds exceed a limit
 */
export function applyWrite(
  write: DocumentWrite,
  schema: Schema,
  find: (id: string) => ExistingDocument | undefined,
  admit: (decided: DecidedWrite) => void = () => undefined,
): AppliedWrite {
  let { id } = write
  try {
    id = documentIdOf(write)
    const existing = id === undefined ? undefined : find(id)
    requireDocumentMatch(write.ifMatch, existing)
    const decided = decideWrite(write, existing, schema)
    admit(decided)
    const { status, json } = decided
    const tag = write.isTagged === true ? { etag: documentTag(json) } : {}
    return { decided, outcome: { status, id: decided.id, ...tag } }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { outcome: failedWrite(id, error) }
  }
}

/**
 * The id that a write names: its own, else the one inside its data. `undefined` if it names none;
 * then one is generated.
 */
export function documentIdOf(write: DocumentWrite): string | undefined {
  return write.id ?? dataIdOf(write.json)
}

/**
 * Decides what a write does: a pure function of the write, the existing document and the schema.
 *
 * | action | document absent           | document present            |
 * |--------|---------------------------|-----------------------------|
 * | upsert | created                   | replaced as a whole         |
 * | insert | created                   | fails: `document_exists`    |
 * | update | fails: document_not_found | merged, objects by member   |
 *
 * @param existing the document that `documentIdOf(write)` names, if any
 * @throws ApiError with every bad field in `details`
 */
export function decideWrite(
  write: DocumentWrite,
  existing: ExistingDocument | undefined,
  schema: Schema,
): DecidedWrite {
  const id = documentIdOf(write)
  if (write.action === 'insert' && existing !== undefined) {
    throw new ApiError(
      'document_exists',
      `Cannot insert document "${existing.id}": it already exists`,
      {
        param: 'id',
      },
    )
  }
  if (write.action !== 'update') {
    const checked = checkDocument(write.json, id, schema)
    const status = existing === undefined ? 'created' : 'updated'
    return { id: id ?? uuidv7(), status, json: write.json, ...checked }
  }

  if (id === undefined) {
    throw new ApiError('missing_parameter', 'Cannot update a document without "id"', {
      param: 'id',
    })
  }
  if (existing === undefined) {
    throw new ApiError('document_not_found', `Cannot update document "${id}": it does not exist`, {
      param: 'id',
    })
  }
  // The patch is checked against the schema alone, so that even a field it only removes must
  // exist; the merged object then yields the values (and must meet the size limit).
  const { schema: grown } = checkDocument(write.json, id, schema)
  const isObject = (path: string): boolean => {
    const ordinal = fieldOrdinal(grown, path)
    return ordinal !== undefined && grown.fields[ordinal]!.type === 'object'
  }
  const json = mergeObjects(existing.json, write.json, isObject)
  return { id, status: 'updated', json, ...checkDocument(json, id, schema) }
}

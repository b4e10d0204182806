import { ApiError, type ErrorDetail } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import { checkDocument } from './document-rules.ts'
import { laterFields, redefinedSchema, redefineFields } from './redefine-fields.ts'
import { mergeSchema, type DeclaredField } from './schema-rules.ts'

/**
 * Redefined fields take over with the documents as they are stored, so every value must be one of
 * its field's new type too: those from before the change, and those written while it is prepared.
 */

/** Maximum number of documents named. */
export const CONVERSION_FAULTS_MAX = 20

/**
 * @throws ApiError what is wrong with a new document by fields that are being redefined
 */
export function requireFit(
  { id, json, schema }: { readonly id: string; readonly json: Uint8Array; readonly schema: Schema },
  fields: readonly DeclaredField[] | undefined,
): void {
  if (fields === undefined) return
  try {
    checkDocument(json, id, redefinedSchema(schema, fields))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, param, details } = error
    const reason = `${message} (the schema is being changed, and new documents must fit both)`
    throw new ApiError(code, reason, { param, details })
  }
}

/** A request to redefine fields, beside what already changes. */
export interface PlannedRedefinition {
  /** The schema in force with the fields that the request adds. */
  readonly schema: Schema
  /** All fields that are redefined; undefined: the schema in force has them so. */
  readonly fields: readonly DeclaredField[] | undefined
  readonly change: FieldsChange
  /** Whether the documents must be checked. */
  readonly isChecked: boolean
}

/** What a request changes, by field name. */
export interface FieldsChange {
  readonly fieldsAdded: readonly string[]
  readonly fieldsChanged: readonly string[]
  readonly fieldsUnchanged: readonly string[]
}

/**
 * @param inForce the schema that serves
 * @param coming fields that an earlier request redefines and that do not serve yet
 * @throws ApiError invalid_schema
 */
export function plannedRedefinition(
  inForce: Schema,
  coming: readonly DeclaredField[] | undefined,
  requested: readonly DeclaredField[],
): PlannedRedefinition {
  const names = new Set([...inForce.fields, ...(inForce.patterns ?? [])].map(({ name }) => name))
  const added = requested.filter(({ name }) => !names.has(name))
  const known = requested.filter(({ name }) => names.has(name))
  const { schema, change } = mergeSchema(inForce, 'additive', added)
  const { fieldsChanged, fieldsUnchanged } = redefineFields(redefinedSchema(schema, coming), known)
  const fields = laterFields(coming, known)
  const { previous, fieldsChanged: all } = redefineFields(schema, fields)
  return {
    schema,
    fields: all.length === 0 ? undefined : fields,
    change: { fieldsAdded: change.fieldsAdded, fieldsChanged, fieldsUnchanged },
    isChecked: changesValues(previous, fields),
  }
}

/** Whether values may not fit: other roles fit all of them. */
function changesValues(
  previous: readonly DeclaredField[],
  fields: readonly DeclaredField[],
): boolean {
  const before = new Map(previous.map((field) => [field.name, field]))
  return fields.some(({ name, type, takesSingle }) => {
    const was = before.get(name)
    return was !== undefined && (was.type !== type || (was.takesSingle ?? false) !== takesSingle)
  })
}

/**
 * Why a stored document does not fit redefined fields; undefined if it does, or if the schema in
 * force refuses it too: then it cannot be found by its content as it is.
 */
export function conversionFault(
  { id, json }: { readonly id: string; readonly json: Uint8Array },
  inForce: Schema,
  next: Schema,
): ErrorDetail | undefined {
  const fault = faultOf(id, json, next)
  if (fault === undefined || faultOf(id, json, inForce) !== undefined) return undefined
  return { param: id, code: fault.code, message: fault.message }
}

/** @param faults at most `CONVERSION_FAULTS_MAX`, of documents by id */
export function conversionFailed(faults: readonly ErrorDetail[]): ApiError {
  const isAll = faults.length < CONVERSION_FAULTS_MAX
  const count = isAll ? faults.length : `${faults.length} or more`
  const verb = faults.length === 1 ? 'document does' : 'documents do'
  const ids = faults.map(({ param }) => param).join(', ')
  const message = `Cannot change the schema: ${count} ${verb} not fit, and nothing was changed (${ids}). The first: ${faults[0]!.message}`
  return new ApiError('schema_conversion_failed', message, { details: faults })
}

function faultOf(id: string, json: Uint8Array, schema: Schema): ApiError | undefined {
  try {
    checkDocument(json, id, schema)
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

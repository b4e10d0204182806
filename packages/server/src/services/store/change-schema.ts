import { ApiError, type ChangedSchema, type SchemaField, type StoreSchema } from '@aisle/contract'
import type { Field, FieldPattern } from '@aisle/engine'
import { declaredType } from '../../domain/documents/nested-fields.ts'
import { checkSchemaFields, checkSchemaMode } from '../../domain/documents/schema-rules.ts'
import type { ServicePorts } from '../service-ports.ts'
import { NO_SCHEMA } from '../open-view.ts'
import { unknownParameterWarnings } from '../parameter-warnings.ts'

/** Returns the fields of the current schema; none before one is defined. */
export function describeSchema(
  { backend, registry }: Pick<ServicePorts, 'registry' | 'backend'>,
  storeId: string,
): StoreSchema {
  const view = backend.view(storeId)
  if (view === undefined && registry.find(storeId) === undefined) {
    throw new ApiError('store_not_found', 'There is no store with this id')
  }
  const { fields, patterns = [] } = view?.schema ?? NO_SCHEMA
  return { fields: [...fields.map(presentField), ...patterns.map(presentPattern)] }
}

/** A field as it was declared. */
function presentField(field: Field): SchemaField {
  const { name, searchable, facet, sort, pattern } = field
  const roles = { searchable, facet, sort }
  return {
    name,
    type: declaredType(field),
    ...roles,
    ...presentText(field),
    ...(pattern === undefined ? {} : { pattern }),
  }
}

function presentPattern(pattern: FieldPattern): SchemaField {
  const { name, type, searchable, facet, sort } = pattern
  const roles = { searchable, facet, sort }
  return { name, type: type ?? 'auto', ...roles, ...presentText(pattern) }
}

/** The analysis options of a field or pattern. */
function presentText({ language, symbols, separators }: Field | FieldPattern) {
  return {
    ...(language === undefined ? {} : { language }),
    ...(symbols === undefined ? {} : { symbols_to_index: [...symbols] }),
    ...(separators === undefined ? {} : { token_separators: [...separators] }),
  }
}

/**
 * Defines, extends or replaces the schema.
 *
 * @param body the parsed JSON of the request
 * @throws ApiError invalid_parameter, missing_parameter, invalid_schema
 */
export async function changeSchema(
  { writer }: Pick<ServicePorts, 'writer'>,
  storeId: string,
  body: unknown,
): Promise<ChangedSchema> {
  const given = new Map(Object.entries(requireObject(body)))
  const mode = checkSchemaMode(given.get('mode'))
  const fields = checkSchemaFields(given.get('fields'))
  const unknown = [...given.keys()].filter((key) => key !== 'mode' && key !== 'fields')
  const change = await writer.changeSchema(storeId, mode, fields)
  const added = change.fieldsAdded.length
  const allWarnings = [...unknownParameterWarnings(unknown), ...change.warnings]
  return {
    success: true,
    message:
      mode === 'replace'
        ? `Schema replaced: ${added} ${plural(added)}, all documents dropped`
        : `Schema updated: ${added} ${plural(added)} added`,
    fields_added: [...change.fieldsAdded],
    fields_unchanged: [...change.fieldsUnchanged],
    mode,
    ...(allWarnings.length === 0 ? {} : { warnings: allWarnings }),
  }
}

function requireObject(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new ApiError('invalid_parameter', 'The body must be a JSON object with `fields`')
}

function plural(count: number): string {
  return count === 1 ? 'field' : 'fields'
}

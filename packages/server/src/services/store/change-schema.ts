import {
  ApiError,
  type ChangedSchema,
  type RunningSchemaChange,
  type SchemaField,
  type StoreSchema,
} from '@aisle/contract'
import type { Field, FieldPattern, Schema } from '@aisle/engine'
import { declaredType } from '../../domain/documents/nested-fields.ts'
import {
  checkSchemaFields,
  checkSchemaMode,
  type DeclaredField,
} from '../../domain/documents/schema-rules.ts'
import { fieldsToBe } from '../../domain/documents/redefine-fields.ts'
import { schemaStamp } from '../../domain/documents/schema-state.ts'
import type { FieldsChange } from '../../ports/catalog/catalog-writer.ts'
import type { ReanalysisProgress, StoreStatistics } from '../../ports/catalog/store-registry.ts'
import type { ServicePorts } from '../service-ports.ts'
import { NO_SCHEMA } from '../open-view.ts'
import { etagOf, requireMatch } from '../../domain/values/preconditions.ts'
import { unknownParameterWarnings } from '../parameter-warnings.ts'

type SchemaPorts = Pick<ServicePorts, 'registry' | 'backend'>

/** Returns the fields of the current schema, none before one is defined, and what changes them. */
export async function describeSchema(ports: SchemaPorts, storeId: string): Promise<StoreSchema> {
  return present(await readSchema(ports, storeId))
}

interface ReadSchema {
  readonly schema: Schema | undefined
  readonly statistics: Pick<StoreStatistics, 'reanalysis' | 'previousFields'>
}

async function readSchema(
  { backend, registry }: SchemaPorts,
  storeId: string,
): Promise<ReadSchema> {
  const view = backend.view(storeId)
  if (view === undefined && registry.find(storeId) === undefined) {
    throw new ApiError('store_not_found', 'There is no store with this id')
  }
  return { schema: view?.schema, statistics: await registry.statistics(storeId) }
}

function present({ schema, statistics }: ReadSchema): StoreSchema {
  const { fields, patterns = [] } = schema ?? NO_SCHEMA
  const { reanalysis, previousFields } = statistics
  const change = reanalysis && presentChange(reanalysis, schema)
  return {
    fields: [...fields.map(presentField), ...patterns.map(presentPattern)],
    ...(change === undefined ? {} : { change }),
    ...(previousFields === undefined
      ? {}
      : { previous_fields: previousFields.map(presentDeclared) }),
  }
}

/** The `ETag` of a schema: the progress of a change is not part of it. */
export function schemaTag({ fields, change }: StoreSchema): string {
  return etagOf(JSON.stringify([fields, change?.fields]))
}

function presentChange(
  { fields, documentsDone, documentsTotal, secondsLeft, failed }: ReanalysisProgress,
  schema = NO_SCHEMA,
): RunningSchemaChange | undefined {
  if (fields === undefined) return undefined
  return {
    state: failed ? 'failed' : 'running',
    fields: fieldsToBe(schema, fields).map(presentDeclared),
    documents_done: documentsDone,
    documents_total: documentsTotal,
    ...(secondsLeft === undefined ? {} : { seconds_left: secondsLeft }),
  }
}

function presentDeclared(field: DeclaredField): SchemaField {
  return 'object' in field ? presentPattern(field as FieldPattern) : presentField(field as Field)
}

/** A field as it was declared. */
function presentField(field: Field): SchemaField {
  const { name, searchable, facet, sort, takesSingle, pattern, vector } = field
  const roles = { searchable, facet, sort }
  return {
    name,
    type: declaredType(field),
    ...roles,
    ...presentText(field),
    ...vector,
    ...(takesSingle === undefined ? {} : { takes_single: takesSingle }),
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
 * Defines, extends, changes or replaces the schema.
 *
 * @param body the parsed JSON of the request
 * @param ifMatch the header of that name; see `requireMatch`
 * @throws ApiError precondition_failed, invalid_parameter, missing_parameter, invalid_schema,
 *   schema_conversion_failed
 */
export async function changeSchema(
  ports: SchemaPorts & Pick<ServicePorts, 'writer'>,
  storeId: string,
  body: unknown,
  ifMatch?: string,
): Promise<ChangedSchema> {
  const given = new Map(Object.entries(requireObject(body)))
  const mode = checkSchemaMode(given.get('mode'))
  const fields = checkSchemaFields(given.get('fields'))
  const unknown = [...given.keys()].filter((key) => key !== 'mode' && key !== 'fields')
  const warnings = unknownParameterWarnings(unknown)
  if (mode === 'change') {
    const change = await ifUnchanged(ports, storeId, ifMatch, (expected) =>
      ports.writer.redefineFields(storeId, fields, expected),
    )
    return describeRedefinition(ports, storeId, change, warnings)
  }
  const change = await ifUnchanged(ports, storeId, ifMatch, (expected) =>
    ports.writer.changeSchema(storeId, mode, fields, expected),
  )
  const added = change.fieldsAdded.length
  const allWarnings = [...warnings, ...change.warnings]
  return {
    success: true,
    message:
      mode === 'replace'
        ? `Schema replaced: ${added} ${plural(added)}, all documents deleted`
        : `Schema updated: ${added} ${plural(added)} added`,
    fields_added: [...change.fieldsAdded],
    fields_unchanged: [...change.fieldsUnchanged],
    mode,
    ...(allWarnings.length === 0 ? {} : { warnings: allWarnings }),
  }
}

/** Attempts to change a schema that must not have changed, while others change it. */
const ATTEMPTS_MAX = 10

/**
 * Makes a change if the schema is still what `ifMatch` names when the writer decides.
 *
 * @param change gets the stamp that the writer compares
 * @throws ApiError precondition_failed
 */
async function ifUnchanged<T>(
  ports: SchemaPorts,
  storeId: string,
  ifMatch: string | undefined,
  change: (expected?: string) => Promise<T>,
): Promise<T> {
  if (ifMatch === undefined) return change()
  for (let attempt = 1; ; attempt++) {
    const read = await readSchema(ports, storeId)
    const current = present(read)
    requireMatch(ifMatch, JSON.stringify(current), schemaTag(current))
    const { schema, statistics } = read
    try {
      return await change(schemaStamp({ schema, redefined: statistics.reanalysis?.fields }))
    } catch (error) {
      // Another request was faster: compares again, with what is stored now.
      const isStale = error instanceof ApiError && error.code === 'precondition_failed'
      if (!isStale || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

async function describeRedefinition(
  ports: SchemaPorts,
  storeId: string,
  change: FieldsChange,
  warnings: readonly string[],
): Promise<ChangedSchema> {
  const { reanalysis } = await ports.registry.statistics(storeId)
  const job = reanalysis && presentChange(reanalysis, ports.backend.view(storeId)?.schema)
  const changed = change.fieldsChanged.length
  const progress =
    job === undefined ? '' : '; searches use the former definitions until it is complete'
  return {
    success: true,
    message: `Schema changed: ${changed} ${plural(changed)}${progress}`,
    fields_added: [...change.fieldsAdded],
    fields_changed: [...change.fieldsChanged],
    fields_unchanged: [...change.fieldsUnchanged],
    mode: 'change',
    ...(job === undefined ? {} : { job }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  }
}

/** Ends a change of the schema that is not complete. */
export async function cancelSchemaChange(
  { writer }: Pick<ServicePorts, 'writer'>,
  storeId: string,
): Promise<{ success: true; message: string }> {
  if (await writer.cancelRedefinition(storeId)) {
    return { success: true, message: 'The schema stays as it is' }
  }
  throw new ApiError('schema_change_not_found', 'No change of the schema is in progress')
}

function requireObject(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw new ApiError('invalid_parameter', 'The body must be a JSON object with `fields`')
}

function plural(count: number): string {
  return count === 1 ? 'field' : 'fields'
}

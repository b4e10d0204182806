import type { ErrorDetail } from '@aisle/contract'
import { isArrayType, type Field, type FieldPattern, type Schema } from '@aisle/engine'
import { declaredType } from './nested-fields.ts'
import {
  describeField,
  invalidSchema,
  patternFor,
  placed,
  quoteValue,
  withSpacesOf,
  type DeclaredField,
} from './schema-rules.ts'

/** What redefined fields change in a schema. */
export interface Redefinition {
  readonly schema: Schema
  readonly fieldsChanged: readonly string[]
  readonly fieldsUnchanged: readonly string[]
  /** The changed fields as they were. */
  readonly previous: readonly DeclaredField[]
}

/**
 * Redefines fields of a schema whose documents stay; ordinals do not change. A field that becomes a
 * list takes single values from then on, as its documents have them.
 *
 * @param fields of the schema, as `checkSchemaFields` returns them
 * @throws ApiError invalid_schema, also if a field would become an object or was one
 */
export function redefineFields(current: Schema, fields: readonly DeclaredField[]): Redefinition {
  const places = new Map(
    [...current.fields, ...(current.patterns ?? [])].map((field) => [field.name, field]),
  )
  const details: ErrorDetail[] = []
  const changed = new Map<string, Field | FieldPattern>()
  const previous: DeclaredField[] = []
  const fieldsUnchanged: string[] = []
  for (const request of fields) {
    const { name } = request
    const existing = places.get(name)
    const before = existing && declaredField(existing)
    if (existing === undefined || before === undefined) {
      const message = `there is no field ${quoteValue(name)} to change`
      details.push({ param: 'fields', code: 'invalid_schema', message })
    } else if (kindOf(before.type) !== kindOf(request.type)) {
      const message = `field ${quoteValue(name)}: only mode "replace" can change ${before.type} to ${request.type}, and it deletes all documents; \`aisle reindex\` makes the change without downtime`
      details.push({ param: 'fields', code: 'invalid_schema', message })
    } else {
      const field =
        'object' in existing
          ? patternFor(request, existing.object)
          : ({ ...request, ...takesSingle(before, request) } as Field)
      if (describeField(field) === describeField(existing) && request.pattern === before.pattern) {
        fieldsUnchanged.push(name)
      } else {
        changed.set(name, field)
        previous.push(before)
      }
    }
  }
  if (details.length > 0) throw invalidSchema(details)
  if (changed.size === 0) return { schema: current, fieldsChanged: [], fieldsUnchanged, previous }
  const all = [...current.fields, ...(current.patterns ?? [])].map(
    (field) =>
      changed.get(field.name) ?? ('object' in field ? field : (declaredField(field) as Field)),
  )
  const schema = withSpacesOf(current, placed(all, 0))
  return { schema, fieldsChanged: [...changed.keys()], fieldsUnchanged, previous }
}

/** Fields that are being redefined as they will be: one that becomes a list takes single values. */
export function fieldsToBe(
  current: Schema,
  fields: readonly DeclaredField[],
): readonly DeclaredField[] {
  return fields.map((request) => {
    const existing = current.fields.find(({ name }) => name === request.name)
    return existing === undefined
      ? request
      : { ...request, ...takesSingle(declaredField(existing), request) }
  })
}

const redefinedSchemas = new WeakMap<readonly DeclaredField[], { of: Schema; schema: Schema }>()

/** The schema with redefined fields; the same object for the same ones. */
export function redefinedSchema(
  current: Schema,
  fields: readonly DeclaredField[] | undefined,
): Schema {
  if (fields === undefined) return current
  const known = redefinedSchemas.get(fields)
  if (known?.of === current) return known.schema
  const { schema } = redefineFields(current, fields)
  redefinedSchemas.set(fields, { of: current, schema })
  return schema
}

/** The later definition of a field counts. */
export function laterFields(
  earlier: readonly DeclaredField[] | undefined,
  later: readonly DeclaredField[],
): readonly DeclaredField[] {
  return [...new Map([...(earlier ?? []), ...later].map((field) => [field.name, field])).values()]
}

/** The fields and patterns of a schema as a request would define them. */
export function declaredFields({ fields, patterns = [] }: Schema): DeclaredField[] {
  return [...fields, ...patterns].map(declaredField)
}

/** A field or pattern as a request would define it. */
function declaredField(field: Field | FieldPattern): DeclaredField {
  if ('object' in field) {
    const { object: _, type = 'auto', ...pattern } = field
    return { ...pattern, type }
  }
  const { element: _, declaredType: __, ...declared } = field
  return { ...declared, type: declaredType(field) }
}

/** Values, vectors, or the kind of object. */
function kindOf(type: DeclaredField['type']): string {
  return type === 'object' || type === 'object[]' || type === 'vector' ? type : 'values'
}

function takesSingle(
  before: DeclaredField,
  after: DeclaredField,
): Pick<DeclaredField, 'takesSingle'> {
  if (before.type === 'auto' || after.type === 'auto') return {}
  const becomesList = isArrayType(after.type) && !isArrayType(before.type)
  return becomesList && !after.type.startsWith('geopoint') ? { takesSingle: true } : {}
}

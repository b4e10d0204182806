import type { SchemaFieldRequest } from '@aisle/contract'

export type FieldType = SchemaFieldRequest['type']

/** The types of fields, as the API names them. */
export const FIELD_TYPES = (
  'string int32 int64 float bool date string[] int32[] int64[] float[] bool[] date[] ' +
  'geopoint geopoint[] object object[]'
)
  .split(' ')
  .map((name) => ({ value: name as FieldType, label: name }))

/** Of a pattern: objects come as `auto` finds them, and values of one type as that says. */
const PATTERN_TYPES: typeof FIELD_TYPES = [
  { value: 'auto', label: 'auto' },
  ...FIELD_TYPES.filter(({ value }) => !value.startsWith('object')),
]

/** `specs.*` beside an object `specs` adds fields as products bring them. */
export function isPattern(name: string, names: ReadonlySet<string>): boolean {
  return name.endsWith('.*') && names.has(name.slice(0, -2))
}

/**
 * The types that a field of this name can have. A vector stays one, and is added with its
 * dimensions by the API.
 */
export function typesOf(name: string, current?: FieldType): typeof FIELD_TYPES {
  if (current === 'vector') return [{ value: 'vector', label: 'vector' }]
  return name.endsWith('.*') ? PATTERN_TYPES : FIELD_TYPES
}

/**
 * Objects hold other fields, named `variants.color`; places are filtered and sorted, and vectors
 * compared, as they are: none has a role.
 */
export function hasRoles(type: FieldType): boolean {
  return !/^(object|geopoint|vector)/.test(type)
}

/** A field of another type; one without roles loses them. */
export function ofType<F extends SchemaFieldRequest>(field: F, type: FieldType): F {
  const roles = hasRoles(type) ? {} : { searchable: false, facet: false, sort: false }
  return { ...field, type, ...roles }
}

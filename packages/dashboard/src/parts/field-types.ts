import type { SchemaFieldRequest } from '@aisle/contract'

export type FieldType = SchemaFieldRequest['type']

/** Types of fields in everyday words. The values are the names in the API. */
export const FIELD_TYPES: readonly { readonly value: FieldType; readonly label: string }[] = [
  { value: 'string', label: 'string' },
  { value: 'int32', label: 'int32' },
  { value: 'int64', label: 'int64' },
  { value: 'float', label: 'float' },
  { value: 'bool', label: 'bool' },
  { value: 'date', label: 'date' },
  { value: 'string[]', label: 'string[]' },
  { value: 'int32[]', label: 'int32[]' },
  { value: 'int64[]', label: 'int64[]' },
  { value: 'float[]', label: 'float[]' },
  { value: 'bool[]', label: 'bool[]' },
  { value: 'date[]', label: 'date[]' },
  { value: 'geopoint', label: 'geopoint' },
  { value: 'geopoint[]', label: 'geopoint[]' },
  { value: 'object', label: 'object' },
  { value: 'object[]', label: 'object[]' },
]

/** Of a pattern: objects come as `auto` finds them, and values of one type as that says. */
const PATTERN_TYPES: typeof FIELD_TYPES = [
  { value: 'auto', label: 'auto' },
  ...FIELD_TYPES.filter(({ value }) => !value.startsWith('object')),
]

/** `specs.*` beside an object `specs` adds fields as products bring them. */
export function isPattern(name: string, names: ReadonlySet<string>): boolean {
  return name.endsWith('.*') && names.has(name.slice(0, -2))
}

/** Whether a field needs no declaration, because a pattern adds it. */
export function isCovered(name: string, patterns: readonly SchemaFieldRequest[]): boolean {
  return patterns.some(
    (one) => one.name.endsWith('.*') && name.startsWith(one.name.slice(0, -1)) && one.name !== name,
  )
}

/** The types that a field of this name can have. */
export function typesOf(name: string): typeof FIELD_TYPES {
  return name.endsWith('.*') ? PATTERN_TYPES : FIELD_TYPES
}

/**
 * Objects hold other fields, named `variants.color`, and places are filtered and sorted as they
 * are: neither has a role.
 */
export function hasRoles(type: FieldType): boolean {
  return !/^(object|geopoint)/.test(type)
}

/** A field of another type; one without roles loses them. */
export function ofType<F extends SchemaFieldRequest>(field: F, type: FieldType): F {
  const roles = hasRoles(type) ? {} : { searchable: false, facet: false, sort: false }
  return { ...field, type, ...roles }
}

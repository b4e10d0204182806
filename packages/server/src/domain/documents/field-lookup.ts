import { ApiError, FIELD_NAME_MAX_CHARS, nearestName } from '@aisle/contract'
import { elementType, hasColumn, isArrayType, isPlace, isVector } from '@aisle/engine'
import type { Field, FieldType, Schema } from '@aisle/engine'
import { patternOf, wholeObject } from './nested-fields.ts'

/** Ordinals by name, computed once per schema (schemas are immutable). */
const ordinalsBySchema = new WeakMap<Schema, ReadonlyMap<string, number>>()

/** The ordinal of a field; undefined if the schema has no such field. */
export function fieldOrdinal(schema: Schema, name: string): number | undefined {
  let ordinals = ordinalsBySchema.get(schema)
  if (ordinals === undefined) {
    ordinals = new Map(schema.fields.map((field, ordinal) => [field.name, ordinal]))
    ordinalsBySchema.set(schema, ordinals)
  }
  return ordinals.get(name)
}

/**
 * The field that a request names, with its ordinal; otherwise 400 `unknown_field`, with a similar
 * name if there is one.
 */
export function requireField(
  schema: Schema,
  name: string,
  blame: { param: string; where?: string; alsoKnown?: readonly string[] },
): { field: Field; ordinal: number } {
  const ordinal = fieldOrdinal(schema, name)
  if (ordinal !== undefined) return { field: schema.fields[ordinal]!, ordinal }
  const nearest = nearestName(name, [
    ...schema.fields.map((field) => field.name),
    ...(blame.alsoKnown ?? []),
  ])
  const prefix = blame.where === undefined ? '' : `${blame.where}: `
  const pattern = nearest === undefined ? patternOf(schema, name)?.name : undefined
  const come = pattern === undefined ? '' : ` No document has it: \`${pattern}\` would add it.`
  const hint = nearest === undefined ? come : ` Did you mean \`${nearest}\`?`
  throw new ApiError(
    'unknown_field',
    `${prefix}Field \`${shorten(name)}\` is not in the schema.${hint}`,
    { param: blame.param },
  )
}

/**
 * The field with the values of another kind of the same attribute: `specs.size#text` or
 * `specs.size#number` for `specs.size`.
 */
export function otherKind(schema: Schema, { name, type, pattern }: Field): number | undefined {
  if (pattern === undefined) return undefined
  const ordinal = fieldOrdinal(schema, otherKindName(name, type))
  return ordinal === undefined || schema.fields[ordinal]!.pattern === undefined
    ? undefined
    : ordinal
}

export function otherKindName(name: string, type: FieldType): string {
  return `${name}#${elementType(type) === 'string' ? 'number' : 'text'}`
}

/** The fields that a name means: `specs.*` means all inside of the object `specs`. */
export function ordinalsNamed(schema: Schema, name: string): readonly number[] {
  const ordinal = fieldOrdinal(schema, name)
  if (ordinal !== undefined) {
    const other = otherKind(schema, schema.fields[ordinal]!)
    return other === undefined ? [ordinal] : [ordinal, other]
  }
  const object = wholeObject(schema, name)
  if (object === undefined) return []
  return [...schema.fields.keys()].filter((i) => schema.fields[i]!.name.startsWith(`${object}.`))
}

/** Checks that a name means a field or, as `specs.*`, an object. @throws ApiError unknown_field */
export function requireNamed(schema: Schema, name: string, param: string): void {
  if (wholeObject(schema, name) === undefined) requireField(schema, name, { param })
}

/**
 * The searchable fields that a name means: one, or for `specs.*` those inside of the object, even
 * if no document has brought one yet.
 *
 * @throws ApiError unknown_field, field_not_searchable
 */
export function requireSearchable(schema: Schema, name: string, param: string): readonly number[] {
  const object = wholeObject(schema, name)
  if (object !== undefined) {
    const found = ordinalsNamed(schema, name).filter((i) => schema.fields[i]!.searchable)
    if (found.length > 0 || patternOf(schema, `${object}.x`)?.searchable === true) return found
    throw new ApiError(
      'field_not_searchable',
      `No field inside the object \`${object}\` is declared with \`searchable\`.`,
      { param },
    )
  }
  const { field, ordinal } = requireField(schema, name, { param })
  const other = otherKind(schema, field)
  const kinds = other === undefined ? [ordinal] : [ordinal, other]
  const searchable = kinds.filter((i) => schema.fields[i]!.searchable)
  if (searchable.length > 0) return searchable
  throw new ApiError(
    'field_not_searchable',
    `Field \`${name}\` is not declared with \`searchable\`.`,
    {
      param,
    },
  )
}

/** The ordinal of a field to group by. @throws ApiError unknown_field, invalid_parameter */
export function requireGroupable(schema: Schema, name: string, param: string): number {
  const { field, ordinal } = requireField(schema, name, { param })
  if (isGroupable(field)) return ordinal
  throw new ApiError(
    'invalid_parameter',
    `Cannot group by \`${name}\`: it must be declared with \`facet\` or \`sort\`, and hold a single string, number or bool.`,
    { param },
  )
}

/** Whether documents can be grouped by it. */
export function isGroupable(field: Field): boolean {
  const { type } = field
  return hasColumn(field) && !isArrayType(type) && type !== 'date' && !isPlace(field)
}

/** Whether it can be filtered by its whole value. */
export function filterableByValue(field: Field): boolean {
  return hasColumn(field)
}

/** Whether it can be filtered by its words and by existence. */
export function filterableByWords(field: Field): boolean {
  return hasColumn(field) || field.searchable || isVector(field)
}

function shorten(name: string): string {
  const points = Array.from(name.slice(0, 2 * FIELD_NAME_MAX_CHARS))
  return points.length <= 64 ? name : `${points.slice(0, 64).join('')}…`
}

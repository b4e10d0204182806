import type { ErrorDetail } from '@aisle/contract'
import { isArrayType, isObjectType } from '@aisle/engine'
import type { Field, FieldPattern, FieldType, Schema } from '@aisle/engine'
import { pathTree, type PathSelection } from '../json/json-paths.ts'

/**
 * Nested fields: `variants.color` is a field of the object `variants` when the schema has an
 * `object` or `object[]` field of that name. Without one, the dot is part of a plain name.
 */

/** `variants` of `variants.color`; undefined for a name without a dot. */
function parentName(name: string): string | undefined {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? undefined : name.slice(0, dot)
}

/** The type of a field as its schema request gave it: that of one value inside its object. */
export function declaredType(field: Field): FieldType {
  return field.declaredType ?? field.type
}

/**
 * Derives properties of new fields from their objects: below an `object[]`
 * field, a field has the values of all elements.
 *
 * @param fields of the whole schema; those before `from` already exist
 * @param complain called with every problem
 */
export function placeNestedFields(
  fields: readonly Field[],
  from: number,
  complain: (detail: ErrorDetail) => void,
): Field[] {
  const ordinals = new Map(fields.map(({ name }, ordinal) => [name, ordinal]))
  const objectAt = (name: string): number | undefined => {
    const ordinal = ordinals.get(name)
    return ordinal !== undefined && isObjectType(fields[ordinal]!.type) ? ordinal : undefined
  }
  return fields.map((field, ordinal) => {
    const objects = objectsAbove(field.name, objectAt)
    const top = objects.at(-1)
    const parent = parentName(field.name)
    if (top === undefined || parent === undefined) return field
    const fault = (message: string) => {
      complain({ param: 'fields', code: 'invalid_schema', message })
      return field
    }
    if (ordinal < from) {
      if (objects.every((object) => object < from)) return field
      return fault(
        `field "${field.name}" is a plain field, so "${fields[top]!.name}" cannot become an object beside it`,
      )
    }
    if (objectAt(parent) === undefined) {
      return fault(`field "${field.name}": "${parent}" must be declared as object or object[]`)
    }
    const lists = objects.filter((object) => fields[object]!.type === 'object[]')
    const outermost = lists.at(-1)
    if (outermost === undefined || isObjectType(field.type)) return field
    if (field.sort) {
      return fault(
        `field "${field.name}": results cannot be sorted by a field of the elements of "${fields[outermost]!.name}"`,
      )
    }
    if (field.vector !== undefined) {
      return fault(`field "${field.name}": the elements of a list cannot have vectors`)
    }
    const list = arrayOf(field.type)
    const element = { objects: outermost, type: lists.length > 1 ? list : field.type }
    return { ...field, type: list, declaredType: field.type, element }
  })
}

/** The declared objects that a name is inside of, the innermost first. */
function objectsAbove(
  name: string,
  objectAt: (name: string) => number | undefined,
): readonly number[] {
  const found: number[] = []
  for (let above = parentName(name); above !== undefined; above = parentName(above)) {
    const object = objectAt(above)
    if (object !== undefined) found.push(object)
  }
  return found
}

function arrayOf(type: FieldType): FieldType {
  return isArrayType(type) ? type : (`${type}[]` as FieldType)
}

const nestedBySchema = new WeakMap<Schema, ReadonlySet<string>>()

/** The names of the fields that are inside objects. */
export function nestedNames(schema: Schema): ReadonlySet<string> {
  let names = nestedBySchema.get(schema)
  if (names === undefined) {
    const objects = new Set(
      schema.fields.filter(({ type }) => isObjectType(type)).map(({ name }) => name),
    )
    const isNested = ({ name }: Field) => objects.has(parentName(name) ?? '')
    names = new Set(schema.fields.filter(isNested).map(({ name }) => name))
    nestedBySchema.set(schema, names)
  }
  return names
}

/** The selection of document parts by path; undefined if plain names suffice. */
export function shownPaths(
  include: ReadonlySet<string> | undefined,
  exclude: ReadonlySet<string> | undefined,
  schema: Schema,
): PathSelection | undefined {
  const nested = nestedNames(schema)
  if (nested.size === 0) return undefined
  const isNested = (name: string): boolean => nested.has(name)
  const isNeeded = [...(include ?? []), ...(exclude ?? [])].some(isNested)
  if (!isNeeded) return undefined
  return {
    include: include === undefined ? undefined : pathTree(include, isNested),
    exclude: exclude === undefined ? undefined : pathTree(exclude, isNested),
  }
}

/** The keys that lead to the values of a field. */
export function keysOf({ name, pattern }: Field, schema: Schema): readonly string[] {
  if (!nestedNames(schema).has(name)) return [name]
  return (pattern === undefined ? name : attributeName(name)).split('.')
}

const KIND_ENDING = /#(?:text|number)$/

/**
 * The attribute whose values a field of an `auto` pattern has: `specs.size` for `specs.size#text`,
 * which has the values of another kind than the first one.
 */
export function attributeName(name: string): string {
  return name.replace(KIND_ENDING, '')
}

const PATTERN_ENDING = '.*'

/** Whether names mean a field: itself, or an object that contains it (`specs` or `specs.*`). */
export function isNamed(name: string, names: readonly string[], schema: Schema): boolean {
  if (names.includes(name) || names.includes(`${name}${PATTERN_ENDING}`)) return true
  if (!nestedNames(schema).has(name)) return false
  const attribute = attributeName(name)
  return isNamed(attribute === name ? parentName(name)! : attribute, names, schema)
}

/**
 * The name of the object that a pattern of this name applies to; undefined if it is not such a
 * name.
 */
export function patternObject(name: string): string | undefined {
  return name.length > PATTERN_ENDING.length && name.endsWith(PATTERN_ENDING)
    ? name.slice(0, -PATTERN_ENDING.length)
    : undefined
}

/** The object whose fields a name such as `specs.*` means; undefined if it means one field. */
export function wholeObject(schema: Schema, name: string): string | undefined {
  const object = patternObject(name)
  const isObject = ({ name, type }: Field): boolean => name === object && isObjectType(type)
  return object !== undefined && schema.fields.some(isObject) ? object : undefined
}

/** The members of documents that names mean: `specs.*` is all of the object `specs`. */
export function membersNamed(names: readonly string[], schema: Schema): ReadonlySet<string> {
  return new Set(names.map((name) => wholeObject(schema, name) ?? name))
}

/** The pattern that would add a field of this name. */
export function patternOf(schema: Schema, name: string): FieldPattern | undefined {
  if (schema.patterns === undefined) return undefined
  const parent = name.slice(0, Math.max(0, name.lastIndexOf('.')))
  const covers = ({ object, type }: FieldPattern): boolean =>
    parent === object || (type === undefined && parent.startsWith(`${object}.`))
  return schema.patterns
    .filter(covers)
    .reduce<FieldPattern | undefined>(
      (best, one) => (best === undefined || one.object.length > best.object.length ? one : best),
      undefined,
    )
}

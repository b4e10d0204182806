import { FIELD_NAME_MAX_CHARS, PATTERN_FIELDS_MAX, SCHEMA_FIELDS_MAX } from '@aisle/contract'
import type { ErrorCode } from '@aisle/contract'
import { elementType, isArrayType, isObjectType } from '@aisle/engine'
import type { Field, FieldPattern, FieldType, Schema } from '@aisle/engine'
import { scanElements, textOf, type JsonElement } from '../json/json-scan.ts'
import { isInRange, parseNumber } from '../values/number-literal.ts'
import { fieldOrdinal } from './field-lookup.ts'
import { patternOf, placeNestedFields } from './nested-fields.ts'

/**
 * Patterns: `specs.*` below an object `specs` adds a field for each member that documents bring.
 * One with a type is about the members of its object; one whose type is `auto` is about everything
 * below it, and adds objects too.
 */

/** The reason why no field can be added, as text after the name of the field. */
export interface PatternFault {
  readonly code: ErrorCode
  readonly message: string
}

/**
 * The type of a field whose first value this is.
 *
 * Numbers make `float`, whole ones too: the next one may have a fraction. Integers that a float
 * does not hold exactly make `int64`. Texts make `string`, also those that look like dates: the
 * next one may not.
 *
 * @param value not null
 * @returns undefined for an empty list, which has no type
 */
export function guessedType(
  bytes: Uint8Array,
  value: JsonElement,
): FieldType | PatternFault | undefined {
  if (value.kind !== 'array') return scalarType(bytes, value)
  const types = new Set<FieldType | undefined>()
  for (const element of scanElements(bytes, value.start, value.end)) {
    types.add(scalarType(bytes, element))
  }
  if (types.size === 0) return undefined
  const isMixed = types.size === 2 && types.has('float') && types.has('int64')
  const [type] = isMixed ? ['float' as const] : types
  if ((types.size > 1 && !isMixed) || type === undefined) {
    const message = 'cannot become a field: the elements of its list must all have the same type'
    return { code: 'invalid_type', message }
  }
  return `${type}[]` as FieldType
}

function scalarType(bytes: Uint8Array, { kind, start, end }: JsonElement): FieldType | undefined {
  switch (kind) {
    case 'string':
      return 'string'
    case 'true':
    case 'false':
      return 'bool'
    case 'object':
      return 'object'
    case 'number': {
      const exact = parseNumber(textOf(bytes, start, end), 'int64')
      const isLong = exact !== undefined && exact.integral && isInRange(exact, 'int64')
      return isLong && !Number.isSafeInteger(Number(exact.floor)) ? 'int64' : 'float'
    }
    default:
      return undefined
  }
}

/**
 * Returns the schema with one more field.
 *
 * @param key the last part of its name, as the document has it
 * @param type of the values as the document has them
 */
export function withPatternField(
  schema: Schema,
  pattern: FieldPattern,
  { name, key, type }: { readonly name: string; readonly key: string; readonly type: FieldType },
): Schema | PatternFault {
  const isNamed = key !== '' && key !== '*' && key !== '__proto__'
  if (!isNamed || /[.\p{Cc}]/u.test(key) || [...name].length > FIELD_NAME_MAX_CHARS) {
    const message = `is not in the schema, and pattern "${pattern.name}" cannot add it: a name must have no dots or control characters, and its path at most ${FIELD_NAME_MAX_CHARS} characters`
    return { code: 'unknown_field', message }
  }
  const added = schema.fields.filter((field) => field.pattern !== undefined).length
  const [limit, of] =
    added >= PATTERN_FIELDS_MAX
      ? [PATTERN_FIELDS_MAX, 'fields that patterns add']
      : [SCHEMA_FIELDS_MAX, 'fields']
  if (added >= PATTERN_FIELDS_MAX || schema.fields.length >= SCHEMA_FIELDS_MAX) {
    const message = `is not in the schema, and pattern "${pattern.name}" cannot add it: the schema already has ${limit} ${of}, the maximum`
    return { code: 'out_of_range', message }
  }
  const faults: string[] = []
  const fields = placeNestedFields(
    [...schema.fields, fieldOf(schema, pattern, name, type)],
    schema.fields.length,
    ({ message }) => faults.push(message),
  )
  const [fault] = faults
  if (fault !== undefined) return { code: 'unknown_field', message: `cannot be added: ${fault}` }
  return { ...schema, fields }
}

/** Has the roles of the pattern that its type can have. */
function fieldOf(schema: Schema, pattern: FieldPattern, name: string, type: FieldType): Field {
  const isObject = isObjectType(type)
  const isText = elementType(type) === 'string'
  // A pattern with a type was declared with its roles, so its type can have all of them.
  const searchable = pattern.searchable && (isText || pattern.type !== undefined)
  const { language, symbols, separators } = pattern
  const isSearchedText = searchable && isText
  return {
    name,
    type,
    searchable: !isObject && searchable,
    facet: !isObject && pattern.facet,
    sort: !isObject && pattern.sort && !isArrayType(type) && !isInElements(schema, name),
    ...(language === undefined || !isSearchedText ? {} : { language }),
    ...(symbols === undefined || !isSearchedText ? {} : { symbols }),
    ...(separators === undefined || !isSearchedText ? {} : { separators }),
    pattern: pattern.name,
  }
}

/** Whether a path leads into the elements of an `object[]` field. */
export function isInElements(schema: Schema, name: string): boolean {
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const ordinal = fieldOrdinal(schema, name.slice(0, dot))
    if (ordinal !== undefined && schema.fields[ordinal]!.type === 'object[]') return true
  }
  return false
}

/**
 * Returns the current schema with the fields that a document has added to an earlier one. Fields
 * that others have added meanwhile stay, and fields that are no longer possible are omitted; the
 * document is then checked against the result.
 */
export function grownSchema(current: Schema, wanted: Schema): Schema {
  let schema = current
  for (const field of wanted.fields) {
    if (field.pattern === undefined || fieldOrdinal(schema, field.name) !== undefined) continue
    const pattern = patternOf(schema, field.name)
    if (pattern?.name !== field.pattern) continue
    const key = field.name.slice(field.name.lastIndexOf('.') + 1)
    const type = field.declaredType ?? field.type
    const grown = withPatternField(schema, pattern, { name: field.name, key, type })
    if ('fields' in grown) schema = grown
  }
  return schema
}

import {
  ApiError,
  FIELD_NAME_MAX_CHARS,
  LANGUAGE_MAX_CHARS,
  SCHEMA_FIELDS_MAX,
} from '@aisle/contract'
import type { ErrorDetail } from '@aisle/contract'
import { FIELD_TYPES, isArrayType, isObjectType, OBJECT_TYPES } from '@aisle/engine'
import type { Field, FieldType, Schema } from '@aisle/engine'
import { declaredType, placeNestedFields } from './nested-fields.ts'
import { canonicalLanguage } from '../values/language-tag.ts'

export type SchemaMode = 'additive' | 'replace'

/** What a schema request changed, by field name. */
export interface SchemaChange {
  readonly fieldsAdded: readonly string[]
  readonly fieldsUnchanged: readonly string[]
  /** One line per conflicting redefinition. */
  readonly warnings: readonly string[]
}

const TYPES: readonly FieldType[] = [...FIELD_TYPES, ...OBJECT_TYPES]
const ROLES = ['searchable', 'facet', 'sort'] as const
const FIELD_KEYS: ReadonlySet<string> = new Set(['name', 'type', ...ROLES, 'language'])

/** `id` belongs to the document; `__proto__` would not survive in the objects of most clients. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['id', '__proto__'])

/** Maximum number of problems listed. */
const DETAILS_MAX = 100

/** @throws ApiError invalid_parameter */
export function checkSchemaMode(value: unknown): SchemaMode {
  if (value === undefined || value === null) return 'additive'
  if (value === 'additive' || value === 'replace') return value
  throw new ApiError('invalid_parameter', '"mode" must be "additive" or "replace"', {
    param: 'mode',
  })
}

/**
 * The fields of a schema request, checked on their own (`mergeSchema` compares them with the schema
 * in force). Absent roles become false.
 *
 * @param value `fields` of the request, parsed
 * @throws ApiError missing_parameter; invalid_schema with every problem in `details`
 */
export function checkSchemaFields(value: unknown): Field[] {
  if (value === undefined || value === null) {
    throw new ApiError('missing_parameter', '"fields" is required', { param: 'fields' })
  }
  const details: ErrorDetail[] = []
  const complain = (param: string, message: string): void => {
    if (details.length < DETAILS_MAX) details.push({ param, code: 'invalid_schema', message })
  }
  const fields: Field[] = []
  if (!Array.isArray(value)) {
    complain('fields', '"fields" must be a list of fields')
  } else if (value.length > SCHEMA_FIELDS_MAX) {
    complain('fields', `"fields" must be at most ${SCHEMA_FIELDS_MAX}, received ${value.length}`)
  } else {
    const names = new Set<string>()
    for (const [i, definition] of (value as unknown[]).entries()) {
      const field = checkField(definition, `fields[${i}]`, complain)
      if (field === undefined) continue
      if (names.has(field.name)) {
        complain(`fields[${i}].name`, `field ${quote(field.name)} is defined twice`)
      }
      names.add(field.name)
      fields.push(field)
    }
  }
  if (details.length > 0) throw invalidSchema(details)
  return fields
}

function checkField(
  definition: unknown,
  param: string,
  complain: (param: string, message: string) => void,
): Field | undefined {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    complain(param, 'a field must be an object with "name" and "type"')
    return undefined
  }
  const given = new Map<string, unknown>(Object.entries(definition))
  const name = given.get('name')
  const nameProblem = problemOfName(name)
  if (nameProblem !== undefined) complain(`${param}.name`, nameProblem)
  const label = typeof name === 'string' ? `field ${quote(name)}` : 'a field'

  const type = given.get('type')
  const isKnownType = TYPES.some((known) => known === type)
  if (!isKnownType) {
    const received = type === undefined ? 'nothing' : quote(type)
    complain(
      `${param}.type`,
      `${label}: "type" must be one of ${TYPES.join(', ')}, received ${received}`,
    )
  }
  const roles = { searchable: false, facet: false, sort: false }
  for (const role of ROLES) {
    const flag = given.get(role) ?? false
    if (typeof flag === 'boolean') roles[role] = flag
    else complain(`${param}.${role}`, `${label}: "${role}" must be true or false`)
  }
  const isOfPlaces = type === 'geopoint' || type === 'geopoint[]'
  const isList = isKnownType && type !== 'object[]' && isArrayType(type as FieldType)
  if (roles.sort && !isOfPlaces && isList) {
    complain(`${param}.sort`, `${label}: results cannot be sorted by an array`)
  }
  if (isKnownType && isObjectType(type as FieldType)) {
    const role = ROLES.find((role) => roles[role])
    if (role !== undefined) {
      complain(`${param}.${role}`, `${label}: an object has no "${role}", its fields have`)
    }
  }
  for (const role of ['searchable', 'facet'] as const) {
    if (!isOfPlaces || !roles[role]) continue
    complain(
      `${param}.${role}`,
      `${label}: a ${type} cannot be "${role}"; it can be filtered by area and sorted by distance without any role`,
    )
  }
  if (roles.searchable && (type === 'date' || type === 'date[]')) {
    complain(`${param}.searchable`, `${label}: a date has no words to search`)
  }
  const language = checkLanguage(given.get('language'), roles.searchable, type)
  if (language instanceof Error) complain(`${param}.language`, `${label}: ${language.message}`)
  for (const key of given.keys()) {
    if (!FIELD_KEYS.has(key)) complain(param, `${label}: ${quote(key)} is not known here`)
  }
  if (nameProblem !== undefined || !isKnownType) return undefined
  const field = { name: name as string, type: type as FieldType, ...roles }
  return typeof language === 'string' ? { ...field, language } : field
}

/** @returns its canonical spelling, undefined if there is none, or the problem */
function checkLanguage(
  value: unknown,
  searchable: boolean,
  type: unknown,
): string | Error | undefined {
  if (value === undefined || value === null) return undefined
  const isTag = typeof value === 'string' && value.length <= LANGUAGE_MAX_CHARS
  const language = isTag ? canonicalLanguage(value) : undefined
  if (language === undefined) {
    return new Error(`"language" must be a BCP 47 tag such as "de", received ${quote(value)}`)
  }
  const isText = type === 'string' || type === 'string[]'
  return isText && searchable ? language : new Error('only searchable text has a "language"')
}

function problemOfName(name: unknown): string | undefined {
  if (name === undefined) return 'a field must have a "name"'
  if (typeof name !== 'string') return 'the name of a field must be a string'
  const isShort =
    name.length <= 2 * FIELD_NAME_MAX_CHARS && [...name].length <= FIELD_NAME_MAX_CHARS
  if (name === '' || !isShort) {
    return `the name of a field must have 1 to ${FIELD_NAME_MAX_CHARS} characters`
  }
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) {
    return 'the name of a field must be text without control characters'
  }
  return RESERVED_NAMES.has(name) ? `the name "${name}" is reserved` : undefined
}

/**
 * Applies a schema request to the schema in force. `additive` appends new fields; an existing field
 * stays as it is, with a warning if its definition differs. `replace` starts over (the caller
 * deletes the documents).
 *
 * @param fields as `checkSchemaFields` returns them
 * @throws ApiError invalid_schema if the result has too many fields, or nested ones in no place
 */
export function mergeSchema(
  current: Schema | undefined,
  mode: SchemaMode,
  fields: readonly Field[],
): { readonly schema: Schema; readonly change: SchemaChange } {
  const merged = mode === 'replace' ? [] : [...(current?.fields ?? [])]
  const byName = new Map(merged.map((field) => [field.name, field]))
  const fieldsAdded: string[] = []
  const fieldsUnchanged: string[] = []
  const warnings: string[] = []
  for (const field of fields) {
    const existing = byName.get(field.name)
    if (existing === undefined) {
      merged.push(field)
      byName.set(field.name, field)
      fieldsAdded.push(field.name)
      continue
    }
    fieldsUnchanged.push(field.name)
    if (describe(existing) === describe(field)) continue
    warnings.push(
      `Field ${quote(field.name)} stays ${describe(existing)}: ` +
        `only mode "replace" can make it ${describe(field)}`,
    )
  }
  if (merged.length > SCHEMA_FIELDS_MAX) {
    const message = `a schema can have at most ${SCHEMA_FIELDS_MAX} fields, this would make ${merged.length}`
    throw invalidSchema([{ param: 'fields', code: 'invalid_schema', message }])
  }
  const details: ErrorDetail[] = []
  const from = merged.length - fieldsAdded.length
  const placed = placeNestedFields(merged, from, (detail) => {
    if (details.length < DETAILS_MAX) details.push(detail)
  })
  if (details.length > 0) throw invalidSchema(details)
  const isSame = mode === 'additive' && current !== undefined && fieldsAdded.length === 0
  return {
    schema: isSame ? current : { fields: placed },
    change: { fieldsAdded, fieldsUnchanged, warnings },
  }
}

/** `float (facet, sort)` */
function describe(field: Field): string {
  const roles: string[] = ROLES.filter((role) => field[role])
  if (field.language !== undefined) roles.push(`language ${field.language}`)
  const type = declaredType(field)
  return roles.length === 0 ? type : `${type} (${roles.join(', ')})`
}

function invalidSchema(details: readonly ErrorDetail[]): ApiError {
  const message = `Cannot define the schema: ${details.map((detail) => detail.message).join('; ')}`
  return new ApiError('invalid_schema', message, { param: details[0]?.param, details })
}

/** For a message: truncated. */
function quote(value: unknown): string {
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : typeof value
  const text = value.toWellFormed()
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 63).toWellFormed()}…` : text)
}

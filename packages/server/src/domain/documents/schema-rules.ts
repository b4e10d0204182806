import {
  ApiError,
  FIELD_NAME_MAX_CHARS,
  LANGUAGE_MAX_CHARS,
  SCHEMA_FIELDS_MAX,
  SYMBOLS_TO_INDEX_MAX,
  TOKEN_SEPARATORS_MAX,
  VECTOR_DIMENSIONS_MAX,
  VECTOR_DIMENSIONS_MIN,
} from '@aisle/contract'
import type { ErrorDetail } from '@aisle/contract'
import { characterList, FIELD_TYPES, isArrayType, isObjectType, OBJECT_TYPES } from '@aisle/engine'
import type { Field, FieldPattern, FieldType, Schema, VectorShape } from '@aisle/engine'
import { isInElements } from './field-patterns.ts'
import { declaredType, patternObject, patternOf, placeNestedFields } from './nested-fields.ts'
import { canonicalLanguage } from '../values/language-tag.ts'
import { inBoth, readSymbols, type SymbolList } from '../values/symbol-list.ts'

export type SchemaMode = 'additive' | 'replace' | 'change'

/** A field, or a pattern that adds fields, as a schema request defines it. */
export interface DeclaredField extends Omit<Field, 'type' | 'element' | 'declaredType'> {
  /** `auto` is for a pattern whose fields have the types of their first values. */
  readonly type: FieldType | 'auto'
}

/** The changes of a schema request, by field name. */
export interface SchemaChange {
  readonly fieldsAdded: readonly string[]
  readonly fieldsUnchanged: readonly string[]
  /** One line per conflicting redefinition. */
  readonly warnings: readonly string[]
}

const TYPES: readonly DeclaredField['type'][] = [...FIELD_TYPES, ...OBJECT_TYPES]
const ROLES = ['searchable', 'facet', 'sort'] as const
const FIELD_KEYS: ReadonlySet<string> = new Set([
  'name',
  'type',
  ...ROLES,
  'language',
  'pattern',
  'symbols_to_index',
  'token_separators',
  'takes_single',
  'dimensions',
  'metric',
])

/** `id` belongs to the document; `__proto__` would not survive in the objects of most clients. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['id', '__proto__'])

/** Maximum number of problems listed. */
const DETAILS_MAX = 100

/** @throws ApiError invalid_parameter */
export function checkSchemaMode(value: unknown): SchemaMode {
  if (value === undefined || value === null) return 'additive'
  if (value === 'additive' || value === 'replace' || value === 'change') return value
  throw new ApiError('invalid_parameter', '"mode" must be "additive", "change" or "replace"', {
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
export function checkSchemaFields(value: unknown): DeclaredField[] {
  if (value === undefined || value === null) {
    throw new ApiError('missing_parameter', '"fields" is required', { param: 'fields' })
  }
  const details: ErrorDetail[] = []
  const complain = (param: string, message: string): void => {
    if (details.length < DETAILS_MAX) details.push({ param, code: 'invalid_schema', message })
  }
  const fields: DeclaredField[] = []
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
        complain(`fields[${i}].name`, `field ${quoteValue(field.name)} is defined twice`)
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
): DeclaredField | undefined {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    complain(param, 'a field must be an object with "name" and "type"')
    return undefined
  }
  const given = new Map<string, unknown>(Object.entries(definition))
  const name = given.get('name')
  const nameProblem = problemOfName(name)
  if (nameProblem !== undefined) complain(`${param}.name`, nameProblem)
  const label = typeof name === 'string' ? `field ${quoteValue(name)}` : 'a field'

  const type = given.get('type')
  const isAuto = type === 'auto'
  const isPattern = typeof name === 'string' && patternObject(name) !== undefined
  const isKnownType = isAuto || TYPES.some((known) => known === type)
  if (isAuto && !isPattern) {
    complain(
      `${param}.type`,
      `${label}: only a pattern such as "specs.*" can have "type" auto; give the type of its values`,
    )
  } else if (!isKnownType) {
    const received = type === undefined ? 'nothing' : quoteValue(type)
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
  if (isPattern && isKnownType && isObjectType(type as FieldType)) {
    complain(
      `${param}.type`,
      `${label}: a pattern cannot be an object; one of type auto adds objects too`,
    )
  }
  if (roles.sort && !isOfPlaces && isList) {
    complain(`${param}.sort`, `${label}: results cannot be sorted by an array`)
  }
  if (isKnownType && isObjectType(type as FieldType)) {
    const role = ROLES.find((role) => roles[role])
    if (role !== undefined) {
      complain(`${param}.${role}`, `${label}: an object cannot be "${role}"; its fields can`)
    }
  }
  for (const role of ['searchable', 'facet'] as const) {
    if (!isOfPlaces || !roles[role]) continue
    complain(
      `${param}.${role}`,
      `${label}: a ${type} cannot be "${role}"; it can be filtered by area and sorted by distance without any role`,
    )
  }
  const roleOfVector = type === 'vector' ? ROLES.find((role) => roles[role]) : undefined
  if (roleOfVector !== undefined) {
    complain(
      `${param}.${roleOfVector}`,
      `${label}: a vector cannot be "${roleOfVector}"; the parameter "vector" of a search compares it without any role`,
    )
  }
  if (roles.searchable && (type === 'date' || type === 'date[]')) {
    complain(
      `${param}.searchable`,
      `${label}: a date cannot be "searchable"; it can be filtered and sorted by`,
    )
  }
  const language = checkLanguage(given.get('language'), roles.searchable, type)
  if (language instanceof Error) complain(`${param}.language`, `${label}: ${language.message}`)
  const symbols = checkSymbols(given, roles.searchable, type, (key, message) =>
    complain(`${param}.${key}`, `${label}: "${key}" ${message}`),
  )
  const vector = checkVector(given, type, (key, message) =>
    complain(`${param}.${key}`, `${label}: ${message}`),
  )
  if (isPattern && type === 'vector') {
    complain(`${param}.type`, `${label}: a pattern cannot add vectors; declare the field`)
  }
  const takesSingle = given.get('takes_single') ?? false
  if (typeof takesSingle !== 'boolean') {
    complain(`${param}.takes_single`, `${label}: "takes_single" must be true or false`)
  } else if (takesSingle && !(isList && !isOfPlaces)) {
    complain(`${param}.takes_single`, `${label}: "takes_single" is only for lists of values`)
  }
  for (const key of given.keys()) {
    if (!FIELD_KEYS.has(key)) complain(param, `${label}: unknown key ${quoteValue(key)}`)
  }
  const pattern = given.get('pattern') ?? undefined
  if (pattern !== undefined && typeof pattern !== 'string') {
    complain(`${param}.pattern`, `${label}: "pattern" must be the name of a pattern`)
  }
  if (nameProblem !== undefined || !isKnownType) return undefined
  return {
    name: name as string,
    type: type as DeclaredField['type'],
    ...roles,
    ...(typeof language === 'string' ? { language } : {}),
    ...symbols,
    ...(vector === undefined ? {} : { vector }),
    ...(takesSingle === true ? { takesSingle } : {}),
    ...(typeof pattern === 'string' ? { pattern } : {}),
  }
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
    return new Error(`"language" must be a BCP 47 tag such as "de", received ${quoteValue(value)}`)
  }
  const isText = type === 'string' || type === 'string[]' || type === 'auto'
  return isText && searchable ? language : new Error('only searchable text has a "language"')
}

/** Returns what a `vector` field says about its vectors. */
function checkVector(
  given: ReadonlyMap<string, unknown>,
  type: unknown,
  complain: (key: string, message: string) => void,
): VectorShape | undefined {
  const dimensions = given.get('dimensions') ?? undefined
  const metric = given.get('metric') ?? undefined
  if (type !== 'vector') {
    if (dimensions !== undefined) complain('dimensions', 'only a vector has "dimensions"')
    if (metric !== undefined) complain('metric', 'only a vector has a "metric"')
    return undefined
  }
  const isCount =
    Number.isSafeInteger(dimensions) &&
    (dimensions as number) >= VECTOR_DIMENSIONS_MIN &&
    (dimensions as number) <= VECTOR_DIMENSIONS_MAX
  if (!isCount) {
    complain(
      'dimensions',
      `a vector needs "dimensions", its number of components: ${VECTOR_DIMENSIONS_MIN} to ${VECTOR_DIMENSIONS_MAX}`,
    )
  }
  const isMetric = metric === undefined || metric === 'cosine' || metric === 'dot'
  if (!isMetric) complain('metric', '"metric" must be "cosine" or "dot"')
  if (!isCount || !isMetric) return undefined
  return { dimensions: dimensions as number, metric: metric ?? 'cosine' }
}

/**
 * Returns the characters of a field that are part of words, and those that separate words, if it
 * sets any.
 */
function checkSymbols(
  given: ReadonlyMap<string, unknown>,
  searchable: boolean,
  type: unknown,
  complain: (key: string, message: string) => void,
): { symbols?: string; separators?: string } {
  const isText = (type === 'string' || type === 'string[]' || type === 'auto') && searchable
  const read = (key: SymbolList, max: number): string | undefined => {
    const list = given.get(key)
    if (list === undefined || list === null) return undefined
    if (!isText) complain(key, 'is for searchable text only')
    if (!Array.isArray(list) || list.length > max) {
      complain(key, `must be a list of at most ${max} characters`)
      return undefined
    }
    const symbols = readSymbols(list)
    if (typeof symbols === 'string') return symbols
    complain(`${key}[${symbols.at}]`, symbols.message)
    return undefined
  }
  const symbols = read('symbols_to_index', SYMBOLS_TO_INDEX_MAX)
  const separators = read('token_separators', TOKEN_SEPARATORS_MAX)
  const at = inBoth(symbols ?? '', [...(separators ?? '')])
  if (at >= 0) complain('token_separators', 'has a character that is also in symbols_to_index')
  return {
    ...(symbols === undefined ? {} : { symbols }),
    ...(separators === undefined ? {} : { separators }),
  }
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
    return 'the name of a field must be well-formed and have no control characters'
  }
  return RESERVED_NAMES.has(name) ? `the name "${name}" is reserved` : undefined
}

/**
 * Applies a schema request to the current schema. `additive` appends new fields; an existing field
 * does not change, with a warning if its definition differs. `replace` starts over (the caller
 * deletes the documents). A field that a pattern added and that is now declared is a declared one.
 *
 * @param fields as `checkSchemaFields` returns them
 * @throws ApiError invalid_schema if the result has too many fields, or nested ones in no place
 */
export function mergeSchema(
  current: Schema | undefined,
  mode: 'additive' | 'replace',
  fields: readonly DeclaredField[],
): { readonly schema: Schema; readonly change: SchemaChange } {
  const before: Schema = mode === 'replace' || current === undefined ? { fields: [] } : current
  const isObject = objectNames(before.fields, fields)
  const merged: (Field | FieldPattern)[] = [...before.fields, ...(before.patterns ?? [])]
  const places = new Map(merged.map(({ name }, place) => [name, place]))
  const fieldsAdded: string[] = []
  const fieldsUnchanged: string[] = []
  const warnings: string[] = []
  let isChanged = mode === 'replace' || current === undefined
  for (const request of fields) {
    const object = patternObject(request.name)
    const field =
      object !== undefined && isObject.has(object) ? patternFor(request, object) : request
    const place = places.get(field.name)
    if (place === undefined) {
      if (field.type === 'auto') throw invalidSchema([noObject(field.name, object!)])
      places.set(field.name, merged.push(field as Field | FieldPattern) - 1)
      fieldsAdded.push(field.name)
      isChanged = true
      continue
    }
    fieldsUnchanged.push(field.name)
    const existing = merged[place]!
    if (describeField(existing) !== describeField(field as Field | FieldPattern)) {
      warnings.push(
        `Field ${quoteValue(field.name)} stays ${describeField(existing)}: ` +
          `mode "change" can make it ${describeField(field as Field | FieldPattern)}`,
      )
    } else if ('pattern' in existing && request.pattern === undefined) {
      const { pattern: _, ...declared } = existing
      merged[place] = declared
      isChanged = true
    }
  }
  if (merged.length > SCHEMA_FIELDS_MAX) {
    const message = `a schema can have at most ${SCHEMA_FIELDS_MAX} fields, this would make ${merged.length}`
    throw invalidSchema([{ param: 'fields', code: 'invalid_schema', message }])
  }
  const change = { fieldsAdded, fieldsUnchanged, warnings }
  if (!isChanged) return { schema: before, change }
  return { schema: withSpacesOf(before, placed(merged, before.fields.length)), change }
}

/** A changed schema keeps the vectors of its documents. */
export function withSpacesOf({ spaces }: Schema, schema: Schema): Schema {
  return spaces === undefined ? schema : { ...schema, spaces }
}

/** @throws ApiError invalid_schema */
export function placed(merged: readonly (Field | FieldPattern)[], from: number): Schema {
  const details: ErrorDetail[] = []
  const complain = (message: string): void => {
    if (details.length < DETAILS_MAX) {
      details.push({ param: 'fields', code: 'invalid_schema', message })
    }
  }
  const patterns = merged.filter((one) => 'object' in one)
  const fields = placeNestedFields(
    merged.filter((one): one is Field => !('object' in one)),
    from,
    ({ message }) => complain(message),
  )
  const schema = patterns.length === 0 ? { fields } : { fields, patterns }
  for (const { name, object, sort } of patterns) {
    if (sort && isInElements(schema, `${object}.`)) {
      complain(`pattern "${name}": results cannot be sorted by a field of the elements of a list`)
    }
  }
  for (const { name, pattern } of fields.slice(from)) {
    if (pattern === undefined || patternOf(schema, name)?.name === pattern) continue
    complain(`field "${name}": the schema has no pattern ${quoteValue(pattern)} that adds it`)
  }
  if (details.length > 0) throw invalidSchema(details)
  return schema
}

/** Returns the names of all objects, including those about to be declared. */
function objectNames(...lists: readonly (readonly DeclaredField[] | readonly Field[])[]) {
  const names = lists
    .flat()
    .flatMap(({ name, type }) => (type === 'object' || type === 'object[]' ? [name] : []))
  return new Set(names)
}

export function patternFor(
  { name, type, searchable, facet, sort, language, symbols, separators }: DeclaredField,
  object: string,
): FieldPattern {
  return {
    name,
    object,
    ...(type === 'auto' ? {} : { type }),
    searchable,
    facet,
    sort,
    ...(language === undefined ? {} : { language }),
    ...(symbols === undefined ? {} : { symbols }),
    ...(separators === undefined ? {} : { separators }),
  }
}

function noObject(name: string, object: string): ErrorDetail {
  const message = `field "${name}": "${object}" must be declared as object or object[]`
  return { param: 'fields', code: 'invalid_schema', message }
}

/** `float (facet, sort)` */
export function describeField(field: Field | FieldPattern): string {
  const roles: string[] = ROLES.filter((role) => field[role])
  const { language, symbols, separators } = field
  if (language !== undefined) roles.push(`language ${language}`)
  if (symbols !== undefined) roles.push(`symbols_to_index "${characterList(symbols)}"`)
  if (separators !== undefined) roles.push(`token_separators "${characterList(separators)}"`)
  if ('vector' in field && field.vector !== undefined) {
    roles.push(`${field.vector.dimensions} dimensions`, field.vector.metric)
  }
  if ('takesSingle' in field && field.takesSingle) roles.push('takes_single')
  const type = 'object' in field ? (field.type ?? 'auto') : declaredType(field)
  return roles.length === 0 ? type : `${type} (${roles.join(', ')})`
}

export function invalidSchema(details: readonly ErrorDetail[]): ApiError {
  const message = `Cannot define the schema: ${details.map((detail) => detail.message).join('; ')}`
  return new ApiError('invalid_schema', message, { param: details[0]?.param, details })
}

/** Truncates a value for a message. */
export function quoteValue(value: unknown): string {
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : typeof value
  const text = value.toWellFormed()
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 63).toWellFormed()}…` : text)
}

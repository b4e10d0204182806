import type { TObject, TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { ApiError, type ErrorDetail } from './errors.ts'
import { UNKNOWN_PARAMETERS_MAX } from './limits.ts'
import { nearestName } from './nearest-name.ts'

const RECEIVED_MAX_CHARS = 60
const DETAILS_MAX = 20
const NAME_SHOWN_MAX_CHARS = 200
const UNKNOWN_SHOWN_MAX = 5

/**
 * Compiles an object schema into a reader of parameters. The reader returns its input, or reports
 * every wrong parameter, in the order of the schema, with what was expected. It coerces nothing and
 * fills in no defaults; it drops optional parameters that are `null`.
 *
 * @throws ApiError missing_parameter, invalid_parameter (the reader)
 */
export function parameterReader<T extends object>(schema: TObject): (value: unknown) => T {
  const read = literalReader<T>(schema)
  const compiled = Compile(schema)
  return (sent) => {
    refuseOversized(schema, sent)
    return compiled.Check(sent) ? (sent as T) : read(withoutNulls(schema, sent))
  }
}

/**
 * Like `parameterReader`, but `null` is a value like any other: for members that restrict
 * something, where a dropped one would allow too much.
 *
 * @throws ApiError missing_parameter, invalid_parameter (the reader)
 */
export function literalReader<T extends object>(schema: TObject): (value: unknown) => T {
  const compiled = Compile(schema)
  return (value) => {
    refuseOversized(schema, value)
    if (compiled.Check(value)) return value as T
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ApiError(
        'invalid_parameter',
        `The parameters must be a JSON object, received ${received(value)}`,
      )
    }
    const details = findFaults(schema, value as Record<string, unknown>, compiled.Errors(value)[1])
    const first = details[0] ?? { code: 'invalid_parameter', message: 'Invalid parameters' }
    throw new ApiError(first.code, first.message, { param: first.param, details })
  }
}

/**
 * Refuses lists, objects and strings that are longer than allowed, and many unknown parameters,
 * before anything in them is checked: so a refusal costs little, whatever was sent.
 *
 * @throws ApiError invalid_parameter
 */
function refuseOversized(schema: TSchema, value: unknown, path: readonly string[] = []): void {
  if (typeof value === 'string') {
    const { maxLength = Infinity } = schema as { maxLength?: number }
    // A character takes two units at most, and the exact check counts characters.
    if (value.length > 2 * maxLength) refuse(path, oversized(schema, path, value))
  }
  if (typeof value !== 'object' || value === null) return
  const { anyOf, items, maxItems, maxProperties, properties, additionalProperties } =
    schema as SizedSchema
  if (anyOf !== undefined) {
    const branches = anyOf.filter((one) => suits(one, value))
    const [only] = branches
    if (branches.length === 1 && only !== undefined) refuseOversized(only, value, path)
    return
  }
  if (Array.isArray(value)) {
    if (maxItems !== undefined && value.length > maxItems) {
      refuse(path, oversized(schema, path, value))
    }
    if (items === undefined) return
    for (const [i, one] of value.entries()) {
      if (typeof one === 'object' || typeof one === 'string') {
        refuseOversized(items, one, [...path, String(i)])
      }
    }
    return
  }
  const names = Object.keys(value)
  if (maxProperties !== undefined && names.length > maxProperties) {
    refuse(path, oversized(schema, path, value))
  }
  if (properties === undefined) return
  const isOpen = additionalProperties !== false
  if (isOpen && path.length > 0) return
  const unknownMax = isOpen ? UNKNOWN_PARAMETERS_MAX : DETAILS_MAX
  if (names.length > unknownMax) {
    const unknown = names.filter((name) => !Object.hasOwn(properties, name))
    if (unknown.length > unknownMax) refuse([...path, unknown[0]!], tooManyUnknown(unknown))
  }
  for (const name of names) {
    const member = (value as Record<string, unknown>)[name]
    if (typeof member !== 'object' && typeof member !== 'string') continue
    if (Object.hasOwn(properties, name)) refuseOversized(properties[name]!, member, [...path, name])
  }
}

interface SizedSchema {
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly properties?: Record<string, TSchema>
  readonly additionalProperties?: unknown
}

/** Whether an alternative is a list, if the value is one, or an object. */
function suits(schema: TSchema, value: object): boolean {
  const { type } = schema as { type?: string }
  return type === (Array.isArray(value) ? 'array' : 'object')
}

function oversized(schema: TSchema, path: readonly string[], value: unknown): string {
  return path.length === 0
    ? `The parameters must be ${expectation(schema, false)}`
    : `Parameter \`${paramName(path)}\` must be ${expectation(schema, false)}${hint(schema, value)}`
}

function tooManyUnknown(names: readonly string[]): string {
  const shown = names.slice(0, UNKNOWN_SHOWN_MAX).map((name) => `\`${shortName(name)}\``)
  return `${names.length} unknown parameters: ${shown.join(', ')}, …`
}

function refuse(path: readonly string[], message: string): never {
  const param = shortName(paramName(path))
  const details = [{ param, code: 'invalid_parameter', message } as const]
  throw new ApiError('invalid_parameter', message, { param, details })
}

function shortName(name: string): string {
  return name.slice(0, NAME_SHOWN_MAX_CHARS).toWellFormed()
}

/**
 * Drops members that are `null` where the schema has an optional member that cannot be null. Copies
 * only what changes. Keeps nulls inside alternatives (`anyOf`) and untyped values.
 */
function withoutNulls(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { properties, required, items } = schema as Partial<TObject> & { items?: TSchema }
  if (Array.isArray(value)) {
    if (items === undefined) return value
    const kept = value.map((one) => withoutNulls(items, one))
    return kept.every((one, i) => one === value[i]) ? value : kept
  }
  if (properties === undefined) return value
  const isAbsent = (name: string, member: unknown): boolean =>
    member === null && required?.includes(name) !== true && !takesNull(properties[name]!)
  const changed = new Map<string, unknown>()
  for (const name of Object.keys(properties)) {
    if (!Object.hasOwn(value, name)) continue
    const member = (value as Record<string, unknown>)[name]
    const kept = isAbsent(name, member) ? ABSENT : withoutNulls(properties[name]!, member)
    if (kept !== member) changed.set(name, kept)
  }
  if (changed.size === 0) return value
  const entries = Object.entries(value).flatMap(([name, member]) => {
    const kept = changed.has(name) ? changed.get(name) : member
    return kept === ABSENT ? [] : [[name, kept] as const]
  })
  // fromEntries defines properties, so a parameter named __proto__ is an ordinary name.
  return Object.fromEntries(entries)
}

/** Instead of a member that counts as absent. */
const ABSENT = Symbol('absent')

/** An alternative that is null, or an unspecified one. */
function takesNull(schema: TSchema): boolean {
  const {
    type,
    anyOf,
    enum: values,
    const: only,
  } = schema as {
    type?: string
    anyOf?: readonly TSchema[]
    enum?: readonly unknown[]
    const?: unknown
  }
  if (anyOf !== undefined) return anyOf.some(takesNull)
  if (values !== undefined) return values.includes(null)
  return type === 'null' || (type === undefined && only === undefined)
}

/** Names of the parameters that the schema does not know, in request order. */
export function unknownParameters(schema: TObject, value: object): string[] {
  return Object.keys(value).filter((name) => !Object.hasOwn(schema.properties, name))
}

interface SchemaFault {
  readonly keyword: string
  readonly instancePath: string
  readonly params: object
}

function findFaults(
  schema: TObject,
  value: Record<string, unknown>,
  faults: readonly SchemaFault[],
): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>()
  for (const fault of faults) {
    if (details.size >= DETAILS_MAX) break
    const path = fault.instancePath.split('/').slice(1).map(unescapePointer)
    if (fault.keyword === 'required') {
      const { requiredProperties = [] } = fault.params as { requiredProperties?: string[] }
      for (const name of requiredProperties) {
        const param = paramName([...path, name])
        const message = `Parameter \`${param}\` is required`
        if (!details.has(param)) details.set(param, { param, code: 'missing_parameter', message })
      }
      continue
    }
    // AJV reports an additional property twice: for its object and for itself, with the name.
    if (path.length === 0 || fault.keyword === 'additionalProperties') continue
    const param = paramName(path)
    const place = schemaAt(schema, path)
    // An alternative counts as one parameter, whatever is wrong inside its branches.
    const key = place === undefined ? param : paramName(path.slice(0, place.depth))
    if (details.has(key)) continue
    const message =
      place === undefined
        ? `Unknown parameter \`${param.slice(0, NAME_SHOWN_MAX_CHARS).toWellFormed()}\`${meant(schema, path)}`
        : `Parameter \`${param}\` must be ${expectation(place.schema, path.length > place.depth)}${hint(place.schema, valueAt(value, path))}`
    details.set(key, { param, code: 'invalid_parameter', message })
  }
  return [...details.values()]
}

/**
 * The part of a schema that the value at a path has to meet, down to the first choice between
 * alternatives; undefined when the schema has no such path.
 */
function schemaAt(
  schema: TSchema,
  path: readonly string[],
): { readonly schema: TSchema; readonly depth: number } | undefined {
  let at = schema
  for (const [depth, key] of path.entries()) {
    const { properties, patternProperties, items, anyOf } = at as {
      properties?: Record<string, TSchema>
      patternProperties?: Record<string, TSchema>
      items?: TSchema
      anyOf?: readonly TSchema[]
    }
    if (anyOf !== undefined) return { schema: at, depth }
    const next =
      properties !== undefined && Object.hasOwn(properties, key)
        ? properties[key]
        : (items ?? Object.values(patternProperties ?? {})[0])
    if (next === undefined) return undefined
    at = next
  }
  return { schema: at, depth: path.length }
}

/** Suggests the known name that is nearest to an unknown one. */
function meant(schema: TSchema, path: readonly string[]): string {
  const holder = schemaAt(schema, path.slice(0, -1))?.schema as { properties?: object } | undefined
  const near = nearestName(path.at(-1) ?? '', Object.keys(holder?.properties ?? {}))
  return near === undefined ? '' : `, did you mean \`${near}\`?`
}

/** Describes in words what a schema expects. */
function expectation(schema: TSchema, nested: boolean): string {
  const s = schema as {
    type?: string
    enum?: readonly unknown[]
    const?: unknown
    anyOf?: readonly TSchema[]
    items?: TSchema
    patternProperties?: Record<string, TSchema>
    minimum?: number
    exclusiveMinimum?: number
    maximum?: number
    minLength?: number
    maxLength?: number
    minItems?: number
    maxItems?: number
    maxProperties?: number
    pattern?: string
    format?: string
  }
  if (s.anyOf !== undefined) return s.anyOf.map((one) => expectation(one, nested)).join(' or ')
  if (s.enum !== undefined) return `one of ${s.enum.map((one) => `\`${String(one)}\``).join(', ')}`
  if (s.const !== undefined) return JSON.stringify(s.const)
  if (s.type === 'integer' || s.type === 'number') {
    const noun = s.type === 'integer' ? 'an integer' : 'a number'
    if (s.exclusiveMinimum !== undefined) {
      const most = s.maximum === undefined ? '' : ` and at most ${s.maximum}`
      return `${noun} above ${s.exclusiveMinimum}${most}`
    }
    if (s.minimum === undefined) return noun
    return s.maximum === undefined
      ? `${noun} of at least ${s.minimum}`
      : `${noun} from ${s.minimum} to ${s.maximum}`
  }
  if (s.type === 'boolean') return 'true or false'
  if (s.type === 'null') return 'null'
  if (s.type === 'array') {
    if (nested && s.items !== undefined) return expectation(s.items, false)
    if (s.maxItems === undefined) return 'a list'
    const least = s.minItems === undefined ? 'at most' : `${s.minItems} to`
    return `a list of ${least} ${s.maxItems} entries`
  }
  if (s.type === 'object') {
    const values = Object.values(s.patternProperties ?? {})[0]
    if (nested && values !== undefined) return expectation(values, false)
    return `an object${s.maxProperties === undefined ? '' : ` of at most ${s.maxProperties} keys`}`
  }
  if (s.pattern !== undefined) return `a string that matches ${s.pattern}`
  if (s.format === 'date-time') {
    return 'an ISO 8601 time with an offset, such as `2026-01-31T00:00:00Z`'
  }
  if (s.maxLength !== undefined) {
    const least = s.minLength === undefined ? 'at most' : `${s.minLength} to`
    return `a string of ${least} ${s.maxLength} characters`
  }
  return 'a string'
}

function paramName(path: readonly string[]): string {
  return path.reduce(
    (name, key) => (/^\d+$/.test(key) ? `${name}[${key}]` : name === '' ? key : `${name}.${key}`),
    '',
  )
}

function unescapePointer(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}

/** Describes what was received instead, without secrets. */
function hint(schema: TSchema, value: unknown): string {
  return (schema as { writeOnly?: boolean }).writeOnly === true
    ? ''
    : `, received ${received(value)}`
}

/** A received value as one short line. */
function received(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'bigint') return value.toString().slice(0, RECEIVED_MAX_CHARS)
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value)
  return text.length <= RECEIVED_MAX_CHARS
    ? text
    : `${text.slice(0, RECEIVED_MAX_CHARS).toWellFormed()}…`
}

import { elementType, isArrayType, packPlace } from '@aisle/engine'
import type { FieldType, FieldValue, Scalar, VectorShape } from '@aisle/engine'
import type { Fault } from './field-fault.ts'
import { isOnEarth, PLACE_FORMS, readPlace } from './place-value.ts'
import { readVector } from './vector-value.ts'
import { decodeString, scanElements, textOf, type JsonElement } from '../json/json-scan.ts'
import { DATE_MAX_MS, DATE_MIN_MS, parseDateMs } from '../values/date-literal.ts'
import { isInRange, parseNumber } from '../values/number-literal.ts'
import { plainNumber } from '../values/plain-number.ts'

const EXCERPT_CHARS_MAX = 40

export function isEmptyList(json: Uint8Array, { kind, start, end }: JsonElement): boolean {
  return kind === 'array' && scanElements(json, start, end).length === 0
}

export function isFault(value: FieldValue | Fault): value is Fault {
  return typeof value === 'object' && 'code' in value
}

/** The other forms of values that a field takes. */
export interface TakenForms {
  /** Texts may be written as numbers and booleans. */
  readonly takesAny?: boolean
  /** A list may be written as its only value. */
  readonly takesSingle?: boolean | undefined
  /** Of a `vector` field, which has one. */
  readonly vector?: VectorShape | undefined
}

/**
 * Reads the value of a field of this type, or returns its fault.
 */
export function readField(
  bytes: Uint8Array,
  member: JsonElement,
  type: FieldType,
  { takesAny = false, takesSingle, vector }: TakenForms = {},
): FieldValue | Fault {
  if (vector !== undefined) return readVector(bytes, member, vector)
  if (!isArrayType(type)) return readScalar(bytes, member, type, takesAny)
  if (member.kind !== 'array') {
    if (takesSingle !== true) return typeFault(bytes, member, type)
    const value = readScalar(bytes, member, type, takesAny)
    return typeof value === 'object' ? value : [value]
  }
  const values: Scalar[] = []
  for (const element of scanElements(bytes, member.start, member.end)) {
    const value = readScalar(bytes, element, type, takesAny)
    if (typeof value !== 'object') values.push(value)
    else return { ...value, message: `${value.message} as element ${values.length}` }
  }
  return values
}

/** One value of a field, or one element of its array. */
function readScalar(
  bytes: Uint8Array,
  value: JsonElement,
  declared: FieldType,
  takesAny: boolean,
): Scalar | Fault {
  const { kind, start, end } = value
  const type = elementType(declared)
  if (type === 'string') {
    if (takesAny && (kind === 'number' || kind === 'true' || kind === 'false')) {
      return textOf(bytes, start, end)
    }
    return kind === 'string' ? decodeString(bytes, start, end) : typeFault(bytes, value, declared)
  }
  if (type === 'bool') {
    return kind === 'true' || kind === 'false' ? kind === 'true' : typeFault(bytes, value, declared)
  }
  if (type === 'date') return readDate(bytes, value, declared)
  if (type === 'geopoint') {
    const place = readPlace(bytes, value)
    if (place === undefined) return typeFault(bytes, value, declared)
    return isOnEarth(place) ? packPlace(place) : rangeFault(bytes, value, declared)
  }
  if (kind !== 'number' || type === 'vector') return typeFault(bytes, value, declared)
  const plain = plainNumber(bytes, start, end, type)
  if (plain !== undefined) return plain
  const number = parseNumber(textOf(bytes, start, end), type)
  if (number !== undefined && !isInRange(number, type)) {
    return rangeFault(bytes, value, declared)
  }
  if (number === undefined || !number.integral) return typeFault(bytes, value, declared)
  return number.floor
}

/** Maximum length of the JSON of a date; a longer text is not a date. */
const DATE_BYTES_MAX = 64

/** Seconds since 1970, to the millisecond. */
function readDate(bytes: Uint8Array, value: JsonElement, type: FieldType): number | Fault {
  const { kind, start, end } = value
  const isNumber = kind === 'number'
  if ((!isNumber && kind !== 'string') || end - start > DATE_BYTES_MAX) {
    return dateFault(bytes, value, type)
  }
  const text = isNumber ? textOf(bytes, start, end) : decodeString(bytes, start, end)
  const ms = parseDateMs(text, isNumber)
  if (ms === undefined) return dateFault(bytes, value, type)
  if (ms >= DATE_MIN_MS && ms <= DATE_MAX_MS) return ms / 1000
  return {
    code: 'out_of_range',
    message: `is not within the years 0 to 9999 (numbers are seconds since 1970, not milliseconds), ${received(bytes, value)}`,
  }
}

function dateFault(bytes: Uint8Array, value: JsonElement, type: FieldType): Fault {
  const expected = 'an ISO 8601 date such as "2026-01-31T12:30:00Z" or seconds since 1970'
  const message = `must be ${type}: ${expected}, ${received(bytes, value)}`
  return { code: 'invalid_type', message }
}

export function typeFault(bytes: Uint8Array, value: JsonElement, type: FieldType): Fault {
  const form = elementType(type) === 'geopoint' ? ` (a place is ${PLACE_FORMS})` : ''
  return { code: 'invalid_type', message: `must be ${type}${form}, ${received(bytes, value)}` }
}

function rangeFault(bytes: Uint8Array, value: JsonElement, type: FieldType): Fault {
  const isPlace = elementType(type) === 'geopoint'
  const range = isPlace ? ' (latitude -90 to 90, longitude -180 to 180)' : ''
  return {
    code: 'out_of_range',
    message: `is out of the range of ${type}${range}, ${received(bytes, value)}`,
  }
}

/** `received "12,90"`: the JSON text of a value, truncated. */
export function received(bytes: Uint8Array, value: JsonElement): string {
  const text = textOf(bytes, value.start, Math.min(value.end, value.start + 4 * EXCERPT_CHARS_MAX))
  const points = Array.from(text)
  const isWhole =
    points.length <= EXCERPT_CHARS_MAX && value.end - value.start <= 4 * EXCERPT_CHARS_MAX
  return `received ${isWhole ? text : `${points.slice(0, EXCERPT_CHARS_MAX).join('')}…`}`
}

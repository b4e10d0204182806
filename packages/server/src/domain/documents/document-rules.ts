import { ApiError, DOCUMENT_ID_MAX_BYTES, DOCUMENT_MAX_BYTES, nearestName } from '@aisle/contract'
import type { ErrorCode, ErrorDetail } from '@aisle/contract'
import { elementType, isArrayType } from '@aisle/engine'
import type { Field, FieldValue, Scalar, Schema } from '@aisle/engine'
import { fieldOrdinal } from './field-lookup.ts'
import { decodeString, readMembers, scanElements, textOf } from '../json/json-scan.ts'
import type { JsonElement, JsonMember } from '../json/json-scan.ts'
import { JsonScanner } from '../json/json-scanner.ts'
import { mayHaveId } from '../json/json-splice.ts'
import { isInRange, parseNumber } from '../values/number-literal.ts'
import { plainNumber } from '../values/plain-number.ts'

export interface CheckedDocument {
  /** By field ordinal; `undefined` where the document lacks the field. int64 as exact bigint. */
  readonly values: readonly (FieldValue | undefined)[]
}

/** Maximum number of bad fields named; only the first few unknown ones get a suggestion. */
const DETAILS_MAX = 100
const SUGGESTIONS_MAX = 5
const EXCERPT_CHARS_MAX = 40
const NAME_SHOWN_CHARS_MAX = 128

/**
 * Checks the data of a document against the schema and reads its values. Nothing is coerced, except
 * an integer into a float field. A number with an integral value (`1.0`, `1e3`) is an integer,
 * `null` counts as absent, and a member `id` is allowed if it equals the document's id.
 *
 * @param json the data object
 * @param id of the document; `undefined` if it is yet to be generated
 * @throws ApiError with every bad field in `details`; its code is that of the first one
 */
export function checkDocument(
  json: Uint8Array,
  id: string | undefined,
  schema: Schema,
): CheckedDocument {
  const label = id === undefined ? 'document' : `document ${JSON.stringify(id)}`
  if (json.length > DOCUMENT_MAX_BYTES) {
    throw new ApiError(
      'payload_too_large',
      `Cannot index ${label}: it has ${json.length} bytes, at most ${DOCUMENT_MAX_BYTES} are allowed`,
      { param: 'data' },
    )
  }
  const scanner = new JsonScanner(json)
  const members = readMembers(scanner)
  if (scanner.tooDeep) scanner.throwNoted()
  const hasBadUnicode = scanner.badUnicodeAt >= 0

  const values = new Array<FieldValue | undefined>(schema.fields.length).fill(undefined)
  const problems: Problem[] = []
  let unknownCount = 0
  for (const member of members) {
    let problem: Problem | undefined
    if (hasBadUnicode && isBadUnicode(json, member)) {
      problem = { member, code: 'invalid_unicode', message: 'is not well-formed Unicode' }
    } else if (member.key === 'id') {
      problem = problemOfDataId(json, member, id)
    } else {
      const ordinal = fieldOrdinal(schema, member.key)
      if (ordinal === undefined) {
        const names = ++unknownCount <= SUGGESTIONS_MAX ? schema.fields.map((f) => f.name) : []
        problem = { member, code: 'unknown_field', message: unknownMessage(member.key, names) }
      } else if (member.kind !== 'null') {
        const value = readField(json, member, schema.fields[ordinal]!)
        if (isFault(value)) problem = { member, ...value }
        else values[ordinal] = value
      }
    }
    if (problem !== undefined && problems.length < DETAILS_MAX) problems.push(problem)
  }
  if (problems.length > 0) throw refusal(label, problems)
  // Only an ignored repeated key can contain it at this point.
  if (hasBadUnicode) scanner.throwNoted()
  return { values }
}

/**
 * A document id from JSON: 1..512 bytes of UTF-8 without control characters. An integer becomes its
 * decimal text.
 *
 * @throws ApiError invalid_type, invalid_parameter, invalid_unicode
 */
export function checkDocumentId(value: unknown, param = 'id'): string {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) {
    return checkIdText(BigInt(value as number).toString(), param)
  }
  if (typeof value !== 'string') {
    throw new ApiError('invalid_type', `"${param}" must be a string or an integer`, { param })
  }
  return checkIdText(value, param)
}

/** `checkDocumentId` of a value in a JSON text, integers of any size exact. */
export function readDocumentId(bytes: Uint8Array, value: JsonElement, param = 'id'): string {
  if (value.kind === 'string') {
    if (isBadUnicode(bytes, value)) {
      throw new ApiError('invalid_unicode', `"${param}" is not well-formed Unicode`, { param })
    }
    return checkIdText(decodeString(bytes, value.start, value.end), param)
  }
  if (value.kind !== 'number') return checkDocumentId(undefined, param)
  const text = textOf(bytes, value.start, Math.min(value.end, value.start + 600))
  if (/^-?\d+$/.test(text)) return checkIdText(text === '-0' ? '0' : text, param)
  const number = parseNumber(text, 'int64')
  const isInteger = number !== undefined && number.integral && isInRange(number, 'int64')
  return checkDocumentId(isInteger ? number.floor : undefined, param)
}

/**
 * The id inside the data of a document, `undefined` if there is none.
 * @throws ApiError as `checkDocumentId`, and if the data is not JSON
 */
export function dataIdOf(json: Uint8Array): string | undefined {
  if (!mayHaveId(json)) return undefined
  const member = readMembers(new JsonScanner(json)).find(({ key }) => key === 'id')
  if (member === undefined || member.kind === 'null') return undefined
  return readDocumentId(json, member, 'data.id')
}

function checkIdText(id: string, param: string): string {
  if (!id.isWellFormed()) {
    throw new ApiError('invalid_unicode', `"${param}" is not well-formed Unicode`, { param })
  }
  const bytes = Buffer.byteLength(id)
  if (bytes === 0 || bytes > DOCUMENT_ID_MAX_BYTES) {
    throw new ApiError(
      'invalid_parameter',
      `"${param}" must have 1 to ${DOCUMENT_ID_MAX_BYTES} bytes, received ${bytes}`,
      { param },
    )
  }
  if (/\p{Cc}/u.test(id)) {
    throw new ApiError('invalid_parameter', `"${param}" must not have control characters`, {
      param,
    })
  }
  return id
}

interface Fault {
  readonly code: ErrorCode
  /** Text after the name of the field. */
  readonly message: string
}

interface Problem extends Fault {
  readonly member: JsonMember
}

function isFault(value: FieldValue | Fault): value is Fault {
  return typeof value === 'object' && 'code' in value
}

function readField(bytes: Uint8Array, member: JsonElement, field: Field): FieldValue | Fault {
  if (!isArrayType(field.type)) return readScalar(bytes, member, field)
  if (member.kind !== 'array') return typeFault(bytes, member, field)
  const values: Scalar[] = []
  for (const element of scanElements(bytes, member.start, member.end)) {
    const value = readScalar(bytes, element, field)
    if (typeof value !== 'object') values.push(value)
    else return { ...value, message: `${value.message} as element ${values.length}` }
  }
  return values
}

/** One value of a field, or one element of its array. */
function readScalar(bytes: Uint8Array, value: JsonElement, field: Field): Scalar | Fault {
  const { kind, start, end } = value
  const type = elementType(field.type)
  if (type === 'string') {
    return kind === 'string' ? decodeString(bytes, start, end) : typeFault(bytes, value, field)
  }
  if (type === 'bool') {
    return kind === 'true' || kind === 'false' ? kind === 'true' : typeFault(bytes, value, field)
  }
  if (kind !== 'number') return typeFault(bytes, value, field)
  const plain = plainNumber(bytes, start, end, type)
  if (plain !== undefined) return plain
  const number = parseNumber(textOf(bytes, start, end), type)
  if (number !== undefined && !isInRange(number, type)) {
    return {
      code: 'out_of_range',
      message: `is out of the range of ${field.type}, ${received(bytes, value)}`,
    }
  }
  if (number === undefined || !number.integral) return typeFault(bytes, value, field)
  return number.floor
}

function typeFault(bytes: Uint8Array, value: JsonElement, field: Field): Fault {
  return { code: 'invalid_type', message: `must be ${field.type}, ${received(bytes, value)}` }
}

function problemOfDataId(
  json: Uint8Array,
  member: JsonMember,
  id: string | undefined,
): Problem | undefined {
  if (member.kind === 'null') return undefined
  try {
    if (readDocumentId(json, member, 'data.id') === id) return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { member, code: error.code, message: 'is no document id' }
  }
  const message = `must equal the id of the document, ${received(json, member)}`
  return { member, code: 'invalid_parameter', message }
}

function isBadUnicode(bytes: Uint8Array, value: JsonElement | JsonMember): boolean {
  const start = 'keyStart' in value ? value.keyStart : value.start
  const scanner = new JsonScanner(bytes, start, value.end)
  if ('keyStart' in value) {
    scanner.skipString()
    scanner.position = value.start
  }
  scanner.skipValue()
  return scanner.badUnicodeAt >= 0
}

function unknownMessage(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names)
  const hint = nearest === undefined ? '' : `, did you mean "${nearest}"?`
  return `is not in the schema${hint}`
}

/** `received "12,90"`: the JSON text of a value, truncated. */
function received(bytes: Uint8Array, value: JsonElement): string {
  const text = textOf(bytes, value.start, Math.min(value.end, value.start + 4 * EXCERPT_CHARS_MAX))
  const points = Array.from(text)
  const isWhole =
    points.length <= EXCERPT_CHARS_MAX && value.end - value.start <= 4 * EXCERPT_CHARS_MAX
  return `received ${isWhole ? text : `${points.slice(0, EXCERPT_CHARS_MAX).join('')}…`}`
}

function refusal(label: string, problems: readonly Problem[]): ApiError {
  const details = problems.map(({ member, code, message }): ErrorDetail => {
    const name = shownName(member.key)
    return { param: `data.${name}`, code, message: `field "${name}" ${message}` }
  })
  const first = details[0]!
  const message = `Cannot index ${label}: ${details.map((detail) => detail.message).join('; ')}`
  return new ApiError(first.code, message, { param: first.param, details })
}

function shownName(name: string): string {
  const points = Array.from(name.slice(0, 2 * NAME_SHOWN_CHARS_MAX).toWellFormed())
  const isWhole = points.length <= NAME_SHOWN_CHARS_MAX && name.length <= 2 * NAME_SHOWN_CHARS_MAX
  return isWhole ? points.join('') : `${points.slice(0, NAME_SHOWN_CHARS_MAX).join('')}…`
}

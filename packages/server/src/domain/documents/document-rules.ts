import {
  ApiError,
  DOCUMENT_ID_MAX_BYTES,
  DOCUMENT_MAX_BYTES,
  nearestName,
  OBJECT_ELEMENTS_MAX,
} from '@aisle/contract'
import type { ErrorDetail } from '@aisle/contract'
import { elementType, isArrayType, isObjectType } from '@aisle/engine'
import type { DocumentValue, Field, FieldPattern, FieldValue, Scalar, Schema } from '@aisle/engine'
import { fieldOrdinal, otherKindName } from './field-lookup.ts'
import { guessedType, withPatternField } from './field-patterns.ts'
import { isEmptyList, isFault, readField, received, typeFault } from './field-value.ts'
import type { Fault } from './field-fault.ts'
import { attributeName, declaredType, nestedNames, patternOf } from './nested-fields.ts'
import { decodeString, readMembers, scanElements, textOf } from '../json/json-scan.ts'
import type { JsonElement, JsonMember } from '../json/json-scan.ts'
import { JsonScanner } from '../json/json-scanner.ts'
import { mayHaveId } from '../json/json-splice.ts'
import { isInRange, parseNumber } from '../values/number-literal.ts'

export interface CheckedDocument {
  /**
   * Values by field ordinal; `undefined` if the document lacks the field. int64 as exact bigint.
   */
  readonly values: readonly (DocumentValue | undefined)[]
  /**
   * The schema that it was checked against, with the fields that its patterns add for the document.
   */
  readonly schema: Schema
}

/** Maximum number of bad fields named; only the first few unknown ones get a suggestion. */
const DETAILS_MAX = 100
const SUGGESTIONS_MAX = 5
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

  const reader = new DataReader(json, id, schema, hasBadUnicode)
  reader.members(members, TOP)
  const { values, problems } = reader
  if (problems.length > 0) throw refusal(label, problems)
  // Only an ignored repeated key can contain it at this point.
  if (hasBadUnicode) scanner.throwNoted()
  return { values, schema: reader.schema }
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

interface Problem extends Fault {
  /** Path of the field with the numbers of elements: `variants[2].color`. */
  readonly shown: string
}

/** The container of members: the data itself, an object, or an element of an `object[]` field. */
interface Holder {
  /** `variants.` */
  readonly path: string
  /** `variants[2].` */
  readonly shown: string
  /** Receives the values of the element of the outermost `object[]` field. */
  readonly element?: Map<number, FieldValue>
}

const TOP: Holder = { path: '', shown: '' }

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'true', 'false'])

/** Reads the values of one document, and records their faults. */
class DataReader {
  /** Values by field ordinal. */
  readonly values: (DocumentValue | undefined)[]
  readonly problems: Problem[] = []
  readonly #json: Uint8Array
  readonly #id: string | undefined
  /** Grows with the fields that patterns add. */
  schema: Schema
  #nested: ReadonlySet<string>
  readonly #hasBadUnicode: boolean
  #unknownCount = 0
  #elementCount = 0

  constructor(json: Uint8Array, id: string | undefined, schema: Schema, hasBadUnicode: boolean) {
    this.values = new Array<DocumentValue | undefined>(schema.fields.length).fill(undefined)
    this.#json = json
    this.#id = id
    this.schema = schema
    this.#nested = nestedNames(schema)
    this.#hasBadUnicode = hasBadUnicode
  }

  members(members: readonly JsonMember[], holder: Holder): void {
    for (const member of members) this.#member(member, holder)
  }

  #member(member: JsonMember, holder: Holder): void {
    if (this.problems.length >= DETAILS_MAX) return
    const { key, kind } = member
    const isTop = holder.path === ''
    if (this.#hasBadUnicode && isBadUnicode(this.#json, member)) {
      const message = 'is not well-formed Unicode'
      this.#complain(holder.shown + key, { code: 'invalid_unicode', message })
      return
    }
    if (isTop && key === 'id') {
      const fault = faultOfDataId(this.#json, member, this.#id)
      if (fault !== undefined) this.#complain(key, fault)
      return
    }
    const name = holder.path + key
    const isMisplaced = isTop && this.#nested.has(key)
    const ordinal = isMisplaced ? undefined : fieldOrdinal(this.schema, name)
    if (!isTop && attributeName(key) !== key && patternOf(this.schema, name) !== undefined) {
      const message = `is not in the schema, and a pattern cannot add it: names that end in #text or #number are reserved for fields with a second type of values`
      this.#complain(holder.shown + key, { code: 'unknown_field', message })
      return
    }
    const mayBePattern = !isTop && (ordinal === undefined || kind === 'array')
    const pattern = mayBePattern ? patternOf(this.schema, name) : undefined
    if (ordinal === undefined && pattern !== undefined) {
      if (kind !== 'null') this.#add(member, holder, pattern)
      return
    }
    if (ordinal === undefined) {
      const nested = isTop ? nestedForm(key, this.schema) : undefined
      this.#complain(holder.shown + key, nested ?? this.#unknown(name))
      return
    }
    if (kind === 'null' || (pattern !== undefined && this.#isNothing(member, ordinal))) return
    this.#known(member, ordinal, holder)
  }

  #known(member: JsonMember, ordinal: number, holder: Holder): void {
    const field = this.schema.fields[ordinal]!
    if (isObjectType(field.type)) this.#objects(member, ordinal, field, holder)
    else this.#value(member, ordinal, field, holder)
  }

  /** Adds a field for a member that matches a pattern. */
  #add(member: JsonMember, holder: Holder, pattern: FieldPattern): void {
    const { key } = member
    const type = pattern.type ?? guessedType(this.#json, member)
    if (type === undefined || isEmptyList(this.#json, member)) return
    const grown =
      typeof type === 'object'
        ? type
        : withPatternField(this.schema, pattern, { name: holder.path + key, key, type })
    if (!('fields' in grown)) {
      this.#complain(holder.shown + key, grown)
      return
    }
    this.schema = grown
    this.#nested = nestedNames(grown)
    this.values.push(undefined)
    this.#known(member, grown.fields.length - 1, holder)
  }

  /** An empty list was accepted before its field existed, so it is accepted now. */
  #isNothing(member: JsonMember, ordinal: number): boolean {
    const type = declaredType(this.schema.fields[ordinal]!)
    return !isArrayType(type) && isEmptyList(this.#json, member)
  }

  #value(member: JsonMember, ordinal: number, field: Field, holder: Holder): void {
    const pattern = field.pattern === undefined ? undefined : patternOf(this.schema, field.name)
    const { takesSingle, vector } = field
    const takes = { takesAny: pattern !== undefined, takesSingle, vector }
    const value = readField(this.#json, member, declaredType(field), takes)
    if (pattern !== undefined && pattern.type === undefined) {
      if (this.#hasOtherKind(member, field, pattern, holder)) return
    }
    if (isFault(value))
      this.#complain(holder.shown + member.key, withReason(value, field, this.schema))
    else if (holder.element === undefined) this.values[ordinal] = value
    else this.#addToElement(holder.element, ordinal, field, value)
  }

  /**
   * An attribute may be 42 in one document and "XL" in the next. Texts of one that began with
   * another kind are the values of a second field, and so are the numbers of one that began with
   * texts, where they are texts as well.
   *
   * @returns whether the value belongs to that field only
   */
  #hasOtherKind(member: JsonMember, field: Field, pattern: FieldPattern, holder: Holder): boolean {
    const { name } = field
    if (attributeName(name) !== name || isArrayType(declaredType(field))) return false
    const isText = elementType(field.type) === 'string'
    const isOther = isText
      ? member.kind === 'number' && (pattern.facet || pattern.sort)
      : SCALARS.has(member.kind) && isFault(readField(this.#json, member, declaredType(field)))
    if (!isOther) return false
    const type = isText ? 'float' : 'string'
    const otherName = otherKindName(name, field.type)
    let ordinal = fieldOrdinal(this.schema, otherName)
    if (ordinal === undefined) {
      const key = otherName.slice(otherName.lastIndexOf('.') + 1)
      const grown = withPatternField(this.schema, pattern, { name: otherName, key, type })
      if (!('fields' in grown)) {
        this.#complain(holder.shown + member.key, grown)
        return true
      }
      this.schema = grown
      this.#nested = nestedNames(grown)
      ordinal = this.values.push(undefined) - 1
    }
    this.#value(member, ordinal, this.schema.fields[ordinal]!, holder)
    return !isText
  }

  /** Stored in the element, and with the values of all elements of the document. */
  #addToElement(
    element: Map<number, FieldValue>,
    ordinal: number,
    field: Field,
    value: FieldValue,
  ): void {
    const list: readonly Scalar[] = typeof value === 'object' ? value : [value]
    const isList = isArrayType(field.element!.type)
    const before = (element.get(ordinal) ?? []) as readonly Scalar[]
    element.set(ordinal, isList ? [...before, ...list] : value)
    const all = (this.values[ordinal] ??= []) as Scalar[]
    for (const one of list) all.push(one)
  }

  #objects(member: JsonMember, ordinal: number, { name, type }: Field, holder: Holder): void {
    const shown = holder.shown + member.key
    if (type === 'object') {
      this.#object(member, { ...holder, path: `${name}.`, shown: `${shown}.` })
      return
    }
    if (member.kind !== 'array') {
      this.#complain(shown, typeFault(this.#json, member, type))
      return
    }
    const elements: Map<number, FieldValue>[] = []
    for (const [i, one] of scanElements(this.#json, member.start, member.end).entries()) {
      if (++this.#elementCount > OBJECT_ELEMENTS_MAX) {
        const message = `has more than ${OBJECT_ELEMENTS_MAX} elements, counting those of other objects`
        this.#complain(shown, { code: 'out_of_range', message })
        return
      }
      const element = holder.element ?? new Map<number, FieldValue>()
      elements.push(element)
      this.#object(one, { path: `${name}.`, shown: `${shown}[${i}].`, element })
    }
    if (holder.element === undefined) this.values[ordinal] = elements
  }

  #object(value: JsonElement, holder: Holder): void {
    if (value.kind !== 'object') {
      this.#complain(holder.shown.slice(0, -1), typeFault(this.#json, value, 'object'))
      return
    }
    const scanner = new JsonScanner(this.#json, value.start, value.end)
    this.members(readMembers(scanner), holder)
  }

  #unknown(path: string): Fault {
    const isHinted = ++this.#unknownCount <= SUGGESTIONS_MAX
    const names = isHinted ? this.schema.fields.map(({ name }) => name) : []
    return { code: 'unknown_field', message: unknownMessage(path, names) }
  }

  #complain(shown: string, fault: Fault): void {
    if (this.problems.length < DETAILS_MAX) this.problems.push({ shown, ...fault })
  }
}

/** Adds why the field has this type, if no one declared it. */
function withReason(fault: Fault, { name, pattern }: Field, schema: Schema): Fault {
  const isGuessed = pattern !== undefined && patternOf(schema, name)?.type === undefined
  if (!isGuessed || fault.code !== 'invalid_type') return fault
  return { ...fault, message: `${fault.message} (its first value decided; "${pattern}" is auto)` }
}

function faultOfDataId(
  json: Uint8Array,
  member: JsonMember,
  id: string | undefined,
): Fault | undefined {
  if (member.kind === 'null') return undefined
  try {
    if (readDocumentId(json, member, 'data.id') === id) return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { code: error.code, message: 'is not a document id' }
  }
  const message = `must equal the id of the document, ${received(json, member)}`
  return { code: 'invalid_parameter', message }
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

/** The fault of a key such as `specs.color`, which names a member of an object. */
function nestedForm(key: string, schema: Schema): Fault | undefined {
  const keys = key.split('.')
  const typeAt = (length: number) => {
    const ordinal = fieldOrdinal(schema, keys.slice(0, length).join('.'))
    return ordinal === undefined ? undefined : schema.fields[ordinal]!.type
  }
  const type = typeAt(1)
  if (keys.length === 1 || type === undefined || !isObjectType(type)) return undefined
  const form = keys.reduceRight((inner, name, i) => {
    const value = typeAt(i + 1) === 'object[]' ? `[${inner}]` : inner
    return `{${JSON.stringify(name)}: ${value}}`
  }, '…')
  return {
    code: 'unknown_field',
    message: `is a member of ${type} "${keys[0]}", not a key: write ${form}`,
  }
}

function unknownMessage(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names)
  const hint = nearest === undefined ? '' : `, did you mean "${nearest}"?`
  return `is not in the schema${hint}`
}

function refusal(label: string, problems: readonly Problem[]): ApiError {
  const details = problems.map(({ shown, code, message }): ErrorDetail => {
    const name = shownName(shown)
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

import { ApiError, isObject } from '@aisle/contract'
import { elementType, isArrayType, isObjectType } from '@aisle/engine'
import type { Field, Schema } from '@aisle/engine'
import { canonicalJson } from '../json/canonical-json.ts'
import { exactJson } from '../json/json-exact.ts'
import { valueAtPath } from '../json/json-paths.ts'
import { parseExact } from '../json/json-scan.ts'
import { mergeObjects } from '../json/json-splice.ts'
import { checkDocument } from './document-rules.ts'
import { fieldOrdinal, requireField } from './field-lookup.ts'
import { keysOf } from './nested-fields.ts'

/** What an edit does to each document, in this order; or it deletes the document. */
export type DocumentEdit =
  | { readonly kind: 'delete' }
  | {
      readonly kind: 'change'
      /** JSON of an object, merged into the document. */
      readonly set: Uint8Array | undefined
      readonly add: readonly FieldEdit[]
      readonly remove: readonly FieldEdit[]
    }

interface FieldEdit {
  readonly name: string
  readonly keys: readonly string[]
  readonly isList: boolean
  /** A number, the values of a list, or `true`: the whole field. */
  readonly value: Amount | readonly unknown[] | true
}

type Amount = number | bigint

/**
 * @param edit from a request, integers beyond 2^53 exact
 * @throws ApiError invalid_parameter, unknown_field, and those of a document's fields
 */
export function readDocumentEdit(edit: unknown, schema: Schema): DocumentEdit {
  if (!isObject(edit)) throw refused('edit', 'an object')
  const { set, add, remove, delete: isDelete } = edit
  const given = Object.entries({ set, add, remove }).filter(([, one]) => one !== undefined)
  if (isDelete === true) {
    if (given.length === 0) return { kind: 'delete' }
    throw refused('edit.delete', `the only action, received it with \`${given[0]![0]}\``)
  }
  for (const [name, one] of given) {
    if (!isObject(one)) throw refused(`edit.${name}`, 'an object with fields')
  }
  const isEmpty = given.every(([, one]) => Object.keys(one as object).length === 0)
  if (isEmpty) throw refused('edit', 'an object with `set`, `add`, `remove` or `delete`')
  return {
    kind: 'change',
    set: set === undefined ? undefined : readSet(set as Record<string, unknown>, schema),
    add: Object.entries(add ?? {}).map(([name, value]) => readAdd(name, value, schema)),
    remove: Object.entries(remove ?? {}).map(([name, value]) => readRemove(name, value, schema)),
  }
}

/**
 * Returns the document after an edit: the same bytes if it changes nothing. Fields that it does not
 * name keep theirs.
 *
 * @param edit of the kind `change`
 */
export function editedDocument(
  json: Uint8Array,
  edit: Extract<DocumentEdit, { kind: 'change' }>,
  schema: Schema,
): Uint8Array {
  const isMerged = (path: string): boolean => {
    const ordinal = fieldOrdinal(schema, path)
    return ordinal !== undefined && schema.fields[ordinal]!.type === 'object'
  }
  const before = parseExact(json)
  let edited = json
  let data = before
  const merge = (patch: Uint8Array): void => {
    edited = mergeObjects(edited, patch, isMerged)
    data = parseExact(edited)
  }
  if (edit.set !== undefined) merge(edit.set)
  for (const one of edit.add) {
    const value = valueAtPath(data, one.keys)
    const next = one.isList ? withValues(value, one.value) : sum(value, one.value as Amount)
    if (next !== undefined) merge(patchOf(one.keys, next))
  }
  for (const one of edit.remove) {
    const value = valueAtPath(data, one.keys)
    if (value === undefined || value === null) continue
    const next = one.value === true ? null : withoutValues(value, one.value as readonly unknown[])
    if (next !== undefined) merge(patchOf(one.keys, next))
  }
  return canonicalJson(data) === canonicalJson(before) ? json : edited
}

function readSet(set: Record<string, unknown>, schema: Schema): Uint8Array | undefined {
  if (Object.keys(set).length === 0) return undefined
  if (Object.hasOwn(set, 'id')) throw refused('edit.set', 'without `id`, which cannot be changed')
  const patch = Buffer.from(exactJson(set))
  checkValues(patch, schema, 'edit.set')
  return patch
}

function readAdd(name: string, value: unknown, schema: Schema): FieldEdit {
  const { keys, field } = requireEditable(name, schema, 'add')
  const param = `edit.add.${name}`
  const isList = isArrayType(field.type)
  if (isList) {
    const values = Array.isArray(value) ? (value as unknown[]) : [value]
    checkValues(Buffer.from(exactJson(nested(keys, values))), schema, 'edit.add')
    return { name, keys, isList, value: values }
  }
  if (!/^(?:int32|int64|float)$/.test(elementType(field.type))) {
    throw refused(param, `for a number or a list; \`${name}\` is ${field.type}`)
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw refused(param, `a number, received ${typeof value}`)
  }
  if (field.type !== 'float' && typeof value === 'number' && !Number.isInteger(value)) {
    throw refused(param, `an integer, because \`${name}\` is ${field.type}`)
  }
  return { name, keys, isList, value }
}

function readRemove(name: string, value: unknown, schema: Schema): FieldEdit {
  const { keys, field } = requireEditable(name, schema, 'remove')
  if (value === true) return { name, keys, isList: false, value }
  if (!isArrayType(field.type)) {
    throw refused(`edit.remove.${name}`, '`true`, which removes the field: it is not a list')
  }
  const values = Array.isArray(value) ? (value as unknown[]) : [value]
  checkValues(Buffer.from(exactJson(nested(keys, values))), schema, 'edit.remove')
  return { name, keys, isList: true, value: values }
}

function requireEditable(
  name: string,
  schema: Schema,
  action: string,
): { readonly field: Field; readonly keys: readonly string[] } {
  const param = `edit.${action}.${name}`
  const { field } = requireField(schema, name, { param })
  if (field.element !== undefined) {
    throw refused(param, 'a field outside of lists of objects: set the whole list instead')
  }
  if (isObjectType(field.type) && action === 'add') {
    throw refused(param, 'a number or a list of values; set objects instead')
  }
  return { field, keys: keysOf(field, schema) }
}

/** Checks values by the rules for documents; errors name them as the request does. */
function checkValues(patch: Uint8Array, schema: Schema, param: string): void {
  try {
    checkDocument(patch, undefined, schema)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const renamed = (name: string): string => name.replace(/^data\b/, param)
    const details = error.details.map((one) =>
      one.param === undefined ? one : { ...one, param: renamed(one.param) },
    )
    throw new ApiError(error.code, error.message, { param: renamed(error.param ?? param), details })
  }
}

/** @returns undefined if the list has all of them */
function withValues(list: unknown, added: FieldEdit['value']): unknown[] | undefined {
  const values = valuesIn(list)
  const known = new Set(values.map(canonicalJson))
  const missing = (added as readonly unknown[]).filter((value) => {
    const text = canonicalJson(value)
    return !known.has(text) && known.add(text)
  })
  return missing.length === 0 ? undefined : [...values, ...missing]
}

/** @returns undefined if the list has none of them; null if it has no others */
function withoutValues(list: unknown, removed: readonly unknown[]): unknown[] | null | undefined {
  const values = valuesIn(list)
  const gone = new Set(removed.map(canonicalJson))
  const kept = values.filter((value) => !gone.has(canonicalJson(value)))
  if (kept.length === values.length) return undefined
  return kept.length === 0 ? null : kept
}

/** A list may be written as its only value, without brackets. */
function valuesIn(list: unknown): readonly unknown[] {
  if (list === undefined || list === null) return []
  return Array.isArray(list) ? (list as unknown[]) : [list]
}

const DECIMALS_MAX = 15

/** The sum with the decimals of its parts: .1 + .2 is .3. Without a number there is none. */
function sum(value: unknown, amount: Amount): Amount | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
  if (isWhole(value) && isWhole(amount)) {
    const exact = BigInt(value) + BigInt(amount)
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  }
  const decimals = Math.max(decimalsOf(value), decimalsOf(amount))
  const plain = Number(value) + Number(amount)
  return decimals > DECIMALS_MAX ? plain : Number(plain.toFixed(decimals))
}

function isWhole(value: Amount): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value)
}

function decimalsOf(value: Amount): number {
  const text = String(value)
  if (text.includes('e')) return Infinity
  const point = text.indexOf('.')
  return point < 0 ? 0 : text.length - point - 1
}

function patchOf(keys: readonly string[], value: unknown): Uint8Array {
  return Buffer.from(exactJson(nested(keys, value)))
}

function nested(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight((inner, key) => Object.fromEntries([[key, inner]]), value)
}

function refused(param: string, expected: string): ApiError {
  return new ApiError('invalid_parameter', `Parameter \`${param}\` must be ${expected}`, { param })
}

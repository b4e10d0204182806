import type { SchemaField } from '@aisle/contract'
import { exactNumber, isExactNumber, parseExactly } from '@aisle/client'
import { ownValue } from '../../format/own-value.ts'

/** The fields of a product as JSON values; numbers keep their digits (see `parseExactly`). */
export type Product = Readonly<Record<string, unknown>>

/** A field of the form, with its way through the product. */
export interface FormField {
  readonly field: SchemaField
  readonly path: readonly string[]
  /** Of an object: the fields inside of it. */
  readonly inside: readonly FormField[]
}

/**
 * The fields of the form: those that a product card shows first, then in the order of the schema.
 * Fields of objects are inside of theirs; lists of objects are edited as a whole.
 */
export function formFields(
  fields: readonly SchemaField[],
  first: readonly (string | null | undefined)[],
): FormField[] {
  const objects = new Map(fields.map(({ name, type }) => [name, type]))
  const holderOf = (name: string): string | undefined => {
    const dot = name.lastIndexOf('.')
    const holder = dot < 0 ? undefined : name.slice(0, dot)
    return holder !== undefined && objects.get(holder)?.startsWith('object') ? holder : undefined
  }
  const below = (holder: string | undefined, path: readonly string[]): FormField[] =>
    fields
      .filter(({ name }) => holderOf(name) === holder && !name.includes('#'))
      .map((field) => {
        const key = holder === undefined ? field.name : field.name.slice(holder.length + 1)
        const own = [...path, key]
        const inside = field.type === 'object' ? below(field.name, own) : []
        return { field, path: own, inside }
      })
  const all = below(undefined, [])
  const rank = ({ field }: FormField): number => {
    const place = first.indexOf(field.name)
    return place < 0 ? first.length : place
  }
  return all.toSorted((a, b) => rank(a) - rank(b))
}

export function valueAt(product: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isPlainObject(value) ? ownValue(value, key) : undefined),
    product,
  )
}

/** The product with another value; `undefined` removes it, and objects that become empty. */
export function withValue(product: Product, path: readonly string[], value: unknown): Product {
  const [key = '', ...rest] = path
  const inner = ownValue(product, key)
  const next = rest.length === 0 ? value : withValue(isPlainObject(inner) ? inner : {}, rest, value)
  const isGone = next === undefined || (rest.length > 0 && Object.keys(next as object).length === 0)
  const entries = Object.entries(product)
  if (isGone) return Object.fromEntries(entries.filter(([name]) => name !== key))
  if (!Object.hasOwn(product, key)) return Object.fromEntries([...entries, [key, next]])
  return Object.fromEntries(entries.map(([name, old]) => [name, name === key ? next : old]))
}

/**
 * The patch of `update` that makes `after` of `before`: only what differs, `null` where a value
 * goes. Objects of the schema are merged by member, other values replaced.
 */
export function changesBetween(
  before: Product,
  after: Product,
  isObject: (path: string) => boolean,
  path = '',
): Product {
  const patch: [string, unknown][] = []
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, next] = [ownValue(before, name), ownValue(after, name)]
    if (JSON.stringify(old) === JSON.stringify(next)) continue
    const isInner = isPlainObject(old) && isPlainObject(next) && isObject(path + name)
    if (isInner) patch.push([name, changesBetween(old, next, isObject, `${path}${name}.`)])
    else patch.push([name, next ?? null])
  }
  return Object.fromEntries(patch)
}

/** The text of a value in its input. */
export function inputText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What was typed, as a value of the type; text that is none stays text, and is marked. */
export function typedValue(text: string, type: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const element = type.replace('[]', '')
  if (element === 'string') return text
  if (element === 'bool') return trimmed === 'true' ? true : trimmed === 'false' ? false : trimmed
  if (isNumberType(element)) return NUMBER.test(trimmed) ? exactNumber(trimmed) : trimmed
  if (element === 'date') return /^-?\d+$/.test(trimmed) ? exactNumber(trimmed) : trimmed
  try {
    return parseExactly(trimmed)
  } catch {
    return text
  }
}

/** A number of JSON. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

const LIMITS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
}

/** What is wrong with a value of a field, before the service says so. */
export function valueFault(value: unknown, type: string): string | undefined {
  if (value === undefined || value === null) return undefined
  const isList = type.endsWith('[]')
  if (isList && Array.isArray(value)) {
    const element = type.slice(0, -2)
    for (const one of value) {
      const fault = one === null ? undefined : valueFault(one, element)
      if (fault !== undefined) return fault
    }
    return undefined
  }
  const element = type.replace('[]', '')
  if (isNumberType(element)) return numberFault(value, element)
  if (element === 'bool') return typeof value === 'boolean' ? undefined : 'Must be yes or no'
  if (element === 'string') return typeof value === 'string' ? undefined : 'Must be text'
  if (element === 'date') return dateFault(value)
  if (element === 'geopoint') return placeFault(value)
  if (type === 'object[]') return 'Must be a JSON list of objects: [{ … }]'
  return isPlainObject(value) ? undefined : 'Must be a JSON object: { … }'
}

function numberFault(value: unknown, type: string): string | undefined {
  if (!isNumber(value)) return 'Must be a number, such as 12.5'
  const [low, high] = LIMITS[type] ?? []
  if (low === undefined || high === undefined) return undefined
  const text = JSON.stringify(value)
  if (!Number.isInteger(Number(text))) return 'Must be a whole number'
  const whole = /^-?\d+$/.test(text) ? BigInt(text) : BigInt(Number(text))
  if (whole >= low && whole <= high) return undefined
  return `Must be between ${low} and ${high}`
}

function dateFault(value: unknown): string | undefined {
  if (isNumber(value)) return undefined
  const isDate = typeof value === 'string' && dateOf(value) !== undefined
  return isDate ? undefined : 'Must be a date such as 2026-11-28 or 2026-11-28T18:00:00Z'
}

function placeFault(value: unknown): string | undefined {
  const [lat, lon] = placeOf(value)
  if (!isNumber(lat) || !isNumber(lon)) return 'Needs a latitude and a longitude'
  const isOnEarth = Math.abs(numberOf(lat)) <= 90 && Math.abs(numberOf(lon)) <= 180
  return isOnEarth ? undefined : 'Latitudes are −90 to 90, longitudes −180 to 180'
}

/** Latitude and longitude of a place, however it is written. */
export function placeOf(value: unknown): readonly [lat: unknown, lon: unknown] {
  if (Array.isArray(value)) return [value[0], value[1]]
  if (!isPlainObject(value)) return [undefined, undefined]
  return [ownValue(value, 'lat'), ownValue(value, 'lon') ?? ownValue(value, 'lng')]
}

/** The moment that a date means; undefined if it is none. */
export function dateOf(value: unknown): Date | undefined {
  const isText = typeof value === 'string' && /^\d{4}-\d\d(?:-\d\d)?(?:T.*)?$/.test(value)
  if (!isText && !isNumber(value)) return undefined
  const date = new Date(isText ? value : numberOf(value) * 1_000)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || isExactNumber(value)
}

function numberOf(value: unknown): number {
  return Number(JSON.stringify(value))
}

export function isNumberType(type: string): boolean {
  return type === 'float' || type === 'int32' || type === 'int64'
}

/** An exact number is an object in JavaScript, but no JSON object. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && !isExactNumber(value)
}

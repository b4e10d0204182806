import { isExactNumber, parseExactly } from '@aisle/client'
import { isObject } from '@aisle/contract/is-object'
import type { Json } from './json.ts'
import type { Migration, Target } from './migration.ts'
import { withoutDots } from './nested-source.ts'
import { placesFor } from './place-value.ts'
import { SourceError } from './source-error.ts'
import { vectorOfEmbeddings } from './vector-field.ts'

/** Converts documents of the source to lines of an import. */
export interface DocumentWriter {
  /** @throws SourceError if it is not a document, or has no id */
  readonly write: (text: string) => string
  /** Members without a field in the schema, with their number of documents. */
  readonly leftOut: ReadonlyMap<string, number>
}

/** Maximum of members without a field that are counted by name. */
const LEFT_OUT_NAMED_MAX = 1_000

export function documentWriter({ idMember, targets, patterns }: Migration): DocumentWriter {
  const leftOut = new Map<string, number>()

  /** @param path `brand.`, or empty for the document itself */
  const membersOf = (source: Json, path: string): [string, unknown][] =>
    Object.entries(source).flatMap(([member, value]): [string, unknown][] => {
      if (value === null || value === undefined) return []
      const target = member.includes('.') ? undefined : targets.get(path + member)
      if (target !== undefined) {
        const key = path === '' ? target.name : member
        return [[key, valueAt(target, value, path + member)]]
      }
      if (patterns.has(path.slice(0, -1)) && !member.includes('.')) return [[member, value]]
      const name = path + member
      if (name !== idMember && (leftOut.has(name) || leftOut.size < LEFT_OUT_NAMED_MAX)) {
        leftOut.set(name, (leftOut.get(name) ?? 0) + 1)
      }
      return []
    })

  /** A wrong type stays as it is: the import reports it, with the row. */
  const valueAt = (target: Target, value: unknown, path: string): unknown => {
    const { type } = target
    if (!type.startsWith('object')) return valueFor(target, value)
    const inside = (one: unknown): unknown =>
      isNested(one) ? Object.fromEntries(membersOf(one, `${path}.`)) : one
    if (type === 'object') return inside(value)
    return (Array.isArray(value) ? (value as unknown[]) : [value])
      .filter((one) => one !== null)
      .map(inside)
  }

  const write = (text: string): string => {
    const source = sourceOf(text)
    const id = idText(source[idMember])
    if (id === undefined) throw new SourceError(`A document has no "${idMember}"`)
    return JSON.stringify({ id, ...Object.fromEntries(membersOf(source, '')) })
  }
  return { write, leftOut }
}

/** Numbers with all their digits are objects as well. */
function isNested(value: unknown): value is Json {
  return isObject(value) && !isExactNumber(value)
}

/**
 * The document in a line of an export; OpenSearch wraps it in `_id` and `_source`.
 *
 * @throws SourceError
 */
export function sourceOf(text: string): Json {
  let value: unknown
  try {
    value = parseExactly(text)
  } catch (error) {
    throw new SourceError(`A document is not JSON: ${(error as Error).message}`)
  }
  if (!isObject(value)) throw new SourceError('A document is not an object')
  const { _source, _id } = value
  return withoutDots(isObject(_source) ? { ..._source, _id } : value)
}

function idText(id: unknown): string | undefined {
  if (typeof id === 'string') return id === '' ? undefined : id
  return typeof id === 'number' || isExactNumber(id) ? JSON.stringify(id) : undefined
}

/** Invalid values stay as they are: the import reports them, with the row. */
function valueFor({ type, convert }: Target, value: unknown): unknown {
  if (convert === 'embeddings') return vectorOfEmbeddings(value)
  const isList = type.endsWith('[]')
  if (type.startsWith('geopoint')) {
    return placesFor(value, isList, convert === 'lon_lat' ? convert : 'lat_lon')
  }
  const elements = Array.isArray(value) ? value : [value]
  const converted = elements.map((one) => elementFor(type, convert, one))
  if (isList) return converted
  return converted.length === 1 ? converted[0] : converted
}

function elementFor(type: Target['type'], convert: Target['convert'], value: unknown): unknown {
  const isNumber = typeof value === 'number' || isExactNumber(value)
  // Seconds, to the millisecond.
  if (convert === 'milliseconds' && isNumber)
    return Math.floor(Number(JSON.stringify(value))) / 1000
  if (convert === 'milliseconds' && typeof value === 'string') return dateText(value)
  const isText = type.startsWith('string')
  return isText && (isNumber || typeof value === 'boolean') ? JSON.stringify(value) : value
}

/** A date in the form of our fields: `2026-01-31`, with or without time and offset. */
function dateText(text: string): string {
  if (
    /^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?([Zz]|[+-]\d\d(:?\d\d)?)?)?$/.test(text)
  ) {
    return text
  }
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? text : new Date(ms).toISOString()
}

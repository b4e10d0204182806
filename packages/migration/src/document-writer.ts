import { isExactNumber, parseExactly } from '@aisle/client'
import { isObject } from '@aisle/contract/is-object'
import { flatten } from './flatten.ts'
import type { Json } from './json.ts'
import type { Migration, Target } from './migration.ts'
import { placesFor } from './place-value.ts'
import { SourceError } from './source-error.ts'

/** Turns documents of the source into lines of an import. */
export interface DocumentWriter {
  /** @throws SourceError for what is no document, or has no id */
  readonly write: (text: string) => string
  /** Members without a field in the schema, with the number of documents that had them. */
  readonly leftOut: ReadonlyMap<string, number>
}

/** Members without a field that are counted by name. */
const LEFT_OUT_NAMED_MAX = 1_000

export function documentWriter({ idMember, targets }: Migration): DocumentWriter {
  const leftOut = new Map<string, number>()
  const write = (text: string): string => {
    const source = sourceOf(text)
    const id = idText(source[idMember])
    if (id === undefined) throw new SourceError(`A document has no "${idMember}"`)
    const document: Record<string, unknown> = { id }
    for (const [path, value] of flatten(source, (name) => targets.has(name)).values) {
      const target = targets.get(path)
      if (target !== undefined) document[target.name] = valueFor(target, value)
      else if (path !== idMember && (leftOut.has(path) || leftOut.size < LEFT_OUT_NAMED_MAX)) {
        leftOut.set(path, (leftOut.get(path) ?? 0) + 1)
      }
    }
    return JSON.stringify(document)
  }
  return { write, leftOut }
}

/**
 * The document in a line of an export: of OpenSearch, `_id` and `_source` are taken apart.
 *
 * @throws SourceError
 */
export function sourceOf(text: string): Json {
  let value: unknown
  try {
    value = parseExactly(text)
  } catch (error) {
    throw new SourceError(`A document is no JSON: ${(error as Error).message}`)
  }
  if (!isObject(value)) throw new SourceError('A document is no object')
  const { _source, _id } = value
  return isObject(_source) ? { ..._source, _id } : value
}

function idText(id: unknown): string | undefined {
  if (typeof id === 'string') return id === '' ? undefined : id
  return typeof id === 'number' || isExactNumber(id) ? JSON.stringify(id) : undefined
}

/** What cannot be converted stays as it is: the import says so, with the row. */
function valueFor({ type, convert }: Target, value: unknown): unknown {
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
  if (convert === 'date_text' && typeof value === 'string') {
    const ms = Date.parse(value)
    return Number.isNaN(ms) ? value : Math.floor(ms / 1000)
  }
  if (convert !== undefined && (typeof value === 'number' || isExactNumber(value))) {
    return Math.floor(Number(JSON.stringify(value)) / 1000)
  }
  const isText = type.startsWith('string')
  const isScalar = typeof value === 'number' || typeof value === 'boolean' || isExactNumber(value)
  return isText && isScalar ? JSON.stringify(value) : value
}

import { readArray, type ArrayText } from './array-text.ts'

/** Writes the text that PostgreSQL gives for a value as JSON. */
export type ToJson = (text: string) => string

/** A type of the database, from `pg_type`. */
export interface PostgresType {
  readonly name: string
  /** `A` is an array, `N` a number … */
  readonly category: string
  /** Element type of an array, otherwise 0. */
  readonly elementId: number
  /** Type that a domain restricts, otherwise 0. */
  readonly baseId: number
  readonly delimiter: string
}

const NUMBERS = new Set(['int2', 'int4', 'int8', 'oid', 'numeric', 'float4', 'float8'])
/** Of the extension pgvector: written like an array of JSON. */
const VECTORS = new Set(['vector', 'halfvec'])

/**
 * How values of a type are written: numbers with all digits, JSON as it is, times in ISO 8601,
 * `bytea` in base64, arrays as arrays, all others as their text.
 */
export function toJsonOf(typeId: number, types: ReadonlyMap<number, PostgresType>): ToJson {
  const type = types.get(typeId)
  if (type === undefined) return JSON.stringify
  if (type.baseId !== 0) return toJsonOf(type.baseId, types)
  if (type.category === 'A' && type.elementId !== 0) {
    const element = toJsonOf(type.elementId, types)
    return (text) => arrayJson(readArray(text, type.delimiter), element) ?? JSON.stringify(text)
  }
  if (NUMBERS.has(type.name)) return numberJson
  if (VECTORS.has(type.name)) return (text) => text
  switch (type.name) {
    case 'bool':
      return (text) => (text === 't' ? 'true' : 'false')
    case 'json':
    case 'jsonb':
      return lineOfJson
    case 'timestamptz':
    case 'timestamp':
      return timeJson
    case 'date':
      return (text) => (isInfinite(text) ? 'null' : JSON.stringify(text))
    case 'bytea':
      return (text) => `"${Buffer.from(text.slice(2), 'hex').toString('base64')}"`
    default:
      return JSON.stringify
  }
}

function arrayJson(array: ArrayText | undefined, element: ToJson): string | undefined {
  if (array === undefined) return undefined
  const parts = array.map((value) => {
    if (value === null) return 'null'
    return typeof value === 'string' ? element(value) : arrayJson(value, element)
  })
  return `[${parts.join(',')}]`
}

/** JSON has no infinite numbers. */
function numberJson(text: string): string {
  return text === 'NaN' || isInfinite(text) ? 'null' : text
}

/** Line ends in JSON are between its tokens only. */
function lineOfJson(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]/g, ' ') : text
}

/** `2026-03-01 09:30:00.5+00` is `2026-03-01T09:30:00.5Z`: sessions of readers are in UTC. */
function timeJson(text: string): string {
  if (isInfinite(text)) return 'null'
  if (text.endsWith(' BC')) return JSON.stringify(text)
  const time = text.endsWith('+00') ? text.slice(0, -'+00'.length) : text
  return `"${time.replace(' ', 'T')}Z"`
}

function isInfinite(text: string): boolean {
  return text === 'infinity' || text === '-infinity' || text === 'Infinity' || text === '-Infinity'
}

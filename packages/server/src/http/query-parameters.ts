import { ApiError, type TObject } from '@aisle/contract'
import { parseExact } from '../domain/json/json-scan.ts'

/** A JSON number with at most as many digits as an exact one can have. */
const NUMBER = /^-?\d{1,17}(\.\d{1,17})?([eE][+-]?\d{1,3})?$/

interface PropertySchema {
  readonly type?: string
  readonly anyOf?: readonly PropertySchema[]
}

/**
 * Turns URL query parameters into the body of an equivalent POST: lists as repeated keys, comma
 * lists or JSON; objects as JSON; `true`, `1`, `false`, `0`; numbers; `null`, except for texts.
 * Anything else stays text, and the check of the parameters reports it.
 */
export function decodeQuery(
  schema: TObject,
  query: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, unknown> {
  const entries: [string, unknown][] = []
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    const property = Object.hasOwn(schema.properties, name)
      ? (schema.properties[name] as PropertySchema)
      : undefined
    entries.push([name, property === undefined ? value : decode(property, name, value)])
  }
  // fromEntries defines properties, so a parameter called __proto__ is just a name.
  return Object.fromEntries(entries)
}

function decode(property: PropertySchema, name: string, value: string | string[]): unknown {
  if (value === 'null' && property.type !== 'string') return null
  if (property.type === 'array') return decodeList(name, value)
  if (Array.isArray(value)) return value
  if (property.type === undefined && isOneOf(property, 'array')) {
    return value.startsWith('[') ? decodeJson(name, value) : value
  }
  if (property.type === 'object') return decodeJson(name, value)
  if (property.type === 'integer' || property.type === 'number') {
    return NUMBER.test(value) ? Number(value) : value
  }
  if (isOneOf(property, 'boolean')) {
    if (value === 'true' || value === '1') return true
    if (value === 'false' || value === '0') return false
  }
  return value
}

function isOneOf({ type, anyOf }: PropertySchema, wanted: string): boolean {
  return type === wanted || anyOf?.some((one) => one.type === wanted) === true
}

function decodeList(name: string, value: string | string[]): unknown {
  if (typeof value === 'string' && value.startsWith('[')) return decodeJson(name, value)
  return [value]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

function decodeJson(name: string, text: string): unknown {
  try {
    return parseExact(text)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'malformed_json') throw error
    throw new ApiError(
      'invalid_parameter',
      `Parameter \`${name}\` must be JSON: ${error.message}`,
      {
        param: name,
        cause: error,
      },
    )
  }
}

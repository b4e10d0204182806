import { isExactNumber, parseExactly } from '@aisle/client'
import type { JsonRow } from './source-row.ts'

/** A JSON object of a bulk request: a document, or one in `data`. */
export type JsonEntry = Readonly<Record<string, unknown>>

/**
 * The object of a row. Its numbers have all of their digits.
 *
 * @returns undefined if it is not a JSON object
 */
export function entryOf(row: JsonRow): JsonEntry | undefined {
  if (row.entry !== undefined) return row.entry
  try {
    const entry = parseExactly(row.text)
    return isObject(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

/** The fields of an entry: of its `data` when it is wrapped. */
export function fieldsIn(entry: JsonEntry): JsonEntry {
  const { data } = entry
  if (isObject(data)) return data
  const { id: _, action: __, ...fields } = entry
  return fields
}

/** The entry with other fields. */
export function withFields(
  entry: JsonEntry,
  change: (fields: JsonEntry) => Record<string, unknown>,
): JsonEntry {
  const { id, action, data } = entry
  if (isObject(data)) return { ...entry, data: change(data) }
  return {
    ...(id === undefined ? {} : { id }),
    ...(action === undefined ? {} : { action }),
    ...change(fieldsIn(entry)),
  }
}

/** `parseExactly` represents numbers as objects, too. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  )
}

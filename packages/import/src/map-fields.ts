import { isExactNumber, parseExactly } from '@aisle/client'

/**
 * A JSON row whose fields have other names, or are left out. What is no JSON object stays as it is.
 *
 * @param mapping field of the row -> field of the document; an empty one leaves it out
 */
export function withMapping(text: string, mapping: ReadonlyMap<string, string>): string {
  if (mapping.size === 0) return text
  let entry: unknown
  try {
    entry = parseExactly(text)
  } catch {
    return text
  }
  if (!isObject(entry)) return text
  if (isObject(entry['data'])) {
    return JSON.stringify({ ...entry, data: renamed(entry['data'], mapping) })
  }
  const { id, action, ...fields } = entry
  return JSON.stringify({
    ...(id === undefined ? {} : { id }),
    ...(action === undefined ? {} : { action }),
    ...renamed(fields, mapping),
  })
}

function renamed(
  fields: Readonly<Record<string, unknown>>,
  mapping: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const kept = Object.entries(fields).map(([name, value]) => [mapping.get(name) ?? name, value])
  return Object.fromEntries(kept.filter(([name]) => name !== '')) as Record<string, unknown>
}

/** Numbers of `parseExactly` are objects too. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  )
}

/** Maximum of characters per value of a hit: models pay for each. */
const TEXT_MAX_CHARS = 300
const LIST_MAX = 10
const FIELDS_MAX = 30

/** Shortens a document for a list of ten. */
export function brief(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(document)
      .slice(0, FIELDS_MAX)
      .map(([name, value]) => [name, briefValue(value)]),
  )
}

function briefValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, LIST_MAX).map(briefValue)
  if (typeof value !== 'string' || value.length <= TEXT_MAX_CHARS) return value
  return `${value.slice(0, TEXT_MAX_CHARS)}…`
}

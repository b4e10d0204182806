import { isObject, withFields, type JsonEntry } from './json-entry.ts'

/**
 * Renames or removes fields of an entry.
 *
 * @param mapping field of the row -> field of the document; empty: remove it. A path, such as
 *   `specs.color`, removes that member of the object, or of each object in a list.
 */
export function withMapping(entry: JsonEntry, mapping: ReadonlyMap<string, string>): JsonEntry {
  return withFields(entry, (fields) => renamed(fields, mapping))
}

function renamed(
  fields: Readonly<Record<string, unknown>>,
  mapping: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const kept = Object.entries(fields).map(([name, value]) => [mapping.get(name) ?? name, value])
  const left = Object.fromEntries(kept.filter(([name]) => name !== '')) as Record<string, unknown>
  for (const [name, target] of mapping) {
    if (target === '' && name.includes('.')) removePath(left, name.split('.'))
  }
  return left
}

/** Removes the member at a path from objects, also inside lists. */
function removePath(value: unknown, path: readonly string[]): void {
  if (Array.isArray(value)) for (const one of value) removePath(one, path)
  if (!isObject(value)) return
  const [name = '', ...rest] = path
  if (rest.length === 0) delete value[name]
  else if (Object.hasOwn(value, name)) removePath(value[name], rest)
}

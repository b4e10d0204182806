import { isObject } from '@aisle/contract/is-object'
import type { Json } from './json.ts'

/** Maximum of parts of a name; a longer one stays as it is. */
const PARTS_MAX = 16

/** Converts `{"brand.name": …}` to `{"brand": {"name": …}}`: both mean the same. */
export function withoutDots(source: Json): Json {
  const entries = Object.entries(source)
  if (!entries.some(([name]) => name.includes('.'))) return source
  const plain = new Map(entries.filter(([name]) => !name.includes('.')))
  for (const [name, value] of entries) {
    const parts = name.split('.')
    if (parts.length > 1) put(plain, parts.length > PARTS_MAX ? [name] : parts, value)
  }
  return Object.fromEntries(plain)
}

/** A place that holds another value keeps it: then the name stays as it is. */
function put(holder: Map<string, unknown>, [first, ...rest]: readonly string[], value: unknown) {
  const before = holder.get(first!)
  if (rest.length === 0 || (before !== undefined && !isObject(before))) {
    holder.set([first, ...rest].join('.'), value)
    return
  }
  const inside = new Map(Object.entries(before ?? {}))
  put(inside, rest, value)
  holder.set(first!, Object.fromEntries(inside))
}

import { isExactNumber } from '@aisle/client'
import type { Json } from './json.ts'

/** Objects in objects, at most; what is deeper is left out. */
const DEPTH_MAX = 16

/** The values of a document by path: `{brand: {name}}` -> `brand.name`. */
export interface Flat {
  readonly values: ReadonlyMap<string, unknown>
  /** Paths below a list of objects, whose elements no longer belong together. */
  readonly apart: ReadonlySet<string>
}

/**
 * Makes a document flat. Lists of objects become a list for each of their members.
 *
 * @param isValue a path whose object is one value: a place
 */
export function flatten(document: Json, isValue: (path: string) => boolean): Flat {
  const values = new Map<string, unknown>()
  const apart = new Set<string>()
  const add = (path: string, value: unknown, isElement: boolean): void => {
    if (!isElement) return void values.set(path, value)
    const before = values.get(path)
    const list = Array.isArray(before) ? (before as unknown[]) : []
    // Not by spreading: a list may be longer than a call may have arguments.
    for (const one of Array.isArray(value) ? value : [value]) list.push(one)
    values.set(path, list)
    apart.add(path)
  }
  const walk = (object: Json, prefix: string, isElement: boolean, depth: number): void => {
    if (depth > DEPTH_MAX) return
    for (const [member, value] of Object.entries(object)) {
      const path = prefix === '' ? member : `${prefix}.${member}`
      if (value === null || value === undefined) continue
      if (isValue(path)) add(path, value, isElement)
      else if (isNested(value)) walk(value, path, isElement, depth + 1)
      else if (Array.isArray(value) && value.some(isNested)) {
        for (const one of value) if (isNested(one)) walk(one, path, true, depth + 1)
      } else add(path, value, isElement)
    }
  }
  walk(document, '', false, 0)
  return { values, apart }
}

function isNested(value: unknown): value is Json {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
  )
}

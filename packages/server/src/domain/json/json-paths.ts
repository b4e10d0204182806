import { readMembers, scanElements, scanMembers, textOf, type JsonElement } from './json-scan.ts'
import { JsonScanner } from './json-scanner.ts'

/**
 * Parts of objects inside of JSON objects by path: `variants.color` is the member `color` of the
 * object `variants`, or of each object in the array `variants`.
 */

/** Members by key: all of one (`true`), or the named ones inside of it. */
export type PathTree = ReadonlyMap<string, PathTree | true>

export interface PathSelection {
  /** Shows only these. */
  readonly include?: PathTree | undefined
  /** Hides these, even if included. */
  readonly exclude?: PathTree | undefined
}

/**
 * @param names of fields
 * @param isNested whether the dots of a name lead into objects; otherwise they are part of the name
 */
export function pathTree(names: Iterable<string>, isNested: (name: string) => boolean): PathTree {
  const tree = new Map<string, Map<string, never> | true>()
  for (const name of names) {
    const keys = isNested(name) ? name.split('.') : [name]
    let branch = tree as Map<string, Map<string, never> | true>
    for (const [i, key] of keys.entries()) {
      const known = branch.get(key)
      if (known === true) break
      if (i === keys.length - 1) branch.set(key, true)
      else if (known === undefined) {
        const next = new Map<string, never>()
        branch.set(key, next)
        branch = next
      } else branch = known
    }
  }
  return tree
}

/**
 * Returns the selected members of an object as JSON without braces. Values that
 * are shown whole are copied byte for byte.
 *
 * @param json well-formed
 * @param hidden a key at the top level that is omitted
 */
export function selectedMembers(
  json: Uint8Array,
  selection: PathSelection,
  hidden: string,
): string {
  return membersOf(json, 0, json.length, selection, hidden)
}

function membersOf(
  json: Uint8Array,
  start: number,
  end: number,
  { include, exclude }: PathSelection,
  hidden?: string,
): string {
  const members: string[] = []
  for (const member of scanMembers(json, start, end)) {
    const { key } = member
    const shown = include === undefined ? true : include.get(key)
    const left = exclude?.get(key)
    if (shown === undefined || left === true || key === hidden) continue
    const isWhole = shown === true && left === undefined
    const value = isWhole
      ? textOf(json, member.start, member.end)
      : valueOf(json, member, { include: shown === true ? undefined : shown, exclude: left })
    members.push(`${textOf(json, member.keyStart, member.start)}${value}`)
  }
  return members.join(',')
}

function valueOf(json: Uint8Array, value: JsonElement, selection: PathSelection): string {
  const { kind, start, end } = value
  if (kind === 'object') return `{${membersOf(json, start, end, selection)}}`
  if (kind !== 'array') return textOf(json, start, end)
  const elements = scanElements(json, start, end)
  return `[${elements.map((element) => valueOf(json, element, selection)).join(',')}]`
}

/** Returns the places of the values at a path in an object, in the order of the text. */
export function elementsAtPath(json: Uint8Array, keys: readonly string[]): JsonElement[] {
  let found: JsonElement[] = [{ kind: 'object', start: 0, end: json.length }]
  for (const key of keys) found = found.flatMap((element) => membersCalled(json, element, key))
  return found
}

function membersCalled(json: Uint8Array, value: JsonElement, key: string): JsonElement[] {
  const { kind, start, end } = value
  if (kind === 'object') {
    return readMembers(new JsonScanner(json, start, end)).filter((member) => member.key === key)
  }
  if (kind !== 'array') return []
  return scanElements(json, start, end).flatMap((element) => membersCalled(json, element, key))
}

/**
 * The value at a path of a parsed object: a list if an array is on the way, and undefined if there
 * is none. Lists omit absent and `null` values.
 */
export function valueAtPath(data: unknown, keys: readonly string[]): unknown {
  if (keys.length === 0) return data
  if (Array.isArray(data)) {
    const values = data.flatMap((element: unknown) => valueAtPath(element, keys) ?? [])
    return values.length === 0 ? undefined : values
  }
  if (typeof data !== 'object' || data === null) return undefined
  const [key, ...rest] = keys
  return Object.hasOwn(data, key!)
    ? valueAtPath((data as Record<string, unknown>)[key!], rest)
    : undefined
}

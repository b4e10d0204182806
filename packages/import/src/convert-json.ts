import { exactNumber, isExactNumber, type StoreSchema } from '@aisle/client'
import { currencyOfText, jsonOfText, isNothing } from './cells/read-text.ts'
import { levelField, levelsOf, namesOfPath } from './cells/path-text.ts'
import type { Reading } from './cells/reading.ts'
import { coveringPattern } from './field-patterns.ts'
import { textOfHtml } from './html-text.ts'
import { isObject, withFields, type JsonEntry } from './json-entry.ts'

type Field = StoreSchema['fields'][number]

export interface JsonConversion {
  /** Readings by path in the rows. Values of other paths are unchanged. */
  readonly readings: ReadonlyMap<string, Reading>
  /** Member of the rows -> field. */
  readonly mapping: ReadonlyMap<string, string>
  readonly fields: ReadonlyMap<string, Field>
  /** Members to leave out because the schema lacks them. */
  readonly ignoresUnknown: boolean
  /** Members to leave out where they are empty. */
  readonly dropsEmpty: boolean
}

/** Whether `withReadings` may change an entry. */
export function isConversion({ readings, ignoresUnknown, dropsEmpty }: JsonConversion): boolean {
  return readings.size > 0 || ignoresUnknown || dropsEmpty
}

/**
 * Converts the values of an entry to the types of their fields: texts that spell numbers, dates or
 * flags, single values for lists, numbers for texts. Leaves what it cannot read to the service,
 * which reports it.
 */
export function withReadings(entry: JsonEntry, conversion: JsonConversion): JsonEntry {
  return withFields(entry, (fields) => convertMembers(fields, '', '', conversion))
}

function convertMembers(
  members: Readonly<Record<string, unknown>>,
  prefix: string,
  targetPrefix: string,
  conversion: JsonConversion,
): Record<string, unknown> {
  const converted: Record<string, unknown> = {}
  for (const name of Object.keys(members)) {
    const value = members[name]
    const path = prefix + name
    const isTop = prefix === ''
    const renamed = (isTop ? conversion.mapping.get(name) : undefined) ?? name
    const target = targetPrefix + renamed
    const field = conversion.fields.get(target)
    if (field === undefined) {
      const isKept = isTop && conversion.mapping.get(name) === ''
      const isKnown = coveringPattern(target, conversion.fields) !== undefined || target === 'id'
      const isEmpty = value === null || value === ''
      const isDropped = conversion.ignoresUnknown || (conversion.dropsEmpty && isEmpty)
      if (!isDropped || isKept || isKnown) put(converted, name, value)
      continue
    }
    const reading = conversion.readings.get(path)
    const isBelow = field.type.startsWith('object')
    if (isBelow) {
      const isList = Array.isArray(value) && value.every((one) => one === null)
      const isEmpty = value === '' || (field.type === 'object' && isList)
      if (!isEmpty) put(converted, name, convertObjects(value, path, target, field, conversion))
      continue
    }
    if (reading === undefined) {
      put(converted, name, value)
      continue
    }
    const read = convertValue(value, field.type, reading)
    if (reading.path !== undefined && isTop) {
      const levels = levelMembers(read, renamed, reading.path, conversion.fields)
      for (const [level, values] of levels) put(converted, level, values)
      const deepest = deepestNames(read, reading.path)
      if (deepest !== undefined) put(converted, name, deepest)
      continue
    }
    if (read !== undefined) put(converted, name, read)
    const currency = isTop ? currencyMember(value, reading, conversion.fields) : undefined
    if (currency !== undefined) put(converted, ...currency)
  }
  return converted
}

/** Sets a member, whatever its name. */
function put(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') members[name] = value
  else Object.defineProperty(members, name, { value, enumerable: true, configurable: true })
}

function convertObjects(
  value: unknown,
  path: string,
  target: string,
  { type }: Field,
  conversion: JsonConversion,
): unknown {
  const inside = (one: unknown): unknown =>
    isObject(one) ? convertMembers(one, `${path}.`, `${target}.`, conversion) : one
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(inside)
  return type === 'object[]' && isObject(value) ? [inside(value)] : inside(value)
}

/** @returns undefined if there is no value */
function convertValue(value: unknown, type: string, reading: Reading): unknown {
  if (value === null || value === '') return undefined
  if (reading.listsMembers === true) return membersOf(value, type)
  const isList = type.endsWith('[]')
  const scalar = isList ? type.slice(0, -2) : type
  if (!isList) return convertScalar(value, scalar, reading)
  // A place may be a list of two numbers, which is one value.
  const elements: unknown[] = Array.isArray(value) ? value : [value]
  return elements
    .filter((one) => one !== null)
    .map((one) => convertScalar(one, scalar, reading))
    .filter((one) => one !== undefined)
}

function convertScalar(value: unknown, type: string, reading: Reading): unknown {
  if (type === 'string') {
    if (typeof value !== 'string') return JSON.stringify(value)
    return reading.stripsHtml === true ? textOfHtml(value) : value
  }
  if (type === 'bool' && (typeof value === 'number' || isExactNumber(value))) {
    const digit = JSON.stringify(value)
    return digit === '1' || digit === '0' ? digit === '1' : value
  }
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '' || isNothing(text, reading)) return undefined
  const json = jsonOfText(text, type, reading)
  if (json === undefined) return value
  return ['bool', 'date', 'geopoint', 'vector'].includes(type)
    ? (JSON.parse(json) as unknown)
    : exactNumber(json)
}

/** `{"color": "red", "size": [1, 2]}` as `["color: red", "size: 1", "size: 2"]`. */
function membersOf(value: unknown, type: string): unknown {
  const objects: unknown[] = Array.isArray(value) ? value : [value]
  const texts = objects.filter(isObject).flatMap((object) =>
    Object.entries(object).flatMap(([name, member]) =>
      [member]
        .flat()
        .filter((one) => one !== null && one !== '')
        .map((one) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`),
    ),
  )
  return type === 'string' ? texts.join(', ') : texts
}

function levelMembers(
  value: unknown,
  target: string,
  mark: NonNullable<Reading['path']>,
  fields: ReadonlyMap<string, Field>,
): [string, unknown][] {
  const paths = [value].flat().filter((one) => typeof one === 'string')
  const levels = levelValues(paths, mark)
  return levels.flatMap((values, level): [string, unknown][] => {
    const field = fields.get(levelField(target, level))
    if (field === undefined) return []
    return [[field.name, field.type.endsWith('[]') ? values : values[0]]]
  })
}

/** The distinct values of each level of some paths. */
export function levelValues(
  paths: readonly string[],
  mark: NonNullable<Reading['path']>,
): string[][] {
  const levels: Set<string>[] = []
  for (const path of paths) {
    levelsOf(namesOfPath(path, mark)).forEach((value, level) => {
      levels[level] ??= new Set()
      levels[level].add(value)
    })
  }
  return levels.map((values) => [...values])
}

function deepestNames(value: unknown, mark: NonNullable<Reading['path']>): unknown {
  const deepest = (one: unknown): unknown =>
    typeof one === 'string' ? namesOfPath(one, mark).at(-1) : one
  return Array.isArray(value)
    ? value.map(deepest).filter((one) => one !== undefined)
    : deepest(value)
}

function currencyMember(
  value: unknown,
  { currencyField, numbers }: Reading,
  fields: ReadonlyMap<string, Field>,
): [string, unknown] | undefined {
  if (currencyField === undefined || !fields.has(currencyField)) return undefined
  const currency = typeof value === 'string' ? currencyOfText(value, numbers) : undefined
  return currency === undefined ? undefined : [currencyField, currency]
}

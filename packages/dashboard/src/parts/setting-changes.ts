import type { GivenSettings } from '@aisle/contract'
import { isObject } from '@aisle/contract/is-object'

/** Unsaved changes by path; `null` restores the default. */
export type SettingChanges = Readonly<Record<string, unknown>>

/** @param path `cache.ttl_seconds` */
export function valueAt(settings: unknown, path: string): unknown {
  let value = settings
  for (const name of path.split('.')) {
    if (!isObject(value)) return undefined
    value = value[name]
  }
  return value
}

/** The merge patch for these changes. */
export function patchOf(changes: SettingChanges): Record<string, unknown> {
  const patch: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(changes)) {
    const [group = '', name] = path.split('.')
    if (name === undefined) patch[group] = value
    else patch[group] = { ...(patch[group] as object | undefined), [name]: value }
  }
  return patch
}

/** All settings by path; `null` is the default. */
export type SettingValues = Readonly<Record<string, unknown>>

export function valuesOf(given: unknown, paths: readonly string[]): SettingValues {
  return Object.fromEntries(paths.map((path) => [path, valueAt(given, path) ?? null]))
}

/** The values that differ from what is saved. */
export function changedValues(saved: SettingValues, values: SettingValues): SettingChanges {
  const changed = Object.entries(values).filter(([path, value]) => !isEqual(value, saved[path]))
  return Object.fromEntries(changed)
}

export interface SettingDifference {
  readonly path: string
  /** `undefined`: the default. */
  readonly before: unknown
  readonly after: unknown
}

/** The differences between two versions, by path. */
export function differencesBetween(
  before: GivenSettings,
  after: GivenSettings,
  paths: readonly string[],
): SettingDifference[] {
  return paths
    .map((path) => ({ path, before: valueAt(before, path), after: valueAt(after, path) }))
    .filter((one) => !isEqual(one.before, one.after))
}

/** A list, an order, weights or a number of the shop as lines. */
export function linesOf(path: string, value: unknown): string {
  if ((path === WEIGHTS || path === NUMERIC) && isObject(value)) {
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${String(one)}`)
      .join('\n')
  }
  return Array.isArray(value) ? value.join('\n') : typeof value === 'string' ? value : ''
}

/**
 * The value of text lines.
 *
 * @returns `null`, the default, if there are no lines; an invalid weight is kept as written, so
 *   that the service can refuse it
 */
export function valueOfLines(path: string, text: string): unknown {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length === 0) return null
  if (path === WEIGHTS) return Object.fromEntries(lines.map(weightOf))
  // A member without a line is removed.
  if (path === NUMERIC) return { origin: null, ...Object.fromEntries(lines.map(memberOf)) }
  return path === ORDER ? lines.join(',') : lines
}

const WEIGHTS = 'ranking.field_weights'
const NUMERIC = 'ranking.numeric'
const ORDER = 'ranking.sort_by'

/** `origin: 2026-11-24T08:00:00Z` has more colons than the first. */
function memberOf(line: string): [string, unknown] {
  const colon = line.indexOf(':')
  const [name, text] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).trim()]
  const value = text === '' ? Number.NaN : Number(text)
  return [name.trim(), Number.isNaN(value) ? text : value]
}

function weightOf(line: string): [string, unknown] {
  const colon = line.lastIndexOf(':')
  if (colon < 0) return [line, null]
  const text = line.slice(colon + 1).trim()
  const weight = text === '' ? Number.NaN : Number(text)
  return [line.slice(0, colon).trim(), Number.isNaN(weight) ? text : weight]
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

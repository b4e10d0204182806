import { isObject } from '@aisle/contract/is-object'

/** A nested value that differs from the wanted one. */
export interface Difference {
  /** `boost[0].weight`; empty: the value itself. */
  readonly path: string
  /** `undefined`: absent. */
  readonly before: unknown
  readonly after: unknown
}

/** The default that a service fills in for an absent member. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['enabled', true],
  ['priority', 0],
])
const NOTHING: readonly unknown[] = [false, null, '']

/**
 * The differences between `present` and `wanted`: members of objects and of lists of objects, other
 * values as a whole.
 */
export function differencesOf(present: unknown, wanted: unknown, path = ''): Difference[] {
  if (isSame(wanted, present)) return []
  if (isObject(present) && isObject(wanted)) {
    const keys = new Set([...Object.keys(wanted), ...Object.keys(present)])
    return [...keys].flatMap((key) => {
      if (!Object.hasOwn(wanted, key) && isDefault(key, present[key])) return []
      return differencesOf(present[key], wanted[key], path === '' ? key : `${path}.${key}`)
    })
  }
  if (isObjectList(present) && isObjectList(wanted)) {
    const length = Math.max(present.length, wanted.length)
    return Array.from({ length }, (_, i) =>
      differencesOf(present[i], wanted[i], `${path}[${i}]`),
    ).flat()
  }
  return [{ path, before: present, after: wanted }]
}

/** Whether `present` equals `wanted`, apart from defaults. */
export function isSame(wanted: unknown, present: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(present) &&
      wanted.length === present.length &&
      wanted.every((one, i) => isSame(one, present[i]))
    )
  }
  if (!isObject(wanted) || !isObject(present)) return Object.is(wanted, present)
  return (
    Object.entries(wanted).every(([key, value]) => isSame(value, present[key] ?? null)) &&
    Object.entries(present).every(
      ([key, value]) => Object.hasOwn(wanted, key) || isDefault(key, value),
    )
  )
}

function isDefault(key: string, value: unknown): boolean {
  if (DEFAULTS.has(key)) return DEFAULTS.get(key) === value
  if (NOTHING.includes(value)) return true
  return isObject(value) || Array.isArray(value) ? Object.keys(value).length === 0 : false
}

function isObjectList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isObject)
}

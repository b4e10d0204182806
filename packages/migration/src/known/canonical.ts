import { isObject } from '@aisle/contract/is-object'

/** Equal texts for equal values, in any order of members. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).toSorted(byName)) : one,
  )
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0
}

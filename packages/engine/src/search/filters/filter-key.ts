import type { FilterNode } from '../../query/filter.ts'
import { visitLeaves } from './filter-leaves.ts'

/** Filters are immutable, so each key is computed once for all segments. */
const keys = new WeakMap<FilterNode, string | null>()

/**
 * The cache key of a filter: equal texts mean equal filters.
 *
 * @returns null if the filter must not be cached, because it names ids, whose meaning changes, or
 *   a vector, which no other search has
 */
export function filterKey(node: FilterNode): string | null {
  let key = keys.get(node)
  if (key === undefined) {
    key = isOfOneSearch(node) ? null : keyText(node)
    keys.set(node, key)
  }
  return key
}

function isOfOneSearch(node: FilterNode): boolean {
  let isSo = false
  visitLeaves(node, ({ kind }) => (isSo ||= kind === 'ids' || kind === 'near'))
  return isSo
}

/** Equal texts mean equal values. */
export function keyText(value: object): string {
  return JSON.stringify(value, plainValue)
}

/** Values that JSON cannot express. Infinite bounds would all become `null`. */
function plainValue(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { int64: String(value) }
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) }
  return value
}

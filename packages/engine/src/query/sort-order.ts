import type { SortKey } from './plan.ts'

/** The order by text match score, best first. */
const BY_SCORE: SortKey = { kind: 'textMatch', descending: true }

/** The keys of a plan, with the score as the last one unless it is among them. */
export function withScore(sort: readonly SortKey[]): readonly SortKey[] {
  return sort.some((key) => key.kind === 'textMatch' && key.buckets === undefined)
    ? sort
    : [...sort, BY_SCORE]
}

/** Whether the key is the score itself, best first. */
export function isByScore(key: SortKey = BY_SCORE): boolean {
  return key.kind === 'textMatch' && key.descending && key.buckets === undefined
}

import type { SearchPlan } from './plan.ts'

/**
 * Of a title that does not have every word as it was typed, in any inflection: behind all places
 * that there may be.
 */
export const NOWHERE = Number.MAX_SAFE_INTEGER

/**
 * Do documents that nothing else tells apart come in the order of the places of their words in the
 * title? When the order is by score, and by popularity at most. ("Earlier words" in
 * docs/ranking.md)
 */
export function tiesByPlace({ slots, sort, titleField, fieldWeights }: SearchPlan): boolean {
  const kinds = ['textMatch', 'popularity']
  const isByScore =
    sort.length <= kinds.length &&
    sort.every(({ kind, descending }, i) => kind === kinds[i] && descending)
  return isByScore && slots.length > 0 && titleField >= 0 && fieldWeights[titleField]! > 0
}

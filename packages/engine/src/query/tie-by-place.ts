import type { SearchPlan } from './plan.ts'
import { ranksBy } from './ranking-parts.ts'
import { isByScore } from './sort-order.ts'

/** The place in a title without the typed word (in any inflection): after all real places. */
export const NOWHERE = Number.MAX_SAFE_INTEGER

/**
 * Whether the places of words in the title break ties: if the order is by score, and then at most
 * by popularity. ("Earlier words" in docs/ranking.md)
 */
export function tiesByPlace(plan: SearchPlan): boolean {
  const { slots, sort, titleField, fieldWeights } = plan
  if (!ranksBy(plan, 'places')) return false
  const [first, second, ...others] = sort
  const isUsual =
    isByScore(first) &&
    (second === undefined || (second.kind === 'popularity' && second.descending)) &&
    others.length === 0
  return isUsual && slots.length > 0 && titleField >= 0 && fieldWeights[titleField]! > 0
}

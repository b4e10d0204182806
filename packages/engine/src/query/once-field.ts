import type { SearchPlan } from './plan.ts'

/**
 * Ordinal of the field in which a word counts once, however often it occurs; -1: none
 * ("Accessories" in docs/ranking.md).
 */
export function onceField(
  plan: Partial<Pick<SearchPlan, 'accessoryMarks' | 'accessoriesDown' | 'titleField'>>,
): number {
  return ranksLeading(plan) ? (plan.titleField ?? -1) : -1
}

/** Whether words before the first mark of a title earn points. */
export function ranksLeading({
  accessoryMarks,
  accessoriesDown,
}: Pick<SearchPlan, 'accessoryMarks' | 'accessoriesDown'>): boolean {
  return accessoriesDown === true && accessoryMarks !== undefined
}

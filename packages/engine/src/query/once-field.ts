import type { SearchPlan } from './plan.ts'

/**
 * Ordinal of the field in which a word counts once, however often it occurs; -1: none
 * ("Accessories" in docs/ranking.md).
 */
export function onceField({
  accessoryMarks,
  titleField = -1,
}: Partial<Pick<SearchPlan, 'accessoryMarks' | 'titleField'>>): number {
  return accessoryMarks === undefined ? -1 : titleField
}

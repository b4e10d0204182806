import type { Analyzer } from '../analysis/analyzer.ts'
import { WEIGHT_EXACT, WEIGHT_STEM, WEIGHT_STEM_WEAK } from '../scoring/formula.ts'
import { rankingParts } from '../scoring/ranking-parts.ts'

/** q of a form that shares a stem with the typed one. */
export function stemQuality({ isPlural }: Analyzer, typed: string, form: string): number {
  if (form === typed) return WEIGHT_EXACT
  if (isPlural === undefined || !rankingParts.weakStems) return WEIGHT_STEM
  return isPlural(typed, form) ? WEIGHT_STEM : WEIGHT_STEM_WEAK
}

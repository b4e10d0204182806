import type { Analyzer } from '../analysis/analyzer.ts'
import { WEIGHT_EXACT, WEIGHT_STEM, WEIGHT_STEM_WEAK } from '../scoring/formula.ts'

/** Quality q of a form with the same stem as the typed one. */
export function stemQuality(
  { isPlural }: Pick<Analyzer, 'isPlural'>,
  typed: string,
  form: string,
): number {
  if (form === typed) return WEIGHT_EXACT
  if (isPlural === undefined) return WEIGHT_STEM
  return isPlural(typed, form) ? WEIGHT_STEM : WEIGHT_STEM_WEAK
}

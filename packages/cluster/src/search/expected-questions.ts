import type { Analyzer, SearchPlan } from '@aisle/engine'
import type { Question } from './question.ts'
import type { SearchPlace } from './search-place.ts'
import * as questions from './word-questions.ts'

/**
 * The questions that a plan is likely to ask once it knows which of its words exist. Most typed
 * words exist, so asking them at once merges two or three requests into one.
 */
export function expectedQuestions(
  { slots }: SearchPlan,
  place: SearchPlace,
  analyzer: Analyzer,
): Question<unknown>[] {
  return slots.flatMap(({ form, prefix }): Question<unknown>[] => [
    questions.formCount(place, form),
    ...(prefix === 'always'
      ? [questions.formsQuestion(place, { kind: 'beginning', text: form }, analyzer)]
      : []),
  ])
}

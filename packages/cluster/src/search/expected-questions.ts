import { titleFieldOf, type Schema, type SearchPlan } from '@aisle/engine'
import type { Question } from './question.ts'
import type { SearchPlace } from './search-place.ts'
import * as questions from './word-questions.ts'

/**
 * The questions that a plan is likely to ask once it knows which of its words exist. Most typed
 * words exist, so asking them at once merges two or three requests into one.
 *
 * @param docCount approximate N
 */
export function expectedQuestions(
  plan: SearchPlan,
  schema: Schema,
  place: SearchPlace,
  docCount: number,
): Question<unknown>[] {
  const { slots, titleField } = plan
  const mayVouch = slots.length > 1 && titleField >= 0 && titleField === titleFieldOf(schema)
  return slots.flatMap(({ form, stem, prefix, stopword }): Question<unknown>[] => [
    questions.formCount(place, form),
    ...(prefix === 'always'
      ? [questions.formsQuestion(place, { kind: 'beginning', text: form })]
      : []),
    ...(mayVouch && !stopword
      ? [
          questions.titleCount(place, stem, docCount),
          questions.titlesQuestion(place, stem, titleField, docCount),
        ]
      : []),
  ])
}

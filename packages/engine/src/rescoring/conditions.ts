import type { Phrase, SearchPlan } from '../query/plan.ts'
import type { CandidateDocument, PlacedToken } from './candidate-document.ts'
import { ELEMENT_STRIDE, tokensOf } from './candidate-document.ts'

/** "Phrases and exclusions" in docs/ranking.md: whether the document may be found. */
export function meetsConditions(plan: SearchPlan, document: CandidateDocument): boolean {
  if (plan.phrases.length + plan.exclusions.length === 0) return true
  const isSearched = (_: unknown, field: number) => plan.fieldWeights[field]! > 0
  const fields = document.tokens.filter(isSearched)
  const holds = (phrase: Phrase) => fields.some((tokens) => holdsPhrase(tokens, phrase))
  return plan.phrases.every(holds) && !plan.exclusions.some(holds)
}

function holdsPhrase(tokens: readonly PlacedToken[], { spellings, inflected }: Phrase): boolean {
  return spellings.some((words) =>
    tokens.some((first) =>
      words.every(({ form, stem }, i) =>
        tokens.some(
          (token) =>
            token.position === first.position + i &&
            (inflected ? token.stem === stem : token.form === form),
        ),
      ),
    ),
  )
}

/** "Exact value" in docs/ranking.md: whether a value of the document equals the query. */
export function hasExactValue(plan: SearchPlan, document: CandidateDocument): boolean {
  const { exactValue, exactValueFields, fieldWeights } = plan
  if (exactValue.length === 0) return false
  return exactValueFields.some((counts, field) => {
    if (!counts || fieldWeights[field] === 0) return false
    const tokens = tokensOf(document, field)
    const starts = tokens.map(({ position }) => position).filter((at) => at % ELEMENT_STRIDE === 0)
    return starts.some(
      (start) =>
        exactValue.every((form, i) =>
          tokens.some((token) => token.position === start + i && token.form === form),
        ) && !isTaken(document, field, start + exactValue.length),
    )
  })
}

function isTaken(document: CandidateDocument, field: number, position: number): boolean {
  if (document.rest !== undefined) return document.rest.isTaken(field, position)
  return tokensOf(document, field).some((token) => token.position === position)
}

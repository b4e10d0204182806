import {
  isArrayType,
  type CompletionOutcome,
  type CompletionRequest,
  type Schema,
  type SearchPlan,
} from '@aisle/engine'
import type { SearchView } from '../../ports/search-backend.ts'

/**
 * Completions of the last word of a query, from words in names of things. Descriptive texts are
 * used only to find company for words that no name holds.
 */
export async function completeWord(
  view: SearchView,
  plan: SearchPlan,
  request: CompletionRequest,
): Promise<CompletionOutcome> {
  const fields = view.schema && nameFields(view.schema, plan)
  if (fields === undefined) return await view.complete(plan, request)
  const named = await view.complete(plan, { ...request, fields })
  return named.docCount > 0 || named.cutoff ? named : await view.complete(plan, request)
}

/** Undefined: the schema does not distinguish names from texts. */
function nameFields({ fields }: Schema, { titleField, fieldWeights }: SearchPlan) {
  if (titleField < 0 || fieldWeights[titleField] === 0) return undefined
  return fields.map(
    ({ type, facet, sort }, ordinal) =>
      ordinal === titleField || facet || sort || isArrayType(type),
  )
}

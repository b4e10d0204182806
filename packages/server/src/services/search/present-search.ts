import { PER_PAGE_DEFAULT } from '@aisle/contract'
import { correctQuery } from '../../domain/query/correct-query.ts'
import { exactJson } from '../../domain/json/json-exact.ts'
import type { RuleEffects } from '../../domain/rules/rule-effects.ts'
import type { ExecutedSearch } from './executed-search.ts'
import { markFacets, presentFacetCounts, presentFacetMap } from './present-facets.ts'
import { presentHits } from './present-hits.ts'

/** The response without the parts that differ each time it is sent; see answer-text.ts. */
export interface PresentedSearch {
  readonly head: string
  readonly tail: string
  /**
   * The query with misspelt words corrected, where no document holds the typed ones; undefined:
   * nothing was corrected.
   */
  readonly corrected: string | undefined
  /** Whether time ran out before the search was complete. */
  readonly cutoff: boolean
}

/**
 * The present stage: the response as JSON text. Documents are spliced in as their stored text, so
 * nothing is parsed only to be printed again.
 */
export async function presentSearch(executed: ExecutedSearch): Promise<PresentedSearch> {
  const { schema, request, planned, outcome, suggested, meant } = executed
  const page = request.page ?? 1
  const perPage = request.per_page ?? PER_PAGE_DEFAULT
  const totalPages = perPage === 0 ? 0 : Math.ceil(outcome.found / perPage)
  const hits = await presentHits(executed)
  let head =
    `{"found":${outcome.found},"page":${page},"per_page":${perPage},` +
    `"total_pages":${totalPages},"hits":[${hits.json}]`
  const isEscaped = request.highlight_escape ?? true
  const marked = markFacets(planned.plan, outcome.facets, executed.analyzer, isEscaped)
  if (request.facet_by !== undefined || outcome.facets.length > 0) {
    head += `,"facets":${presentFacetMap(schema, marked.facets)}`
    head += `,"facet_counts":${presentFacetCounts(schema, marked.facets)}`
  }
  if (suggested !== undefined) head += `,"suggestions":${JSON.stringify(suggested.suggestions)}`
  if (executed.isRewritten) head += `,"rewritten_query":${JSON.stringify(request.q)}`
  const corrected = correctQuery(planned.query, planned.words, outcome.expansions)
  if (corrected !== undefined) head += `,"corrected_query":${JSON.stringify(corrected)}`
  if (meant.text !== undefined) head += `,"did_you_mean":${JSON.stringify(meant.text)}`
  const cutoff =
    outcome.cutoff || hits.cutoff || marked.cutoff || suggested?.cutoff === true || meant.cutoff
  if (cutoff) head += ',"search_cutoff":true'
  head += presentRules(executed.rules)
  const warnings = [...executed.warnings, ...hits.warnings]
  const tail = warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}}` : '}'
  return { head, tail, corrected, cutoff }
}

/** The rules that applied, and what they add to the page. */
function presentRules(rules: RuleEffects | undefined): string {
  if (rules === undefined || rules.applied.length === 0) return ''
  const applied = `,"applied_rules":${JSON.stringify(rules.applied)}`
  return rules.metadata === undefined
    ? applied
    : `${applied},"metadata":${exactJson(rules.metadata)}`
}

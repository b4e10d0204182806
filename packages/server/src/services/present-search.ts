import { performance } from 'node:perf_hooks'
import { PER_PAGE_DEFAULT, type SearchParameters } from '@aisle/contract'
import type { Analyzer, Schema, SearchOutcome } from '@aisle/engine'
import { correctQuery } from '../domain/correct-query.ts'
import { exactJson } from '../domain/json-exact.ts'
import type { PlannedSearch } from '../domain/plan-search.ts'
import type { QuerySuggestion } from '../domain/query-suggestions.ts'
import type { RuleEffects } from '../domain/rule-effects.ts'
import type { Catalog } from './catalog.ts'
import { presentFacetCounts, presentFacetMap } from './present-facets.ts'
import { presentHits } from './present-hits.ts'

export interface ExecutedSearch {
  readonly catalog: Catalog
  readonly storeId: string
  readonly schema: Schema
  readonly analyzer: Analyzer
  /** Its query as rules have rewritten it. */
  readonly request: SearchParameters
  readonly planned: PlannedSearch
  /** Undefined: none applied. */
  readonly rules: RuleEffects | undefined
  readonly isRewritten: boolean
  readonly outcome: SearchOutcome
  /** Undefined: not asked for. */
  readonly suggested:
    | { readonly suggestions: readonly QuerySuggestion[]; readonly cutoff: boolean }
    | undefined
  readonly warnings: readonly string[]
  readonly searchId: string
  /** `performance.now()` when the request came in. */
  readonly startMs: number
}

/**
 * The present stage: the answer as JSON text. Documents go in as the text they were stored as; nothing
 * is parsed to be printed again.
 */
export function presentSearch(executed: ExecutedSearch): string {
  const { schema, request, planned, outcome, suggested, warnings, startMs } = executed
  const page = request.page ?? 1
  const perPage = request.per_page ?? PER_PAGE_DEFAULT
  const totalPages = perPage === 0 ? 0 : Math.ceil(outcome.found / perPage)
  const hits = presentHits(executed)
  let json =
    `{"found":${outcome.found},"page":${page},"per_page":${perPage},` +
    `"total_pages":${totalPages},"hits":[${hits.json}]`
  if (request.facet_by !== undefined) {
    json += `,"facets":${presentFacetMap(schema, outcome.facets)}`
    json += `,"facet_counts":${presentFacetCounts(schema, outcome.facets)}`
  }
  if (suggested !== undefined) json += `,"suggestions":${JSON.stringify(suggested.suggestions)}`
  if (executed.isRewritten) json += `,"rewritten_query":${JSON.stringify(request.q)}`
  const corrected = correctQuery(request.q, planned.words, outcome.expansions, executed.analyzer)
  if (corrected !== undefined) json += `,"corrected_query":${JSON.stringify(corrected)}`
  if (outcome.cutoff || hits.cutoff || suggested?.cutoff === true) json += ',"search_cutoff":true'
  json += presentRules(executed.rules)
  json += `,"cached":false,"search_id":"${executed.searchId}"`
  json += `,"search_time_ms":${Math.round((performance.now() - startMs) * 100) / 100}`
  if (warnings.length > 0) json += `,"warnings":${JSON.stringify(warnings)}`
  return json + '}'
}

/** Which rules applied, and what they have for the page. */
function presentRules(rules: RuleEffects | undefined): string {
  if (rules === undefined || rules.applied.length === 0) return ''
  const applied = `,"applied_rules":${JSON.stringify(rules.applied)}`
  return rules.metadata === undefined
    ? applied
    : `${applied},"metadata":${exactJson(rules.metadata)}`
}

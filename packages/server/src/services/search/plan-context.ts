import type { SearchParameters } from '@aisle/contract'
import { requireField } from '../../domain/documents/field-lookup.ts'
import { planSearch, type PlanContext, type PlannedSearch } from '../../domain/plan/plan-search.ts'
import type { AnalysedQuery } from '../../domain/query/analysed-query.ts'
import { rankingDefaults } from '../../domain/store/store-settings.ts'
import type { SearchView } from '../../ports/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import type { RequestPace } from './request-pace.ts'
import { querySets } from './query-sets.ts'
import { currentSettings } from '../store/store-settings.ts'

/** A request with the store's ranking settings as defaults. */
export function withRanking<T extends Pick<SearchParameters, 'field_weights' | 'search_fields'>>(
  { schema = NO_SCHEMA, analyzer, resources }: SearchView,
  request: T,
): T {
  const { settings } = currentSettings(resources)
  if (settings.ranking === undefined) return request
  return { ...rankingDefaults(settings, request, schema, analyzer), ...request }
}

/** The store's contribution to the plan of a request. @throws ApiError unknown_set */
export function planContext(
  view: SearchView,
  request: Pick<SearchParameters, 'synonym_sets' | 'stopword_sets'>,
  { startMs, timeoutMaxMs }: Pick<RequestPace, 'startMs' | 'timeoutMaxMs'>,
): PlanContext {
  const { analyzer, schema = NO_SCHEMA } = view
  return {
    schema,
    analyzer,
    nowMs: startMs,
    timeoutMaxMs,
    accessoriesDown: currentSettings(view.resources).settings.ranking?.accessories === 'down',
    ...querySets(view, request),
  }
}

/**
 * The plan of a search, or the reason why there is none.
 *
 * @param query analysis of `request.q`, if there is one already
 * @throws ApiError
 */
export function planRequest(
  view: SearchView,
  request: SearchParameters,
  pace: Pick<RequestPace, 'startMs' | 'timeoutMaxMs'>,
  query?: AnalysedQuery,
): PlannedSearch {
  for (const param of ['snippet_fields', 'full_snippet_fields'] as const) {
    for (const [i, name] of (request[param] ?? []).entries()) {
      requireField(view.schema ?? NO_SCHEMA, name, { param: `${param}[${i}]` })
    }
  }
  return planSearch(withRanking(view, request), planContext(view, request, pace), query)
}

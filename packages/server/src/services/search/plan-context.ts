import type { SearchParameters } from '@aisle/contract'
import { requireField } from '../../domain/documents/field-lookup.ts'
import { planSearch, type PlanContext, type PlannedSearch } from '../../domain/plan/plan-search.ts'
import { rankingDefaults } from '../../domain/store/store-settings.ts'
import type { SearchView } from '../../ports/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { NO_SCHEMA } from '../open-view.ts'
import type { RequestPace } from './request-pace.ts'
import { querySets } from './query-sets.ts'
import { currentSettings } from '../store/store-settings.ts'

/** A request with the ranking of the store behind what it says itself. */
export function withRanking<T extends Pick<SearchParameters, 'field_weights' | 'search_fields'>>(
  ports: ServicePorts,
  storeId: string,
  { schema = NO_SCHEMA, analyzer }: SearchView,
  request: T,
): T {
  const { settings } = currentSettings(ports, storeId)
  if (settings.ranking === undefined) return request
  return { ...rankingDefaults(settings, request, schema, analyzer), ...request }
}

/** What the store brings to the plan of a request. @throws ApiError unknown_set */
export function planContext(
  ports: ServicePorts,
  storeId: string,
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
    ...querySets(ports, storeId, request, analyzer),
  }
}

/** The plan of a search, or why there is none. @throws ApiError */
export function planRequest(
  ports: ServicePorts,
  storeId: string,
  view: SearchView,
  request: SearchParameters,
  pace: Pick<RequestPace, 'startMs' | 'timeoutMaxMs'>,
): PlannedSearch {
  for (const param of ['snippet_fields', 'full_snippet_fields'] as const) {
    for (const [i, name] of (request[param] ?? []).entries()) {
      requireField(view.schema ?? NO_SCHEMA, name, { param: `${param}[${i}]` })
    }
  }
  const ranked = withRanking(ports, storeId, view, request)
  return planSearch(ranked, planContext(ports, storeId, view, request, pace))
}

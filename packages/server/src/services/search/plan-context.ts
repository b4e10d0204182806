import { ApiError, type SearchParameters } from '@aisle/contract'
import { requireNamed } from '../../domain/documents/field-lookup.ts'
import { movingOrigin, plannedNumeric } from '../../domain/store/numeric-rank.ts'
import { planSearch, type PlanContext, type PlannedSearch } from '../../domain/plan/plan-search.ts'
import { canonicalJson } from '../../domain/json/canonical-json.ts'
import { isTimeZone } from '../../domain/values/calendar.ts'
import { movingDatesWith } from '../../domain/expressions/collections.ts'
import { movingDates, type DateContext } from '../../domain/values/date-literal.ts'
import type { AnalysedQuery } from '../../domain/query/analysed-query.ts'
import { rankingDefaults } from '../../domain/store/store-settings.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import type { TimeLimit } from './request-pace.ts'
import { querySets } from './query-sets.ts'
import { storeCollections } from '../store-collections.ts'
import { currentSettings } from '../store/store-settings.ts'

/** Completes a request with the store's ranking settings as defaults. */
export function withRanking<T extends Pick<SearchParameters, 'field_weights' | 'search_fields'>>(
  { schema = NO_SCHEMA, analyzer, resources }: SearchView,
  request: T,
): T {
  const { settings } = currentSettings(resources)
  if (settings.ranking === undefined) return request
  return { ...rankingDefaults(settings, request, schema, analyzer), ...request }
}

/** Returns the moment and time zone of dates in a request. @throws ApiError invalid_parameter */
export function datesOf(
  { time_zone: timeZone = 'UTC' }: Pick<SearchParameters, 'time_zone'>,
  nowMs: number,
): DateContext {
  if (isTimeZone(timeZone)) return { nowMs, timeZone }
  throw new ApiError(
    'invalid_parameter',
    '`time_zone` must be a name such as `Europe/Berlin`, `UTC`, or an offset such as `+02:00`.',
    { param: 'time_zone' },
  )
}

const NO_DATES: readonly string[] = []

/** Returns what `now` means in the expressions of a request, since its answer depends on it. */
export function movingDatesIn(
  { resources }: SearchView,
  request: SearchParameters,
  nowMs: number,
): readonly string[] {
  const { filter_by, filters, sort_by, facet_by } = request
  // Most requests have none; the plan reports errors of their time zone.
  if (filter_by === undefined && filters === undefined && sort_by === undefined) {
    if (facet_by === undefined) return NO_DATES
  }
  const texts = [filter_by, ...[sort_by].flat(), ...[facet_by].flat()]
  const inObject = filters === undefined ? undefined : canonicalJson(filters)
  const collections = storeCollections(resources)
  return movingDatesWith(collections, [...texts, inObject], datesOf(request, nowMs))
}

/** The same for the store's ranking settings. */
export function movingDatesOf({ resources }: SearchView, nowMs: number): readonly string[] {
  const origin = movingOrigin(currentSettings(resources).settings.ranking?.numeric)
  return origin === undefined ? NO_DATES : movingDates([origin], { nowMs, timeZone: 'UTC' })
}

/**
 * The store's contribution to the plan of a request.
 *
 * @param dateMs what `now` means in its expressions: milliseconds since 1970
 * @throws ApiError unknown_set, invalid_parameter
 */
export function planContext(
  view: SearchView,
  request: Pick<SearchParameters, 'synonym_sets' | 'stopword_sets' | 'stopwords' | 'time_zone'>,
  { startMs, timeoutMaxMs, timeoutDefaultMs }: TimeLimit,
  dateMs: number,
): PlanContext {
  const { analyzer, schema = NO_SCHEMA } = view
  const { ranking, distinct, omit_fields: omitted } = currentSettings(view.resources).settings
  const dates = datesOf(request, dateMs)
  return {
    schema,
    analyzer,
    nowMs: startMs,
    dates,
    collections: storeCollections(view.resources),
    timeoutMaxMs,
    timeoutDefaultMs,
    accessoriesDown: ranking?.accessories === 'down',
    numeric: plannedNumeric(ranking?.numeric, schema, dates),
    distinct,
    omitted,
    ...querySets(view, request),
  }
}

/**
 * Plans a search, or returns the reason why it cannot be planned.
 *
 * @param dateMs what `now` means in its expressions: milliseconds since 1970
 * @param query analysis of `request.q`, if it exists already
 * @throws ApiError
 */
export function planRequest(
  view: SearchView,
  request: SearchParameters,
  pace: TimeLimit,
  dateMs: number,
  query?: AnalysedQuery,
): PlannedSearch {
  for (const param of ['snippet_fields', 'full_snippet_fields'] as const) {
    for (const [i, name] of (request[param] ?? []).entries()) {
      requireNamed(view.schema ?? NO_SCHEMA, name, `${param}[${i}]`)
    }
  }
  const context = planContext(view, request, pace, dateMs)
  return planSearch(withRanking(view, request), context, query)
}

import {
  FiltersRequest,
  FiltersResponse,
  MultiSearchRequest,
  MultiSearchResponse,
  SEARCH_BODY_MAX_BYTES,
  SLOW_SEARCH_MIN_MS,
  SLOW_SEARCH_QUERY_MAX_CHARS,
  SearchParameters,
  SearchResponse,
  type ErrorCode,
  type TokenScope,
  type SlowSearch,
} from '@aisle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tokenParameters } from '../../domain/access/token-parameters.ts'
import { listFilters } from '../../services/search/list-filters.ts'
import { multiSearch } from '../../services/search/multi-search.ts'
import { recordSearch } from '../../services/search/record-search.ts'
import { scopedPorts } from '../../services/search/scoped-view.ts'
import { search, type Answer, type SearchAnswer } from '../../services/search/search.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendAnswer, sendJson } from '../json-text.ts'
import { jsonAnswer, route } from '../operation.ts'
import { RepeatedBodies } from '../repeated-bodies.ts'
import { requestLog } from '../request-id.ts'
import { visitorReader } from '../visitor.ts'
import { bodyBytes, bodyJson } from '../plugins/body.ts'
import { countRefusal, errorBody, toApiError } from '../plugins/errors.ts'
import { decodeQuery } from '../query-parameters.ts'

/** Errors that refuse a search. */
export const SEARCH_ERRORS: readonly ErrorCode[] = [
  'missing_parameter',
  'invalid_parameter',
  'invalid_filter',
  'invalid_sort',
  'invalid_facet',
  'unknown_field',
  'field_not_facetable',
  'field_not_sortable',
  'field_not_searchable',
  'field_not_filterable',
  'unknown_preset',
  'semantic_not_configured',
  'unknown_set',
  'unknown_collection',
  'quota_exceeded',
  'answer_too_large',
]

/**
 * Searches by body or by URL, with one query or several, and lists the filters that remain for a
 * query.
 */
export function searchRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const visitorOf = visitorReader(ports, app.uses)
  const bodies = new RepeatedBodies()
  const answerSearch = async (
    request: FastifyRequest,
    reply: FastifyReply,
    parameters: unknown,
  ): Promise<FastifyReply> => {
    const { storeId, pace } = request
    const visitor = visitorOf(request)
    const scope = request.scope ?? undefined
    const allowed = tokenParameters(scope, parameters, SearchParameters)
    const scoped = scopedPorts(ports, scope)
    const answer = await search(scoped, storeId, allowed, pace, undefined, visitor)
    observe(request, 'search', answer)
    request.answers = [answer]
    if (!recordSearch(ports, storeId, visitor, answer)) app.metrics.searchEventsDropped.inc()
    return sendAnswer(reply, answer.json)
  }
  const observe = (
    request: FastifyRequest,
    kind: SlowSearch['kind'],
    answer: ObservedAnswer,
  ): void => {
    const { metrics } = app
    const store = metrics.storeLabel(request.storeId)
    metrics.addSearch(store, kind, answer.cached)
    metrics.searchSeconds.observe(answer.tookMs / 1000)
    if (answer.times !== undefined && !answer.cached) metrics.addStages(answer.times)
    if (answer.found === 0) metrics.zeroResults.inc()
    if (answer.cutoff) metrics.searchTimeouts.inc()
    if (answer.isSemanticSkipped === true) metrics.semanticSkipped.inc({ store })
    if (answer.tookMs >= SLOW_SEARCH_MIN_MS) {
      app.activity.noteSlow(slowSearch(ports.clock.now(), request.storeId, kind, answer))
    }
  }
  const bodyLimit = SEARCH_BODY_MAX_BYTES

  app.post(
    '/v1/search',
    route('read', 'Search', {
      bodyLimit,
      scoped: 'filter_and_preset',
      id: 'search',
      summary: 'Search',
      body: { 'application/json': SearchParameters },
      example: {
        q: 'tent',
        filter_by: 'price:<300',
        facet_by: 'brand',
        sort_by: 'price:asc',
        per_page: 5,
      },
      success: jsonAnswer(SearchResponse, 'The results.'),
      errors: SEARCH_ERRORS,
    }),
    (request, reply) => answerSearch(request, reply, bodies.parse(bodyBytes(request))),
  )
  app.get(
    '/v1/search',
    route('read', 'Search', {
      scoped: 'filter_and_preset',
      id: 'searchByUrl',
      summary: 'Search by URL',
      description:
        'The same as POST. Lists are repeated keys, comma lists or JSON; objects are JSON; booleans are `true`, `1`, `false`, `0`.',
      query: SearchParameters,
      success: jsonAnswer(SearchResponse, 'The results.'),
      errors: SEARCH_ERRORS,
    }),
    (request, reply) =>
      answerSearch(
        request,
        reply,
        decodeQuery(SearchParameters, request.query as Record<string, string>),
      ),
  )
  app.post(
    '/v1/multi-search',
    route('read', 'Search', {
      bodyLimit,
      scoped: 'filter_and_preset',
      id: 'multiSearch',
      summary: 'Run several searches at once',
      description: 'A query that fails has an error in its place.',
      body: { 'application/json': MultiSearchRequest },
      example: { queries: [{ q: 'tent' }, { q: 'mug', per_page: 3 }] },
      success: jsonAnswer(MultiSearchResponse, 'One response per query, in order.'),
      errors: ['missing_parameter', 'invalid_parameter', 'answer_too_large'],
    }),
    async (request, reply) => {
      const scope = request.scope ?? undefined
      const { json, answers } = await multiSearch(
        scopedPorts(ports, scope),
        request.storeId,
        allowedQueries(scope, bodyJson(request)),
        (error) => {
          countRefusal(app, request.storeId, error)
          const failure = toApiError(error)
          if (failure.code === 'internal') requestLog(request).error({ err: error }, 'query failed')
          return errorBody(failure, request.id)
        },
        request.pace,
        (searchCount) => request.charge(searchCount - 1),
        visitorOf(request),
      )
      for (const answer of answers) observe(request, 'multi_search', answer)
      request.answers = answers
      return sendJson(reply, json)
    },
  )
  app.post(
    '/v1/filters',
    route('read', 'Search', {
      bodyLimit,
      scoped: 'filter_and_preset',
      id: 'listFilters',
      summary: 'Read the facets of the results of a query',
      body: { 'application/json': FiltersRequest },
      example: { q: 'tent' },
      success: jsonAnswer(FiltersResponse, 'Values and ranges by field.'),
      errors: SEARCH_ERRORS,
    }),
    async (request, reply) => {
      const scope = request.scope ?? undefined
      const allowed = tokenParameters(scope, bodyJson(request), FiltersRequest)
      const scoped = scopedPorts(ports, scope)
      const answer = await listFilters(scoped, request.storeId, allowed, request.pace)
      observe(request, 'filters', answer)
      return sendJson(reply, answer.json)
    },
  )
}

/** If a token does not allow one query, all of them are refused. */
function allowedQueries(scope: TokenScope | undefined, body: unknown): unknown {
  const { queries } = (body ?? {}) as { readonly queries?: unknown }
  if (scope === undefined || !Array.isArray(queries)) return body
  const allowed = queries.map((one) => tokenParameters(scope, one, SearchParameters))
  return { ...(body as object), queries: allowed }
}

/** Responses to filter requests have neither the request nor the stages. */
type ObservedAnswer = Answer &
  Partial<Pick<SearchAnswer, 'request' | 'times' | 'isSemanticSkipped'>>

function slowSearch(
  nowMs: number,
  storeId: string,
  kind: SlowSearch['kind'],
  { tookMs, found, cutoff, request }: ObservedAnswer,
): SlowSearch {
  return {
    at: new Date(nowMs).toISOString(),
    store_id: storeId,
    kind,
    took_ms: Math.round(tookMs * 10) / 10,
    found,
    cut_off: cutoff,
    ...(request === undefined
      ? {}
      : { q: (request.q ?? '').slice(0, SLOW_SEARCH_QUERY_MAX_CHARS) }),
  }
}

import {
  GivenSuggestionsConfig,
  SEARCH_BODY_MAX_BYTES,
  StoreSuggestionsConfig,
  SuggestionParameters,
  SuggestionsConfig,
  SuggestionsResponse,
  type TObject,
} from '@aisle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tokenParameters } from '../../domain/access/token-parameters.ts'
import { canonicalNames } from '../../domain/suggestions/suggestion-request.ts'
import { scopedPorts } from '../../services/search/scoped-view.ts'
import {
  publicSuggestionsConfig,
  putSuggestionsConfig,
  suggestionsConfig,
  suggestionsConfigTag,
} from '../../services/suggestions/suggestions-config.ts'
import { suggestions } from '../../services/suggestions/typeahead.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendJson } from '../json-text.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyJson } from '../plugins/body.ts'
import { decodeQuery } from '../query-parameters.ts'
import { visitorReader } from '../visitor.ts'

const PARAMETERS: TObject = SuggestionParameters
const CONFIG = '/api/v1/stores/:id/suggestions/config'

/**
 * Suggests queries for a typed text, and reads and changes the configuration of the suggestions.
 */
export function suggestionRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const visitorOf = visitorReader(ports, app.uses)
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    parameters: unknown,
  ): Promise<FastifyReply> => {
    const { storeId, pace } = request
    const scope = request.scope ?? undefined
    const allowed = tokenParameters(scope, canonicalNames(parameters), PARAMETERS)
    const scoped = scopedPorts(ports, scope)
    return sendJson(reply, await suggestions(scoped, storeId, visitorOf(request), allowed, pace))
  }
  app.post(
    '/v1/suggestions/queries',
    route('read', 'Suggestions', {
      bodyLimit: SEARCH_BODY_MAX_BYTES,
      scoped: 'filter',
      id: 'suggestQueries',
      summary: 'Suggest queries',
      description:
        'Suggests popular queries for the text being typed. The identity headers personalize the order.',
      body: { 'application/json': SuggestionParameters },
      example: { q: 'te', include_categories: true, hitsPerPage: 5 },
      success: jsonAnswer(SuggestionsResponse, 'Suggestions, best first.'),
    }),
    async (request, reply) => await answer(request, reply, bodyJson(request)),
  )
  app.get(
    '/v1/suggestions/queries',
    route('read', 'Suggestions', {
      scoped: 'filter',
      id: 'suggestQueriesByUrl',
      summary: 'Suggest queries by URL',
      description:
        'The same as POST. Lists are repeated keys, comma lists or JSON; `filtered_tabs` is JSON; booleans are `true`, `1`, `false`, `0`.',
      query: PARAMETERS,
      success: jsonAnswer(SuggestionsResponse, 'Suggestions, best first.'),
      errors: ['invalid_parameter', 'missing_parameter'],
    }),
    async (request, reply) => {
      const query = canonicalNames(request.query) as Record<string, string>
      const { filtered_tabs: tabs, ...others } = query
      return await answer(
        request,
        reply,
        decodeQuery(SuggestionParameters, tabs === '' ? others : query),
      )
    },
  )
  app.get(
    '/v1/suggestions/config',
    route('read', 'Suggestions', {
      id: 'getSuggestionsConfig',
      summary: 'Read the public configuration of the suggestions',
      success: jsonAnswer(SuggestionsConfig, 'In force.'),
    }),
    (request, reply) => reply.send(publicSuggestionsConfig(ports, request.storeId)),
  )
  app.get(
    CONFIG,
    route('write', 'Suggestions', {
      id: 'getStoreSuggestionsConfig',
      summary: 'Read the whole configuration of the suggestions',
      tagged: true,
      success: jsonAnswer(
        StoreSuggestionsConfig,
        'The current configuration, including lists and guards.',
      ),
    }),
    (request, reply) => {
      const config = suggestionsConfig(ports, request.storeId)
      return reply.header('etag', suggestionsConfigTag(config)).send(config)
    },
  )
  app.put(
    CONFIG,
    route('write', 'Suggestions', {
      bodyLimit: SEARCH_BODY_MAX_BYTES,
      id: 'putStoreSuggestionsConfig',
      summary: 'Configure the suggestions',
      tagged: true,
      description:
        'Replaces the configuration: settings that are left out return to their defaults.',
      body: { 'application/json': GivenSuggestionsConfig },
      example: {
        blocklist: ['knock off'],
        pinned: [{ query: 'gift card', popularity: 500 }],
        min_sessions: 3,
      },
      success: jsonAnswer(StoreSuggestionsConfig, 'In force now.'),
      errors: ['precondition_failed'],
    }),
    async (request, reply) => {
      const { storeId, pace, headers } = request
      const ifMatch = headers['if-match']
      const config = await putSuggestionsConfig(ports, storeId, bodyJson(request), pace, ifMatch)
      return reply.header('etag', suggestionsConfigTag(config)).send(config)
    },
  )
}

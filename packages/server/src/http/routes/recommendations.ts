import {
  RecommendationParameters,
  RecommendationsResponse,
  SEARCH_BODY_MAX_BYTES,
} from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { tokenParameters } from '../../domain/access/token-parameters.ts'
import { scopedPorts } from '../../services/search/scoped-view.ts'
import { recommendations } from '../../services/suggestions/recommendations.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendJson } from '../json-text.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyJson } from '../plugins/body.ts'
import { visitorReader } from '../visitor.ts'

/** Recommends products for a page without a query. */
export function recommendationRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const visitorOf = visitorReader(ports, app.uses)
  app.post(
    '/v1/recommendations',
    route('read', 'Suggestions', {
      bodyLimit: SEARCH_BODY_MAX_BYTES,
      scoped: 'filter',
      id: 'recommend',
      summary: 'Recommend products',
      description:
        'Products without a query, based on the behavior of visitors, or on the catalog until there is enough of it. The identity headers identify the visitor.',
      body: { 'application/json': RecommendationParameters },
      example: { kind: 'trending', filter_by: 'in_stock:true', per_page: 6 },
      success: jsonAnswer(RecommendationsResponse, 'Products, best first.'),
      errors: [
        'missing_parameter',
        'invalid_parameter',
        'invalid_filter',
        'unknown_field',
        'field_not_filterable',
        'unknown_collection',
        'quota_exceeded',
      ],
    }),
    async (request, reply) => {
      const { storeId, pace } = request
      const scope = request.scope ?? undefined
      const allowed = tokenParameters(scope, bodyJson(request), RecommendationParameters)
      const scoped = scopedPorts(ports, scope)
      const visitor = visitorOf(request)
      return sendJson(reply, await recommendations(scoped, storeId, visitor, allowed, pace))
    },
  )
}

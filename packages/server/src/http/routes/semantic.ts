import { SimilarityPairList, SimilarityPairParameters } from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import type { FastifyInstance } from 'fastify'
import { similarityPairs } from '../../services/search/similarity-pairs.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { decodeQuery } from '../query-parameters.ts'

/** What a person needs to set up searches by meaning. */
export function semanticRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const readParameters = parameterReader<SimilarityPairParameters>(SimilarityPairParameters)
  app.get<{ Querystring: Readonly<Record<string, string | string[] | undefined>> }>(
    '/api/v1/stores/:id/semantic/pairs',
    route('write', 'Settings', {
      id: 'listSimilarityPairs',
      summary: 'List pairs to calibrate the similarity',
      description:
        'Frequent queries with products that have none of their words, from near to far. Once a person has said which are right, it is known from which similarity on to find such products: `min_similarity` of the setting `semantic`. docs/semantic.md.',
      query: SimilarityPairParameters,
      success: jsonAnswer(SimilarityPairList),
      errors: ['invalid_parameter', 'semantic_not_configured', 'disk_reserve'],
    }),
    async (request) => {
      const given = readParameters(decodeQuery(SimilarityPairParameters, request.query))
      return similarityPairs(ports, request.storeId, given, request.pace)
    },
  )
}

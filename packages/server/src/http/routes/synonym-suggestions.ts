import {
  AcceptSynonymRequest,
  DecidedSynonym,
  SynonymPair,
  SynonymSet,
  SynonymSuggestionList,
  SynonymSuggestionParameters,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import type { FastifyInstance } from 'fastify'
import { suggestSynonyms } from '../../services/search/synonym-suggestions.ts'
import {
  acceptSynonym,
  rejectSynonym,
  restoreSynonym,
} from '../../services/store/decide-synonym.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendJson } from '../json-text.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'
import { decodeQuery } from '../query-parameters.ts'

const SUGGESTIONS = '/api/v1/stores/:id/synonym-suggestions'
const DECISIONS = [
  {
    path: 'reject',
    id: 'rejectSynonymSuggestion',
    summary: 'Reject a suggested synonym',
    description: 'Neither direction of the pair is suggested again.',
    decide: rejectSynonym,
  },
  {
    path: 'restore',
    id: 'restoreSynonymSuggestion',
    summary: 'Undo the rejection of a synonym',
    description: 'The pair may be suggested again.',
    decide: restoreSynonym,
  },
] as const

/** Serves synonyms suggested from searches and clicks, and records the decisions about them. */
export function synonymSuggestionRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const readParameters = parameterReader<SynonymSuggestionParameters>(SynonymSuggestionParameters)
  app.get<{ Querystring: Readonly<Record<string, string | string[] | undefined>> }>(
    SUGGESTIONS,
    route('write', 'Settings', {
      id: 'suggestSynonyms',
      summary: 'List synonyms suggested from searches',
      description:
        'Phrases that visitors replaced with each other within minutes before they clicked, with the evidence. Nothing is applied automatically. docs/synonym-suggestions.md has the definition.',
      query: SynonymSuggestionParameters,
      success: jsonAnswer(SynonymSuggestionList, 'Sorted by number of visitors, descending.'),
      errors: ['invalid_parameter', 'disk_reserve'],
    }),
    async (request, reply) => {
      const given = readParameters(decodeQuery(SynonymSuggestionParameters, request.query))
      return reply.send(await suggestSynonyms(ports, request.storeId, given, request.pace))
    },
  )
  const readAccepted = bodyReader<AcceptSynonymRequest>(AcceptSynonymRequest)
  app.post(
    `${SUGGESTIONS}/accept`,
    route('write', 'Settings', {
      id: 'acceptSynonymSuggestion',
      summary: 'Accept a suggested synonym',
      description: 'Adds the pair to a synonym set; creates the set if there is none.',
      body: { 'application/json': AcceptSynonymRequest },
      example: { from: 'couch', to: 'sofa', both_ways: true },
      success: jsonAnswer(SynonymSet, 'The set as stored now.'),
      errors: ['missing_parameter', 'invalid_parameter', 'payload_too_large'],
    }),
    async (request, reply) =>
      sendJson(reply, await acceptSynonym(ports, request.storeId, readAccepted(request))),
  )
  const readPair = bodyReader<SynonymPair>(SynonymPair)
  for (const { path, id, summary, description, decide } of DECISIONS) {
    app.post(
      `${SUGGESTIONS}/${path}`,
      route('write', 'Settings', {
        id,
        summary,
        description,
        body: { 'application/json': SynonymPair },
        example: { from: 'couch', to: 'table' },
        success: jsonAnswer(DecidedSynonym),
        errors: ['missing_parameter', 'invalid_parameter', 'payload_too_large'],
      }),
      (request) => decide(ports, request.storeId, readPair(request)),
    )
  }
}

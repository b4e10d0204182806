import {
  ApiError,
  DecidedMissedSearch,
  FixMissedSearchRequest,
  MendList,
  MendPreview,
  MendsParameters,
  MissedEffectParameters,
  MissedQuery,
  MissedSearchEffect,
  MissedSearchList,
  MissedSearchParameters,
  PreviewMendRequest,
  type ErrorCode,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import { shownQueryOf } from '@aisle/event-log'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { missedSearchEffect } from '../../services/events/missed-search-effect.ts'
import { findsNow, listMissedSearches, missedRow } from '../../services/search/missed-searches.ts'
import { previewMend, suggestMends } from '../../services/search/suggest-mends.ts'
import {
  decisionOf,
  dismissMissedSearch,
  fixMissedSearch,
  reopenMissedSearch,
  type DecidedSearch,
} from '../../services/store/decide-missed-search.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendJson } from '../json-text.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'
import { decodeQuery } from '../query-parameters.ts'
import { RULE_ERRORS } from './named-resources.ts'
import { SEARCH_ERRORS } from './search.ts'

const MISSED = '/api/v1/stores/:id/missed-searches'
type Query = { Querystring: Readonly<Record<string, string | string[] | undefined>> }
const REPORT_ERRORS: readonly ErrorCode[] = [
  'missing_parameter',
  'invalid_parameter',
  'disk_reserve',
]
/** Settings may name fields that a later schema lacks: searches say so, and these calls search. */
const TRIED_ERRORS: readonly ErrorCode[] = [
  ...new Set([...SEARCH_ERRORS, ...REPORT_ERRORS]),
].filter((code) => code !== 'quota_exceeded' && code !== 'unknown_preset')
const DECISION_ERRORS: readonly ErrorCode[] = [
  ...TRIED_ERRORS,
  'payload_too_large',
  'precondition_failed',
]

/** The queue of searches that lose visitors, and what mends them. */
export function missedSearchRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const readList = parameterReader<MissedSearchParameters>(MissedSearchParameters)
  app.get<Query>(
    MISSED,
    route('write', 'Settings', {
      id: 'listMissedSearches',
      summary: 'List searches that lose visitors',
      description:
        'Queries without results, or with results that nobody clicks, by visitors lost, with what visitors typed next and what the query finds now. docs/missed-searches.md has the definition.',
      query: MissedSearchParameters,
      success: jsonAnswer(MissedSearchList),
      errors: TRIED_ERRORS,
    }),
    async (request) => {
      const given = readList(decodeQuery(MissedSearchParameters, request.query))
      return listMissedSearches(ports, request.storeId, given, request.pace)
    },
  )
  const readMends = parameterReader<MendsParameters>(MendsParameters)
  app.get<Query>(
    `${MISSED}/mends`,
    route('write', 'Settings', {
      id: 'suggestMends',
      summary: 'List possible fixes of a missed search',
      description:
        'Synonyms, rules and redirects that would help, each with what a search would find with it. Nothing is saved. Fixes that find nothing are not listed.',
      query: MendsParameters,
      success: jsonAnswer(MendList, 'The best evidence first.'),
      errors: TRIED_ERRORS,
    }),
    async (request, reply) => {
      const { query, days } = readMends(decodeQuery(MendsParameters, request.query))
      const text = missedQuery(query)
      return sendJson(reply, await suggestMends(ports, request.storeId, text, days, request.pace))
    },
  )
  const readEffect = parameterReader<MissedEffectParameters>(MissedEffectParameters)
  app.get<Query>(
    `${MISSED}/effect`,
    route('write', 'Settings', {
      id: 'missedSearchEffect',
      summary: 'Measure the effect of a fix',
      description:
        'Click-through of the searches for a fixed query before the fix and after it, from a week on.',
      query: MissedEffectParameters,
      success: jsonAnswer(MissedSearchEffect),
      errors: REPORT_ERRORS,
    }),
    async (request) => {
      const { query } = readEffect(decodeQuery(MissedEffectParameters, request.query))
      const text = missedQuery(query)
      const decision = decisionOf(ports.resources.of(request.storeId), text)
      if (decision?.state === 'fixed') {
        const fixedMs = Date.parse(decision.decidedAt)
        return missedSearchEffect(ports, request.storeId, text, fixedMs)
      }
      throw new ApiError('invalid_parameter', 'Parameter `query` must be a fixed search', {
        param: 'query',
      })
    },
  )
  const readPreview = bodyReader<PreviewMendRequest>(PreviewMendRequest)
  app.post(
    `${MISSED}/preview`,
    route('write', 'Settings', {
      role: 'analyst',
      audit: false,
      id: 'previewMend',
      summary: 'Preview a fix',
      description: 'Searches with a fix that is not saved.',
      body: { 'application/json': PreviewMendRequest },
      example: { query: 'couch', mend: { kind: 'synonym', to: 'sofa' } },
      success: jsonAnswer(MendPreview),
      errors: [...new Set([...RULE_ERRORS, ...TRIED_ERRORS])],
    }),
    async (request, reply) => {
      const { query, mend } = readPreview(request)
      const text = missedQuery(query)
      return sendJson(reply, await previewMend(ports, request.storeId, text, mend, request.pace))
    },
  )
  decisionRoutes(app, ports)
}

function decisionRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const readFix = bodyReader<FixMissedSearchRequest>(FixMissedSearchRequest)
  const success = jsonAnswer(DecidedMissedSearch)
  app.post(
    `${MISSED}/fix`,
    route('write', 'Settings', {
      id: 'fixMissedSearch',
      summary: 'Fix a missed search',
      description:
        'Applies a mend, all or nothing: adds an entry to a synonym set (created if there is none), or a rule. Without a mend, only marks the search as fixed.',
      body: { 'application/json': FixMissedSearchRequest },
      example: { query: 'couch', mend: { kind: 'synonym', to: 'sofa' } },
      success,
      errors: [...new Set([...RULE_ERRORS, ...DECISION_ERRORS])],
    }),
    async (request) => {
      const { query, mend } = readFix(request)
      const decision = await decisionFor(ports, request, query)
      return answer(
        ports,
        request,
        await fixMissedSearch(ports, request.storeId, { ...decision, mend }),
      )
    },
  )
  const readQuery = bodyReader<MissedQuery>(MissedQuery)
  app.post(
    `${MISSED}/dismiss`,
    route('write', 'Settings', {
      id: 'dismissMissedSearch',
      summary: 'Dismiss a missed search',
      description: 'Removes it from the list of open ones.',
      body: { 'application/json': MissedQuery },
      example: { query: 'gift card balance' },
      success,
      errors: DECISION_ERRORS,
    }),
    async (request) => {
      const decision = await decisionFor(ports, request, readQuery(request).query)
      return answer(ports, request, await dismissMissedSearch(ports, request.storeId, decision))
    },
  )
  app.post(
    `${MISSED}/reopen`,
    route('write', 'Settings', {
      id: 'reopenMissedSearch',
      summary: 'Reopen a missed search',
      description:
        'Undoes a decision: puts the search back on the list and reverts what its fix changed. A rule that somebody has edited since stays.',
      body: { 'application/json': MissedQuery },
      example: { query: 'couch' },
      success,
      errors: DECISION_ERRORS,
    }),
    async (request) => {
      const query = subject(request, readQuery(request).query)
      const ifMatch = request.headers['if-match']
      const done = await reopenMissedSearch(ports, request.storeId, { query, ifMatch })
      return answer(ports, request, done)
    },
  )
}

async function decisionFor(ports: AppDependencies, request: FastifyRequest, given: string) {
  const query = subject(request, given)
  const { actor } = request
  return {
    query,
    ifMatch: request.headers['if-match'],
    by: actor?.kind === 'user' ? actor.login : undefined,
    row: await missedRow(ports, request.storeId, query),
  }
}

/** The audit log names the query. */
function subject(request: FastifyRequest, given: string): string {
  const query = missedQuery(given)
  request.auditSubject = { target: query }
  return query
}

async function answer(
  ports: AppDependencies,
  request: FastifyRequest,
  done: DecidedSearch,
): Promise<DecidedMissedSearch> {
  const [finds = null] = await findsNow(ports, request.storeId, [done.query], request.pace)
  return { ...done, finds }
}

/** @throws ApiError for a search without words */
function missedQuery(given: string): string {
  const query = shownQueryOf(given)
  if (query !== '*') return query
  throw new ApiError('invalid_parameter', 'Parameter `query` must contain a word', {
    param: 'query',
  })
}

import {
  ChangedRules,
  ChangeRulesRequest,
  OrderedRules,
  OrderRulesRequest,
  RULE_CHANGES_MAX_BYTES,
  RuleConflictList,
  RuleConflictParameters,
  SEARCH_BODY_MAX_BYTES,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import type { FastifyInstance } from 'fastify'
import { Gradual, madeInTurns } from '../../domain/turns/gradual.ts'
import { listRuleConflicts } from '../../services/search/rule-conflicts.ts'
import { changeRules, orderRules } from '../../services/store/change-rules.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyBytes, bodyReader } from '../plugins/body.ts'
import { decodeQuery } from '../query-parameters.ts'
import { readRuleChanges } from '../rule-changes-body.ts'
import { RULE_ERRORS } from './named-resources.ts'

/** Changes of many rules in one request, and where rules contradict each other. */
export function ruleChangeRoutes(app: FastifyInstance, ports: AppDependencies): void {
  app.patch(
    '/api/v1/stores/:id/rules',
    route('write', 'Settings', {
      bodyLimit: RULE_CHANGES_MAX_BYTES,
      id: 'changeRules',
      summary: 'Change many rules',
      description:
        'Creates, replaces and deletes rules: all of them, or none. An error lists the faults of every rule. `If-Match` takes the `ETag` of the list of rules.',
      body: { 'application/json': ChangeRulesRequest },
      example: {
        put: [{ id: 'tents', when: [{ query: 'tent' }], hide: ['p-9'] }],
        dry_run: true,
      },
      success: jsonAnswer(ChangedRules, 'What was changed, or would be.'),
      errors: [...RULE_ERRORS, 'rule_not_found', 'precondition_failed'],
    }),
    async (request, reply) => {
      const { storeId, headers, pace } = request
      const ifMatch = headers['if-match']
      const changes = new Gradual(() => readRuleChanges(bodyBytes(request)))
      await madeInTurns([changes], pace)
      return reply.send(await changeRules(ports, storeId, changes.value, ifMatch, pace))
    },
  )

  const readOrder = bodyReader<OrderRulesRequest>(OrderRulesRequest)
  app.put(
    '/api/v1/stores/:id/rule-order',
    route('write', 'Settings', {
      bodyLimit: SEARCH_BODY_MAX_BYTES,
      id: 'orderRules',
      summary: 'Change the order of the rules',
      description:
        'Gives the rules priorities that put them into this order; those that are in order already keep theirs where possible. `If-Match` takes the `ETag` of the list of rules.',
      body: { 'application/json': OrderRulesRequest },
      example: { order: ['season', 'tents'] },
      success: jsonAnswer(OrderedRules, 'In order.'),
      errors: ['rule_not_found', 'precondition_failed'],
    }),
    async (request, reply) => {
      const { storeId, headers, pace } = request
      const ifMatch = headers['if-match']
      return reply.send(await orderRules(ports, storeId, readOrder(request), ifMatch, pace))
    },
  )

  const readParameters = parameterReader<RuleConflictParameters>(RuleConflictParameters)
  app.get<{ Querystring: Readonly<Record<string, string | string[] | undefined>> }>(
    '/api/v1/stores/:id/rule-conflicts',
    route('write', 'Settings', {
      id: 'listRuleConflicts',
      summary: 'List the conflicts of rules',
      description:
        'Rules that apply to the same search and contradict each other, and which one wins. docs/rules.md has the definition.',
      query: RuleConflictParameters,
      success: jsonAnswer(RuleConflictList, 'The conflicts.'),
      errors: ['invalid_parameter', 'rule_not_found'],
    }),
    async (request, reply) => {
      const given = readParameters(decodeQuery(RuleConflictParameters, request.query))
      return reply.send(await listRuleConflicts(ports, request.storeId, given, request.pace))
    },
  )
}

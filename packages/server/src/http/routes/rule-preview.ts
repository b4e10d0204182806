import { PreviewRuleRequest, RulePreview, SEARCH_BODY_MAX_BYTES } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { previewRule } from '../../services/search/preview-rule.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendJson } from '../json-text.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'
import { RULE_ERRORS } from './named-resources.ts'
import { SEARCH_ERRORS } from './search.ts'

/** Previews the effect of an unsaved rule. */
export function rulePreviewRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const read = bodyReader<PreviewRuleRequest>(PreviewRuleRequest)
  app.post(
    '/api/v1/stores/:id/rules/preview',
    route('write', 'Settings', {
      bodyLimit: SEARCH_BODY_MAX_BYTES,
      // It changes nothing, so anyone who may search may use it.
      role: 'analyst',
      audit: false,
      id: 'previewRule',
      summary: 'Preview a rule',
      description:
        'Runs a search as it is now, and with an unsaved rule (which replaces the saved rule with its `id`, if any). Nothing is recorded.',
      body: { 'application/json': PreviewRuleRequest },
      example: {
        rule: { when: [{ query: 'tent' }], boost: [{ filter_by: 'price:<100', weight: 3 }] },
        search: { q: 'tent', per_page: 5 },
      },
      success: jsonAnswer(RulePreview, 'Both answers.'),
      // It takes nothing from the quota of searches.
      errors: [...new Set([...RULE_ERRORS, ...SEARCH_ERRORS])].filter(
        (code) => code !== 'quota_exceeded',
      ),
    }),
    async (request, reply) =>
      sendJson(reply, await previewRule(ports, request.storeId, read(request), request.pace)),
  )
}

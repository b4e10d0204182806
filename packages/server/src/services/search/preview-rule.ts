import { ApiError, type PreviewRuleRequest } from '@aisle/contract'
import { AnalysedQuery } from '../../domain/query/analysed-query.ts'
import { madeInTurns } from '../../domain/turns/gradual.ts'
import { parseInstant } from '../../domain/values/iso-instant.ts'
import { openView } from '../open-view.ts'
import { restIfDue } from '../../ports/search/turns.ts'
import { within } from '../nested-error.ts'
import { unsavedRule } from '../store/put-rule.ts'
import { takeText } from './answer-writer.ts'
import { soloPace } from './request-pace.ts'
import type { SearchPorts } from './asked-search.ts'
import { search } from './search.ts'
import { conflictsOfUnsaved } from './rule-conflicts.ts'
import { rulesOf, soloRule, trialRules } from './search-rules.ts'

/**
 * Runs a search with the saved rules, and with one unsaved rule added (or replacing the saved one
 * with its id). The rule counts as enabled, so that its effect is visible. Neither search records
 * an event.
 *
 * @returns JSON text
 * @throws ApiError
 */
export async function previewRule(
  ports: SearchPorts,
  storeId: string,
  { rule, search: parameters, at, queries }: PreviewRuleRequest,
  pace = soloPace(),
): Promise<string> {
  const nowMs = at === undefined ? ports.clock.now() : parseInstant(at)
  if (nowMs === undefined) {
    throw new ApiError(
      'invalid_parameter',
      'Parameter `at` must be an ISO 8601 time with an offset, such as `2026-11-27T00:00:00+01:00`',
      { param: 'at' },
    )
  }
  const unsaved = await within('rule', () => unsavedRule(ports, storeId, rule))
  return within('search', async () => {
    const live = await search(ports, storeId, parameters, pace, { nowMs: ports.clock.now() })
    const view = openView(ports, storeId, pace)
    const { analyzer, resources } = view
    const rules = trialRules(resources.list('rule'), unsaved, analyzer)
    await madeInTurns([rules], pace)
    const tried = { rules: rules.value, nowMs }
    const preview = await search(ports, storeId, parameters, pace, tried)
    const applies = preview.appliedRules.includes(unsaved.name)
    const alone = { rules: soloRule(unsaved, analyzer), nowMs }
    const appliesTo: boolean[] = []
    for (const q of queries ?? []) {
      await restIfDue(pace)
      const met = rulesOf(ports, view, parameters, new AnalysedQuery(q, analyzer), alone)
      appliesTo.push(met?.applied.includes(unsaved.name) ?? false)
    }
    const { conflicts, isComplete } = await conflictsOfUnsaved(view, unsaved, nowMs, pace)
    const ofQueries = queries === undefined ? '' : `,"applies_to":${JSON.stringify(appliesTo)}`
    return `{"applies":${applies},"live":${takeText(live.json)},"preview":${takeText(preview.json)}${ofQueries},"conflicts":${JSON.stringify(conflicts)},"conflicts_complete":${isComplete}}`
  })
}

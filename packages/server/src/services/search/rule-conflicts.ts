import {
  ApiError,
  RULE_COMPARISONS_MAX,
  RULE_CONFLICTS_MAX,
  type RuleConflictList,
  type RuleConflictParameters,
} from '@aisle/contract'
import {
  conflictsOfRule,
  ruleConflicts,
  type ConflictContext,
  type FoundConflicts,
} from '../../domain/rules/rule-conflicts.ts'
import { CompiledRule } from '../../domain/rules/rule-set.ts'
import { strategiesOf } from '../../domain/rules/strategies.ts'
import { Gradual, madeInTurns, type Steps, type YieldingWork } from '../../domain/turns/gradual.ts'
import type { Resource } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { storeCollections } from '../store-collections.ts'
import { compiledRule } from './search-rules.ts'

const LIMITS = { conflictsMax: RULE_CONFLICTS_MAX, comparisonsMax: RULE_COMPARISONS_MAX }

/** Where the saved rules of a store contradict each other. @throws ApiError rule_not_found */
export async function listRuleConflicts(
  ports: Pick<ServicePorts, 'backend' | 'clock'>,
  storeId: string,
  { rule_id: ruleId }: RuleConflictParameters,
  work: YieldingWork,
): Promise<RuleConflictList> {
  const view = openView(ports, storeId)
  const context = contextOf(view, ports.clock.now())
  const found = new Gradual(function* (): Steps<FoundConflicts> {
    if (ruleId === undefined)
      return yield* ruleConflicts(yield* enabledRules(view), context, LIMITS)
    const saved = view.resources.get('rule', ruleId)
    if (saved === undefined) {
      throw new ApiError('rule_not_found', 'There is no rule with this id', { param: 'rule_id' })
    }
    const rule = compiledRule(saved).for(view.analyzer)
    if (rule.kept.enabled === false) return { conflicts: [], isComplete: true }
    return yield* conflictsOfRule(rule, yield* enabledRules(view), context, LIMITS)
  })
  await madeInTurns([found], work)
  const { conflicts, isComplete } = found.value
  return {
    conflicts: [...conflicts],
    is_complete: isComplete,
    ...(isComplete ? {} : { warnings: [endText(conflicts.length)] }),
  }
}

function endText(count: number): string {
  const all = 'fix some of them, or ask for the conflicts of one rule with `rule_id`'
  return count >= RULE_CONFLICTS_MAX
    ? `The list ends at ${countText(RULE_CONFLICTS_MAX)} conflicts, and there may be more: ${all}`
    : `The list ends after ${countText(RULE_COMPARISONS_MAX)} comparisons of two rules, and there may be more conflicts: ${all}`
}

function countText(count: number): string {
  return count.toLocaleString('en-US')
}

/** Where saved rules contradict an unsaved one. */
export async function conflictsOfUnsaved(
  view: SearchView,
  unsaved: Resource,
  nowMs: number,
  work: YieldingWork,
): Promise<FoundConflicts> {
  const context = contextOf(view, nowMs)
  const found = new Gradual(function* (): Steps<FoundConflicts> {
    const rule = new CompiledRule(unsaved, view.analyzer)
    return yield* conflictsOfRule(rule, yield* enabledRules(view), context, LIMITS)
  })
  await madeInTurns([found], work)
  return found.value
}

function contextOf({ schema = NO_SCHEMA, resources }: SearchView, nowMs: number): ConflictContext {
  const strategies = strategiesOf(resources.list('strategy'))
  const collections = storeCollections(resources)
  return { schema, dates: { nowMs, timeZone: 'UTC' }, strategies, collections }
}

function* enabledRules({ resources, analyzer }: SearchView): Steps<CompiledRule[]> {
  const rules: CompiledRule[] = []
  for (const resource of resources.list('rule')) {
    const rule = compiledRule(resource).for(analyzer)
    if (rule.kept.enabled !== false) rules.push(rule)
    yield
  }
  return rules
}

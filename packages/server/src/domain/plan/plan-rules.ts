import type { FilterNode, SearchPlan } from '@aisle/engine'
import { allOf } from '../expressions/filter-nodes.ts'
import { mergedPins } from './id-pins.ts'
import type { PlannedSearch } from './plan-search.ts'
import type { RuleEffects } from '../rules/rule-effects.ts'

/**
 * Applies the effects of rules to a plan, except the query, which was planned as rewritten.
 *
 * @param keepsOrder whether the request itself sets an order
 */
export function planRules(
  planned: PlannedSearch,
  { filters, hidden, pins, boosts, sort, warnings }: RuleEffects,
  keepsOrder: boolean,
): PlannedSearch {
  const { plan } = planned
  const nodes: FilterNode[] = plan.filter === undefined ? [] : [plan.filter]
  nodes.push(...filters)
  if (hidden.length > 0) nodes.push({ kind: 'not', node: { kind: 'ids', ids: hidden } })
  const changed: SearchPlan = {
    ...plan,
    ...(nodes.length === 0 ? {} : { filter: allOf(nodes) }),
    ...(sort === undefined || keepsOrder ? {} : { sort }),
    pins: mergedPins(pins, plan.pins),
    boosts,
  }
  return { ...planned, plan: changed, warnings: [...planned.warnings, ...warnings] }
}

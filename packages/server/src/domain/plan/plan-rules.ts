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
  const isReordered = sort !== undefined && !keepsOrder
  // An order by a field does not know what the query means.
  const { meaning: _, ...plain } = plan
  const nodes: FilterNode[] = plan.filter === undefined ? [] : [plan.filter]
  nodes.push(...filters)
  if (hidden.length > 0) nodes.push({ kind: 'not', node: { kind: 'ids', ids: hidden } })
  const changed: SearchPlan = {
    ...(isReordered ? { ...plain, sort } : plan),
    ...(nodes.length === 0 ? {} : { filter: allOf(nodes) }),
    pins: mergedPins(pins, plan.pins),
    boosts,
  }
  return { ...planned, plan: changed, warnings: [...planned.warnings, ...warnings] }
}

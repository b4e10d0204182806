import { useQuery } from '@tanstack/react-query'
import type { PutRuleRequest } from '@aisle/contract'
import { quotedValue } from '../../format/quoting.ts'
import { useResources } from '../../parts/store-queries.ts'
import { useStore } from '../../session/store.ts'

/** A rule that pins, hides or boosts a product, or whose filter the product meets. */
export interface TouchingRule {
  readonly ruleId: string
  readonly how: readonly string[]
  readonly isOff: boolean
}

type Rule = Omit<PutRuleRequest, 'id'>

/** Filters of rules that are tried on the product, and those of one request. */
const FILTERS_CHECKED_MAX = 100
const FILTERS_AT_ONCE = 10

/** The rules of the store that touch a product. */
export function useTouchingRules(id: string): {
  readonly touches: readonly TouchingRule[] | undefined
  readonly error: Error | null
  readonly uncheckedCount: number
} {
  const { storeId, calls } = useStore()
  const rules = useResources('rules')
  const all = (rules.data ?? []).map(({ name, value }) => ({ name, rule: value as Rule }))
  const filters = [...new Set(all.flatMap(({ rule }) => filtersOf(rule)))]
  const asked = filters.slice(0, FILTERS_CHECKED_MAX)
  const matching = useQuery({
    queryKey: ['documents', storeId, 'filters', id, asked],
    queryFn: async () => {
      const met = new Set<string>()
      for (let from = 0; from < asked.length; from += FILTERS_AT_ONCE) {
        const part = asked.slice(from, from + FILTERS_AT_ONCE)
        const { results } = await calls.multiSearch({
          queries: part.map((filter) => ({
            q: '*',
            filter_by: `id:=${quotedValue(id)} && (${filter})`,
            per_page: 0,
            apply_rules: false,
            analytics: false,
          })),
        })
        for (const [at, result] of results.entries()) {
          if ('found' in result && result.found > 0) met.add(part[at]!)
        }
      }
      return met
    },
    enabled: rules.data !== undefined,
  })
  const met = matching.data
  const touches =
    met === undefined
      ? undefined
      : all.flatMap(({ name, rule }): TouchingRule[] => {
          const how = waysOf(rule, id, met)
          return how.length === 0 ? [] : [{ ruleId: name, how, isOff: rule.enabled === false }]
        })
  return {
    touches,
    error: rules.error ?? matching.error,
    uncheckedCount: filters.length - asked.length,
  }
}

function filtersOf({ boost = [], filter_by: filter = '' }: Rule): string[] {
  const all = [...boost.map((one) => one.filter_by), filter]
  return all.filter((one) => one.trim() !== '')
}

function waysOf(rule: Rule, id: string, met: ReadonlySet<string>): string[] {
  const pin = rule.pin?.find((one) => one.id === id)
  const boosts = (rule.boost ?? []).filter((one) => met.has(one.filter_by))
  return [
    ...(pin === undefined ? [] : [`pins it to position ${pin.position}`]),
    ...(rule.hide?.includes(id) === true ? ['hides it'] : []),
    ...(boosts.length === 0 ? [] : ['boosts it']),
    ...(rule.filter_by !== undefined && met.has(rule.filter_by) ? ['its filter keeps it'] : []),
  ]
}

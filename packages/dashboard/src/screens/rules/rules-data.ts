import type { StoreClient } from '@aisle/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../../session/store.ts'
import { useResourceChanges } from '../../parts/store-queries.ts'
import type { NamedRule, RuleValue } from './rule-draft.ts'
import { comesFirst } from './rule-conflicts.ts'

export interface Rules {
  /** In the order in which they apply. */
  readonly query: UseQueryResult<readonly NamedRule[]>
  readonly save: (id: string, value: RuleValue) => Promise<void>
  readonly remove: (id: string) => Promise<void>
}

export function useRules(): Rules {
  const { storeId, calls } = useStore()
  const { put, remove } = useResourceChanges('rules', 'rule-preview', 'search')
  const query = useQuery({ queryKey: ['rules', storeId], queryFn: () => listRules(calls) })
  return { query, save: put, remove }
}

async function listRules(calls: StoreClient): Promise<readonly NamedRule[]> {
  const rules = (await calls.resources('rules')).map(({ name, value }): NamedRule => ({
    id: name,
    value: value as RuleValue,
  }))
  return rules.toSorted((a, b) => (comesFirst(a, b) ? -1 : 1))
}

import type { StoreClient } from '@aisle/client'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../../session/store.ts'
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
  const client = useQueryClient()
  const query = useQuery({ queryKey: ['rules', storeId], queryFn: () => listRules(calls) })
  const changed = async (): Promise<void> => {
    const keys = ['rules', 'rule-preview', 'search'].map((name) => [name, storeId])
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
  }
  return {
    query,
    save: async (id, value) => {
      await calls.putResource('rules', id, value)
      await changed()
    },
    remove: async (id) => {
      await calls.deleteResource('rules', id)
      await changed()
    },
  }
}

async function listRules(calls: StoreClient): Promise<readonly NamedRule[]> {
  const rules = (await calls.resources('rules')).map(({ name, value }): NamedRule => ({
    id: name,
    value: value as RuleValue,
  }))
  return rules.toSorted((a, b) => (comesFirst(a, b) ? -1 : 1))
}

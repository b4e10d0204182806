import type { NamedResource } from '@aisle/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../../session/store.ts'
import { useResourceChanges, type Version } from '../../parts/store-queries.ts'
import type { NamedRule, RuleValue } from './rule-draft.ts'
import { comesFirst } from './rule-conflicts.ts'

export interface Rules {
  /** In the order in which they apply. */
  readonly query: UseQueryResult<readonly NamedRule[]>
  /** @param base what is replaced; the change fails if it is another */
  readonly save: (id: string, value: RuleValue, base?: RuleValue | Version) => Promise<Version>
  /** Changes the newest version, so that nobody else's change is lost. */
  readonly change: (id: string, change: (newest: RuleValue) => RuleValue) => Promise<Version>
  readonly remove: (id: string, base: RuleValue | Version) => Promise<void>
}

export function useRules(): Rules {
  const { storeId, calls } = useStore()
  const { put, change, remove } = useResourceChanges('rules', 'rule-preview', 'search')
  // The workbench reads the rules as they are stored, and shares what was fetched.
  const query = useQuery({
    queryKey: ['rules', storeId],
    queryFn: () => calls.resources('rules'),
    select: inOrder,
  })
  return { query, save: put, change, remove }
}

function inOrder(resources: readonly NamedResource[]): readonly NamedRule[] {
  const rules = resources.map(({ name, value }): NamedRule => ({
    id: name,
    value: value as RuleValue,
  }))
  return rules.toSorted((a, b) => (comesFirst(a, b) ? -1 : 1))
}

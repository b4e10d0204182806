import type { NamedResource } from '@aisle/client'
import type {
  ChangeRulesRequest,
  PutStrategyRequest,
  RuleConflict,
  RuleConflictList,
} from '@aisle/contract'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useRefresh, useStore } from '../../session/store.ts'
import { useResourceChanges, useResources, type Version } from '../../parts/store-queries.ts'
import type { NamedRule, RuleValue } from './rule-draft.ts'
import { comesFirst } from './rule-draft.ts'

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
  const { put, change, remove } = useResourceChanges('rules', ...SHOWN_BY)
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

/** What shows the effect of rules. */
const SHOWN_BY = ['rule-preview', 'rule-conflicts', 'search'] as const

export interface KnownConflicts {
  /** By the id of either rule. */
  readonly byRule: ReadonlyMap<string, readonly RuleConflict[]>
  readonly count: number
  /** Whether the list did not end at its limit. */
  readonly isComplete: boolean
}

/** Where saved rules contradict each other. */
export function useRuleConflicts(): UseQueryResult<KnownConflicts> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['rule-conflicts', storeId],
    queryFn: () => calls.ruleConflicts(),
    select: knownConflicts,
  })
}

function knownConflicts({ conflicts, is_complete: isComplete }: RuleConflictList): KnownConflicts {
  const found = new Map<string, RuleConflict[]>()
  for (const conflict of conflicts) {
    for (const { id } of [conflict.winner, conflict.loser]) {
      const known = found.get(id)
      if (known === undefined) found.set(id, [conflict])
      else known.push(conflict)
    }
  }
  return { byRule: found, count: conflicts.length, isComplete }
}

/** Changes of many rules, unless somebody else has changed one since they were read. */
export function useManyRules(): {
  readonly change: (request: ChangeRulesRequest, etag: string) => Promise<unknown>
  readonly order: (ids: readonly string[], etag: string) => Promise<unknown>
} {
  const { calls } = useStore()
  const refresh = useRefresh()
  const shown = async <T>(write: Promise<T>): Promise<T> => {
    try {
      return await write
    } finally {
      await refresh('rules', ...SHOWN_BY)
    }
  }
  return {
    change: (request, etag) => shown(calls.changeRules(request, etag)),
    order: (ids, etag) => shown(calls.orderRules({ order: [...ids] }, etag)),
  }
}

export interface NamedStrategy {
  readonly name: string
  readonly value: PutStrategyRequest
}

export interface Strategies {
  readonly query: UseQueryResult<readonly NamedStrategy[]>
  readonly save: (name: string, value: PutStrategyRequest, base?: object) => Promise<Version>
  readonly change: (
    name: string,
    change: (newest: PutStrategyRequest) => PutStrategyRequest,
  ) => Promise<Version>
  readonly remove: (name: string, base: object) => Promise<void>
}

export function useStrategies(): Strategies {
  const { put, change, remove } = useResourceChanges('strategies', ...SHOWN_BY)
  // Its values are what the service has checked.
  const query = useResources('strategies') as unknown as UseQueryResult<readonly NamedStrategy[]>
  return {
    query,
    save: put,
    change: (name, next) => change(name, (newest) => next(newest as unknown as PutStrategyRequest)),
    remove,
  }
}

import type { NamedResource, ResourceKind } from '@aisle/client'
import type { StoreSchema, StoreSettings } from '@aisle/contract'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { isPattern } from './field-types.ts'
import { useRefresh, useStore } from '../session/store.ts'

/** The fields of the store. */
export function useSchema(): UseQueryResult<StoreSchema> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['schema', storeId],
    queryFn: () => calls.schema(),
    select: withoutPatterns,
  })
}

/** The fields of the store, and the patterns that add fields as products bring them. */
export function useDeclaredSchema(): UseQueryResult<StoreSchema> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['schema', storeId],
    queryFn: () => calls.schema(),
    refetchInterval: ({ state }) => (state.data?.change?.state === 'running' ? PROGRESS_MS : false),
  })
}

/** Between two looks at a change in progress. */
const PROGRESS_MS = 1_000

function withoutPatterns({ fields }: StoreSchema): StoreSchema {
  const names = new Set(fields.map(({ name }) => name))
  return { fields: fields.filter(({ name }) => !isPattern(name, names)) }
}

export function useSettings(): UseQueryResult<StoreSettings> {
  const { storeId, calls } = useStore()
  return useQuery({ queryKey: ['settings', storeId], queryFn: () => calls.settings() })
}

/** Sets, presets or rules of the store, by name. */
export function useResources(kind: ResourceKind): UseQueryResult<readonly NamedResource[]> {
  const { storeId, calls } = useStore()
  return useQuery({ queryKey: [kind, storeId], queryFn: () => calls.resources(kind) })
}

/**
 * The two ways to change resources of a kind.
 *
 * @param shownBy subjects of queries that show what they do
 */
export function useResourceChanges(
  kind: ResourceKind,
  ...shownBy: readonly string[]
): {
  readonly put: (name: string, value: object) => Promise<void>
  readonly remove: (name: string) => Promise<void>
} {
  const { calls } = useStore()
  const refresh = useRefresh()
  return {
    put: async (name, value) => {
      await calls.putResource(kind, name, value as Record<string, unknown>)
      await refresh(kind, ...shownBy)
    },
    remove: async (name) => {
      await calls.deleteResource(kind, name)
      await refresh(kind, ...shownBy)
    },
  }
}

import type { NamedResource, ResourceKind } from '@aisle/client'
import type { StoreSchema, StoreSettings } from '@aisle/contract'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../shell/store-context.ts'

export function useSchema(): UseQueryResult<StoreSchema> {
  const { storeId, calls } = useStore()
  return useQuery({ queryKey: ['schema', storeId], queryFn: () => calls.schema() })
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

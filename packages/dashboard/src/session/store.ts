import type { AisleClient, StoreClient, StoreSummary } from '@aisle/client'
import { queryOptions, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'
import { useRoute } from 'wouter'
import { useApi } from '../api/api.ts'
import { usePreference } from '../state/stored.ts'

export interface StoreState {
  readonly storeId: string
  readonly summary: StoreSummary
  /** The API calls for this store. */
  readonly calls: StoreClient
}

export const StoreContext = createContext<StoreState | undefined>(undefined)

/** The store whose screens are open. */
export function useStore(): StoreState {
  const store = useContext(StoreContext)
  if (store === undefined) throw new Error('useStore needs a StoreContext')
  return store
}

/** Cache key of the list of stores, invalidated by changes. */
export const STORES_QUERY = ['stores'] as const
const STORES_FRESH_MS = 30_000

export function useStores(): UseQueryResult<readonly StoreSummary[]> {
  return useQuery(storesQuery(useApi()))
}

export function storesQuery(api: AisleClient) {
  return queryOptions({
    queryKey: STORES_QUERY,
    queryFn: async (): Promise<readonly StoreSummary[]> => (await api.stores()).stores,
    staleTime: STORES_FRESH_MS,
  })
}

export function storeQuery(api: AisleClient, storeId: string) {
  return queryOptions({
    queryKey: [...STORES_QUERY, storeId],
    queryFn: () => api.describeStore(storeId),
  })
}

/** Reads again what screens show of subjects of the open store, and of the list of stores. */
export function useRefresh(): (...subjects: readonly string[]) => Promise<unknown> {
  const { storeId } = useStore()
  const client = useQueryClient()
  return (...subjects) =>
    Promise.all(
      subjects.map((subject) =>
        client.invalidateQueries({
          queryKey: subject === STORES_QUERY[0] ? STORES_QUERY : [subject, storeId],
        }),
      ),
    )
}

/** The store in the address; on pages without one, the store that was open last. */
export function useCurrentStoreId(): string | undefined {
  const [isStore, parameters] = useRoute('/stores/:storeId/*?')
  const [last, setLast] = usePreference<string | null>('store', null)
  const { data: stores } = useStores()
  const named = isStore ? parameters.storeId : undefined
  useEffect(() => {
    if (named !== undefined && named !== last) setLast(named)
  }, [named, last, setLast])
  if (named !== undefined) return named
  return stores?.some(({ store_id: id }) => id === last)
    ? (last ?? undefined)
    : stores?.[0]?.store_id
}

export function storePath(storeId: string, screen = 'overview'): string {
  return `/stores/${encodeURIComponent(storeId)}/${screen}`
}

/**
 * Links from a query: to its results, a rule for it, what would fix it. The pages there start with
 * it.
 */
export function queryLinks(
  storeId: string,
  query: string,
): { readonly preview: string; readonly rule: string; readonly fix: string } {
  const typed = encodeURIComponent(query === '*' ? '' : query)
  return {
    preview: `${storePath(storeId, 'preview')}?q=${typed}`,
    rule: `${storePath(storeId, 'rules')}?new=true&q=${typed}`,
    fix: `${storePath(storeId, 'missed-searches')}?query=${typed}`,
  }
}

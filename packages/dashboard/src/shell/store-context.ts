import type { StoreClient, StoreSummary } from '@aisle/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { useApi } from '../api/api.ts'

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
  if (store === undefined) throw new Error('useStore is for the screens of a store')
  return store
}

/** Cache key of the list of stores, invalidated by changes. */
export const STORES_QUERY = ['stores'] as const
const STORES_FRESH_MS = 30_000

export function useStores(): UseQueryResult<readonly StoreSummary[]> {
  const api = useApi()
  return useQuery({
    queryKey: STORES_QUERY,
    queryFn: async () => (await api.stores()).stores,
    staleTime: STORES_FRESH_MS,
  })
}

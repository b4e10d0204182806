import { useEffect } from 'react'
import { useRoute } from 'wouter'
import { usePreference } from '../state/preference.ts'
import { useStores } from './store-context.ts'

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

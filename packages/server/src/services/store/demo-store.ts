import type { StoreRecord, StoreRegistry } from '../../ports/catalog/store-registry.ts'

export const DEMO_STORE_ID = 'demo'
export const DEMO_STORE_NAME = 'Demo shop'

/**
 * The store of the demo shop, if it is there: a store of the same id that somebody made for
 * something else is none of it.
 */
export function demoStore(registry: Pick<StoreRegistry, 'find'>): StoreRecord | undefined {
  const store = registry.find(DEMO_STORE_ID)
  return store?.name === DEMO_STORE_NAME ? store : undefined
}

import type { StoreRecord, StoreRegistry } from '../../ports/catalog/store-registry.ts'

export const DEMO_STORE_ID = 'demo'
export const DEMO_STORE_NAME = 'Demo shop'

/**
 * Returns the store of the demo shop, if it exists; a store with the same id but another purpose
 * does not count.
 */
export function demoStore(registry: Pick<StoreRegistry, 'find'>): StoreRecord | undefined {
  const store = registry.find(DEMO_STORE_ID)
  return store?.name === DEMO_STORE_NAME ? store : undefined
}

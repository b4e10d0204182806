import { createContext, use } from 'react'
import type { PageState } from './page-state.ts'
import type { Visit } from './visit.ts'

/** What every part of a page may use. */
export interface Shop {
  /** Absent during rendering on the server. */
  readonly visit: Visit | undefined
  readonly base: string
  go(state: PageState): void
  readonly isExplaining: boolean
  readonly cart: readonly string[]
  setCart(ids: readonly string[]): void
}

export const ShopContext = createContext<Shop | undefined>(undefined)

export function useShop(): Shop {
  const shop = use(ShopContext)
  if (shop === undefined) throw new Error('This component must be inside a shop')
  return shop
}

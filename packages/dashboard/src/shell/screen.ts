import type { AisleClient, StoreClient } from '@aisle/client'
import type { QueryClient } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { createContext, useContext, type ComponentType } from 'react'
import type { Role } from '../session/session.ts'
import { storeQuery, storesQuery } from '../session/store.ts'
import type { Chunk } from '../ui/chunk.tsx'

export interface Screen {
  /** Its part of the address. */
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** The lowest role that sees it. */
  readonly role: Role
  readonly component: Chunk<object>
  /** Asks for what it shows first, while its code loads. */
  readonly begin?: ((start: ScreenStart) => void) | undefined
}

/** What a screen of a store is begun with. */
export interface ScreenStart {
  readonly queries: QueryClient
  readonly storeId: string
  readonly calls: StoreClient
  /** Of the address. */
  readonly parameters: URLSearchParams
}

export interface ScreenGroup {
  /** Empty: without a heading. */
  readonly label: string
  readonly screens: readonly Screen[]
}

/** All screens, as `main.tsx` puts them into the frame. */
export interface Screens {
  /** Below `/stores/ID/`. */
  readonly store: readonly ScreenGroup[]
  /** Of the installation, below `/`. */
  readonly service: readonly Screen[]
  /** Reached from the foot of the rail. */
  readonly foot: readonly Screen[]
  /** For visitors without a session, by the whole address. */
  readonly open: Readonly<Record<string, ComponentType>>
}

export const ScreensContext = createContext<Screens>({ store: [], service: [], foot: [], open: {} })

export function useScreens(): Screens {
  return useContext(ScreensContext)
}

/** The screen of an address: `/stores/ID/PATH` or `/PATH`; the first one of a store by default. */
export function screenAt({ store, service, foot }: Screens, address: string): Screen | undefined {
  const [, first = '', , path = ''] = address.split('/')
  const ofStores = store.flatMap(({ screens }) => screens)
  if (first === '') return ofStores[0]
  return first === 'stores' && path !== ''
    ? ofStores.find((screen) => screen.path === path)
    : [...service, ...foot].find((screen) => screen.path === first)
}

/**
 * Asks for what the page of an address shows first, while its code loads: otherwise each request
 * waits for the one before and for the part of the page that makes it.
 */
export function beginScreen(
  screens: Screens,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  api: AisleClient,
  queries: QueryClient,
): void {
  void queries.prefetchQuery(storesQuery(api))
  const [, first, encodedId = ''] = pathname.split('/')
  if (first !== 'stores' || encodedId === '') return
  const storeId = decodedId(encodedId)
  void queries.prefetchQuery(storeQuery(api, storeId))
  const parameters = new URLSearchParams(search)
  const { begin } = screenAt(screens, pathname) ?? {}
  begin?.({ queries, storeId, calls: api.store(storeId), parameters })
}

/** Of an address that somebody may have cut or typed. */
function decodedId(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

import type { LucideIcon } from 'lucide-react'
import { createContext, useContext, type ComponentType } from 'react'
import type { Role } from '../session/session.ts'
import type { Chunk } from '../ui/chunk.tsx'

export interface Screen {
  /** Its part of the address. */
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** The lowest role that sees it. */
  readonly role: Role
  readonly component: Chunk<object>
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

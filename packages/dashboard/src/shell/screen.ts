import type { LucideIcon } from 'lucide-react'
import {
  createContext,
  lazy,
  useContext,
  type ComponentType,
  type LazyExoticComponent,
} from 'react'
import type { Role } from '../session/session.ts'

export interface Screen {
  /** Its part of the address. */
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** The lowest role that sees it. */
  readonly role: Role
  readonly component: LazyExoticComponent<ComponentType>
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
  readonly open: Readonly<Record<string, LazyExoticComponent<ComponentType>>>
}

export const ScreensContext = createContext<Screens>({ store: [], service: [], foot: [], open: {} })

export function useScreens(): Screens {
  return useContext(ScreensContext)
}

/** A component in its own chunk, loaded when first shown. */
export function chunk(load: () => Promise<ComponentType>): LazyExoticComponent<ComponentType> {
  return lazy(async () => ({ default: await load() }))
}

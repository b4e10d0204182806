import type { CurrentSession } from '@aisle/client'
import { createContext, useContext } from 'react'
import { useRoute } from 'wouter'

export type Role = CurrentSession['role']

export interface SessionState {
  readonly session: CurrentSession
  readonly logOut: () => Promise<void>
  /** Replaces this session with a new one. */
  readonly renew: (session: CurrentSession) => void
}

export const SessionContext = createContext<SessionState | undefined>(undefined)

export function useSession(): SessionState {
  const state = useContext(SessionContext)
  if (state === undefined) throw new Error('useSession needs a SessionProvider')
  return state
}

const RANK: Readonly<Record<Role, number>> = { member: 0, analyst: 1, editor: 2, owner: 3 }

/**
 * Whether the person may do what this role may: in the store of the address, on pages without one
 * in the whole service. The service decides; the page only hides what is not allowed.
 */
export function useMay(role: Role): boolean {
  const [isStore, parameters] = useRoute('/stores/:storeId/*?')
  return useMayIn(isStore ? parameters.storeId : undefined, role)
}

/** Whether the person may do in a store what this role may. @param storeId absent: in all stores */
export function useMayIn(storeId: string | undefined, role: Role): boolean {
  return mayIn(useSession().session, storeId, role)
}

export function mayIn(session: CurrentSession, storeId: string | undefined, role: Role): boolean {
  return RANK[roleIn(session, storeId)] >= RANK[role]
}

function roleIn({ role, stores = {} }: CurrentSession, storeId: string | undefined): Role {
  if (role !== 'member' || storeId === undefined) return role
  return Object.hasOwn(stores, storeId) ? stores[storeId]! : role
}

/** The hint where something is shown but not allowed. */
export const ROLE_HINTS: Readonly<Record<Role, string>> = {
  member: 'Log in to see this',
  analyst: 'Only people with a role in all stores can change this',
  editor: 'Only editors and owners can change this',
  owner: 'Only owners can change this',
}

import type { CurrentSession } from '@aisle/client'
import { createContext, useContext } from 'react'

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

const RANK: Readonly<Record<Role, number>> = { analyst: 0, editor: 1, owner: 2 }

/**
 * Whether the person may do what this role may. The service decides; the page only hides what is
 * not allowed.
 */
export function useMay(role: Role): boolean {
  return RANK[useSession().session.role] >= RANK[role]
}

/** The hint where something is shown but not allowed. */
export const ROLE_HINTS: Readonly<Record<Role, string>> = {
  analyst: 'Log in to see this',
  editor: 'Only editors and owners can change this',
  owner: 'Only owners can change this',
}

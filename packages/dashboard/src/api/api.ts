import { AisleClient, RefusedError } from '@aisle/client'
import { createContext, useContext } from 'react'

/** How often a request that the service is too busy for is sent again before the page says so. */
const RETRIES = 2
const RETRY_WAIT_MAX_MS = 2_000

/** The interface of the service, for the session whose cookie this browser has. */
export function apiClient(csrfToken?: string): AisleClient {
  return new AisleClient({
    url: location.origin,
    retries: RETRIES,
    retryWaitMaxMs: RETRY_WAIT_MAX_MS,
    csrfToken: csrfToken ?? '',
  })
}

export const ApiContext = createContext<AisleClient | undefined>(undefined)

/** The typed calls of the interface. */
export function useApi(): AisleClient {
  const api = useContext(ApiContext)
  if (api === undefined) throw new Error('useApi needs a session around it')
  return api
}

/** The session is over, or there is none. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 401
}

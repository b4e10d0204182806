import { AisleClient, RefusedError } from '@aisle/client'
import { createContext, useContext } from 'react'

/** How often a request is retried while the service is too busy, before the page reports it. */
const RETRIES = 2
const RETRY_WAIT_MAX_MS = 2_000

/** The API of the service, for the session in this browser's cookie. */
export function apiClient(csrfToken?: string): AisleClient {
  return new AisleClient({
    url: location.origin,
    retries: RETRIES,
    retryWaitMaxMs: RETRY_WAIT_MAX_MS,
    csrfToken: csrfToken ?? '',
  })
}

export const ApiContext = createContext<AisleClient | undefined>(undefined)

/** The typed calls of the API. */
export function useApi(): AisleClient {
  const api = useContext(ApiContext)
  if (api === undefined) throw new Error('useApi needs a SessionProvider')
  return api
}

/** The session has ended, or there is none. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 401
}

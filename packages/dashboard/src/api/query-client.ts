import { RefusedError } from '@aisle/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

const FRESH_MS = 10_000
const KEPT_MS = 10 * 60_000

/** @param onError hears of the error of every request of every screen */
export function createQueryClient(
  onError: (error: unknown) => void = () => undefined,
): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        gcTime: KEPT_MS,
        // The client has already retried while the service was busy.
        retry: false,
        refetchOnWindowFocus: (query) => !(query.state.error instanceof RefusedError),
      },
      // A change made while offline fails at once, so that it is not sent later, unseen.
      mutations: { networkMode: 'always', retry: false },
    },
  })
}

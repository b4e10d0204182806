import type { StoreSuggestionsConfig } from '@aisle/client'
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useRefresh, useStore } from '../../session/store.ts'
import { perform } from '../../state/change.ts'

export function useConfig(): UseQueryResult<StoreSuggestionsConfig> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['suggestions-config', storeId],
    queryFn: () => calls.suggestionsConfig(),
  })
}

export interface ConfigChange {
  /** The change in words: "“knife” blocked". */
  readonly done: string
  readonly change: (config: StoreSuggestionsConfig) => StoreSuggestionsConfig
  /** After it: the draft ends. */
  readonly after?: () => void
}

/**
 * Changes the newest configuration, so that nobody else's change is lost; the change can be undone.
 */
export function useChangeConfig(): UseMutationResult<void, unknown, ConfigChange> {
  const { storeId, calls } = useStore()
  const client = useQueryClient()
  const refresh = useRefresh()
  const put = async (config: StoreSuggestionsConfig, etag: string): Promise<string> => {
    const { etag: written, ...saved } = await calls.putSuggestionsConfig(config, etag)
    client.setQueryData(['suggestions-config', storeId], saved)
    await refresh('suggest')
    return written
  }
  return useMutation({
    mutationFn: async ({ done, change, after }: ConfigChange) => {
      const { value: before, etag } = await calls.taggedSuggestionsConfig()
      await perform({
        write: () => put(change(before), etag),
        ...(after === undefined ? {} : { after }),
        done: () => done,
        undo: (written) => put(before, written),
      })
    },
    onError: () => refresh('suggestions-config'),
  })
}

import type { StoreSuggestionsConfig } from '@aisle/client'
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useStore } from '../../session/store.ts'
import { toast } from '../../ui/toast.tsx'

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
}

/**
 * Changes the newest configuration, so that nobody else's change is lost; the change can be undone.
 */
export function useChangeConfig(): UseMutationResult<void, unknown, ConfigChange> {
  const { storeId, calls } = useStore()
  const client = useQueryClient()
  const put = async (config: StoreSuggestionsConfig): Promise<void> => {
    client.setQueryData(['suggestions-config', storeId], await calls.putSuggestionsConfig(config))
    await client.invalidateQueries({ queryKey: ['suggest', storeId] })
  }
  return useMutation({
    mutationFn: async ({ done, change }: ConfigChange) => {
      const before = await calls.suggestionsConfig()
      await put(change(before))
      toast(done, 'good', () => {
        put(before).catch(() => toast('It could not be undone', 'bad'))
      })
    },
  })
}

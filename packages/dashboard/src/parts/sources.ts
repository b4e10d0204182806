import type { Source } from '@aisle/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { formatCount } from '../format/numbers.ts'
import { useMay } from '../session/session.ts'
import { useStore } from '../session/store.ts'

/** Milliseconds between two looks at a run in progress. */
const RUNNING_MS = 1_000

export function useSources(): UseQueryResult<readonly Source[]> {
  const { storeId, calls } = useStore()
  const mayRead = useMay('editor')
  return useQuery({
    queryKey: ['sources', storeId],
    queryFn: async (): Promise<readonly Source[]> => (await calls.sources()).sources,
    enabled: mayRead,
    refetchInterval: ({ state }) =>
      state.data?.some(({ running }) => running !== undefined) === true ? RUNNING_MS : false,
  })
}

/** What is wrong with a source, and what to do; undefined: nothing. */
export function sourceFault({ health, last_run: last, following }: Source): string | undefined {
  switch (health) {
    case 'failing':
      if (following?.error !== undefined) return `No changes arrive: ${following.error}.`
      return `The last run failed: ${last?.error ?? 'unknown reason'}. Products stay as they are.`
    case 'shrunk':
      return `${formatCount(last?.missing ?? 0, 'product')} missing in the source. Nothing was removed, because that is a large share of it, or because a row had no id.`
    case 'stale':
      return 'Two scheduled runs have passed since the last good one.'
    case 'new':
    case 'ok':
      return undefined
  }
}

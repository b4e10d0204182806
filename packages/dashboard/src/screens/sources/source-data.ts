import type { Source, SourceRun } from '@aisle/client'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useStore } from '../../session/store.ts'

/** Milliseconds between two looks at a run in progress. */
const RUNNING_MS = 1_000

export function useRuns({ name }: Source): UseQueryResult<readonly SourceRun[]> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['sources', storeId, name, 'runs'],
    queryFn: async (): Promise<readonly SourceRun[]> => (await calls.sourceRuns(name)).runs,
    refetchInterval: ({ state }) =>
      state.data?.some((run) => run.state === 'running') === true ? RUNNING_MS : false,
  })
}

import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useApi } from '../../api/api.ts'
import { Metrics } from './metrics-text.ts'

const EVERY_MS = 5_000
/** One hour; older samples are dropped. */
const MOMENTS_MAX = 720

/** The metrics of the service since the page was opened, the newest last. */
export function useMetricsHistory(): UseQueryResult<readonly Metrics[]> {
  const api = useApi()
  const client = useQueryClient()
  return useQuery({
    queryKey: ['metrics'],
    queryFn: async ({ queryKey }) => {
      const atMs = Math.round(performance.timeOrigin + performance.now())
      const latest = new Metrics(await api.metrics(), atMs)
      const before = client.getQueryData<readonly Metrics[]>(queryKey) ?? []
      return [...before, latest].slice(-MOMENTS_MAX)
    },
    refetchInterval: EVERY_MS,
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  })
}

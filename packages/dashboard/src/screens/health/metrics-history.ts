import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api.ts'
import { Metrics } from './metrics-text.ts'

const EVERY_MS = 5_000
/** One hour; older samples are dropped. */
const MOMENTS_MAX = 720

/** The metrics of the service, now and since the page was opened. */
export function useMetricsHistory(): {
  readonly moments: readonly Metrics[]
  readonly query: UseQueryResult<Metrics>
} {
  const api = useApi()
  const [moments, setMoments] = useState<readonly Metrics[]>([])
  const query = useQuery({
    queryKey: ['metrics'],
    queryFn: async () =>
      new Metrics(await api.metrics(), Math.round(performance.timeOrigin + performance.now())),
    refetchInterval: EVERY_MS,
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  })
  const latest = query.data
  useEffect(() => {
    if (latest === undefined) return
    setMoments((before) =>
      before.at(-1) === latest ? before : [...before, latest].slice(-MOMENTS_MAX),
    )
  }, [latest])
  return { moments, query }
}

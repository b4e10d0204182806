import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatBytes, formatDuration, formatNumber } from '../../format/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { useStores } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorState, Note, Skeleton } from '../../ui/states.tsx'
import { LineChart, preloadCharts } from '../../ui/line-chart.tsx'
import { Page, Section } from '../../ui/page.tsx'
import {
  Facts,
  type Fact,
  Jobs,
  RefusedRequests,
  SlowSearches,
  Threads,
} from './activity-sections.tsx'
import type { Metrics } from './metrics-text.ts'
import { StoreSizes } from './store-sizes.tsx'
import { useMetricsHistory } from './metrics-history.ts'
import './health.css'

preloadCharts()

/** What the service is doing, and the resources it uses. */
export function HealthScreen(): ReactNode {
  const query = useMetricsHistory()
  const moments = query.data ?? []
  const stores = useStores()
  const ready = useQuery({
    queryKey: ['health'],
    queryFn: async () => (await fetch('/health')).ok,
    refetchInterval: 5_000,
  })
  const api = useApi()
  const activity = useQuery({
    queryKey: ['activity'],
    queryFn: () => api.activity(),
    refetchInterval: 5_000,
    staleTime: 0,
  })
  const names = new Map(stores.data?.map(({ store_id, name }) => [store_id, name]))
  const latest = moments.at(-1)
  return (
    <Page
      title="Health"
      about="Load and resources of the service. All threads together, updated every five seconds."
      actions={
        ready.data !== undefined && (
          <Badge kind={ready.data ? 'good' : 'warn'}>{ready.data ? 'Ready' : 'Starting'}</Badge>
        )
      }
    >
      {latest === undefined ? (
        query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton height={320} />
        )
      ) : (
        <>
          <Reserve metrics={latest} />
          <div className="health-cards">
            <Facts title="Service" facts={serviceFacts(latest)} />
            <Facts title="Search" facts={searchFacts(latest)} />
            <Facts title="Writing" facts={writeFacts(latest)} />
            <Facts title="Refused since startup" facts={refusedFacts(latest)} />
          </div>
          {activity.isError && (
            <ErrorState error={activity.error} onRetry={() => void activity.refetch()} />
          )}
          {activity.data !== undefined && (
            <div className="health-now">
              <Threads threads={activity.data.threads} />
              <Jobs jobs={activity.data.jobs} names={names} />
            </div>
          )}
          <Section
            title="Now"
            about="Searches per second and p95 latency since this page was opened."
          >
            {moments.length < 3 ? (
              <p className="muted">The first figures appear in ten seconds.</p>
            ) : (
              <div className="health-charts">
                <LineChart
                  label="Searches per second"
                  times={moments.slice(1).map(({ atMs }) => atMs)}
                  series={[
                    {
                      name: 'Searches per second',
                      values: pairs(moments, (now, before) =>
                        now.rate('aisle_search_requests_total', before),
                      ),
                    },
                  ]}
                  format={(value) => formatNumber(value, 1)}
                />
                <LineChart
                  label="p95 latency"
                  times={moments.slice(1).map(({ atMs }) => atMs)}
                  series={[
                    {
                      name: 'p95 latency',
                      values: pairs(moments, (now, before) => {
                        const seconds = now.quantile('aisle_search_duration_seconds', 0.95, before)
                        return seconds === undefined ? null : seconds * 1_000
                      }),
                    },
                  ]}
                  format={formatDuration}
                />
              </div>
            )}
          </Section>
          {activity.data !== undefined && (
            <>
              <SlowSearches activity={activity.data} names={names} />
              <RefusedRequests refusals={activity.data.refusals} names={names} />
            </>
          )}
          {stores.data !== undefined && <StoreSizes stores={stores.data} />}
        </>
      )}
    </Page>
  )
}

function pairs<Value>(
  moments: readonly Metrics[],
  value: (now: Metrics, before: Metrics) => Value,
): Value[] {
  return moments.slice(1).map((now, i) => value(now, moments[i]!))
}

/** Writes stop at the reserve, so the page warns before. */
function Reserve({ metrics }: { readonly metrics: Metrics }): ReactNode {
  const free = metrics.sum('aisle_disk_free_bytes')
  const reserve = metrics.sum('aisle_disk_reserve_bytes')
  if (reserve === 0 || free > 2 * reserve) return null
  return (
    <Note kind={free > reserve ? 'warn' : 'bad'}>
      {free > reserve
        ? `${formatBytes(free)} of disk left. Below ${formatBytes(reserve)}, products and events are refused; searches keep working.`
        : `The disk is nearly full. Products and events are refused until more than ${formatBytes(reserve)} are free; searches keep working.`}
    </Note>
  )
}

function serviceFacts(metrics: Metrics): readonly Fact[] {
  const { version, node } = metrics.samples('aisle_build_info')[0]?.labels ?? {}
  const startMs = metrics.sum('aisle_process_start_time_seconds') * 1_000
  const bytes = (metric: string): string => formatBytes(metrics.sum(metric))
  const duration = (metric: string): string => formatDuration(metrics.sum(metric) * 1_000)
  return [
    { name: 'Version', value: `${version ?? '–'}, Node ${node ?? '–'}` },
    { name: 'Started', value: <Time at={startMs} /> },
    { name: 'Memory', value: bytes('aisle_process_resident_memory_bytes') },
    { name: 'CPU since startup', value: duration('aisle_process_cpu_seconds_total') },
    { name: 'Event loop delay, p99', value: duration('aisle_nodejs_eventloop_lag_p99_seconds') },
    {
      name: 'Disk free',
      value: bytes('aisle_disk_free_bytes'),
      about: `Products and events are refused below ${bytes('aisle_disk_reserve_bytes')}`,
    },
    counter(metrics, 'Open files', 'aisle_process_open_fds'),
  ]
}

function searchFacts(metrics: Metrics): readonly Fact[] {
  return [
    counter(metrics, 'Searches', 'aisle_search_requests_total'),
    counter(metrics, 'Served from cache', 'aisle_search_requests_total', {
      cached: 'true',
    }),
    ...[0.5, 0.95, 0.99].map((quantile) => {
      const seconds = metrics.quantile('aisle_search_duration_seconds', quantile)
      return {
        name: `Response time, p${quantile * 100}`,
        value: seconds === undefined ? '–' : formatDuration(seconds * 1_000),
      }
    }),
    counter(metrics, 'No results', 'aisle_search_zero_results_total'),
    counter(metrics, 'Timed out', 'aisle_search_timeouts_total'),
  ]
}

function writeFacts(metrics: Metrics): readonly Fact[] {
  const longestMs = metrics.sum('aisle_writer_longest_stall_seconds') * 1_000
  return [
    counter(metrics, 'Products received', 'aisle_indexing_documents_total'),
    counter(metrics, 'Pending writes', 'aisle_indexing_queue_length'),
    {
      ...counter(metrics, 'Write stalls', 'aisle_writer_stalls_total'),
      about: `Longest ${formatDuration(longestMs)}`,
    },
    counter(metrics, 'Events received', 'aisle_ingest_events_total'),
    counter(metrics, 'Pending events', 'aisle_ingest_queue_depth'),
    {
      ...counter(metrics, 'Postponed background jobs', 'aisle_disk_postponed_total'),
      about: 'Would have used the disk reserve',
    },
  ]
}

function refusedFacts(metrics: Metrics): readonly Fact[] {
  return [
    counter(metrics, 'Too many requests from one address', 'aisle_ratelimit_rejections_total'),
    counter(metrics, 'Monthly search quota used up', 'aisle_quota_rejections_total'),
    counter(metrics, 'Overloaded', 'aisle_overload_rejections_total'),
    counter(metrics, 'Too many connections', 'aisle_refused_connections_total'),
    counter(metrics, 'Stalled connections', 'aisle_slow_connections_total'),
    counter(metrics, 'Searches not recorded', 'aisle_search_events_dropped_total'),
  ]
}

function counter(
  metrics: Metrics,
  name: string,
  metric: string,
  labels: Readonly<Record<string, string>> = {},
): Fact {
  return { name, value: formatNumber(metrics.sum(metric, labels)) }
}

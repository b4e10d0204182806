import type { ReportAnswer } from '@aisle/client'
import { Gauge } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { formatExactTime, formatUtcDay } from '../../format/time.ts'
import { formatDuration, formatNumber } from '../../format/numbers.ts'
import { useDateRange } from '../../state/date-range.ts'
import type { ChartSeries } from '../../ui/plot.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { LineChart } from '../../ui/line-chart.tsx'
import { Section } from '../../ui/page.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { useReport } from './report-data.ts'
import { numberColumn } from '../../ui/columns.tsx'

type Row = ReportAnswer<'latency'>['rows'][number]
type Percentile = Exclude<keyof Row, 'start' | 'searches'>

const HOURLY_DAYS_MAX = 2
const LINES = [
  { name: 'Median', key: 'p50_ms' },
  { name: 'p95', key: 'p95_ms' },
  { name: 'p99', key: 'p99_ms' },
] as const

/** How long the service took for searches, without the network. */
export function SpeedTab(): ReactNode {
  const { days } = useDateRange()
  const isByDay = days > HOURLY_DAYS_MAX
  const { data, error, refetch } = useReport('latency', { interval: isByDay ? 'day' : 'hour' })
  const times = useMemo(() => data?.rows.map(({ start }) => Date.parse(start)) ?? [], [data])
  const series = useMemo((): readonly ChartSeries[] => {
    const lines = LINES.map(({ name, key }) => ({
      name,
      values: data?.rows.map((row) => row[key]) ?? [],
    }))
    const earlier = data?.comparison?.rows
    if (earlier === undefined) return lines
    const [half, ...rest] = lines
    const compared = {
      name: 'Median, compared period',
      values: times.map((_, i) => earlier[i]?.p50_ms ?? null),
      isComparison: true,
    }
    return [half!, compared, ...rest]
  }, [data, times])
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={420} />
  if (data.totals.searches === 0 && data.comparison === undefined) {
    return (
      <EmptyState icon={Gauge} title="No searches in this period">
        Latency appears here once your shop searches. Searches reported only as events have no
        latency.
      </EmptyState>
    )
  }
  const columns: readonly Column<Row>[] = [
    {
      id: 'start',
      header: isByDay ? 'Day' : 'Hour',
      cell: ({ start }) => (isByDay ? formatUtcDay(start) : formatExactTime(Date.parse(start))),
      value: ({ start }) => start,
    },
    numberColumn('searches', 'Searches', ({ searches }) => searches),
    duration('p50_ms', 'Median'),
    duration('p75_ms', 'p75'),
    duration('p90_ms', 'p90'),
    duration('p95_ms', 'p95', true),
    duration('p99_ms', 'p99'),
    duration('max_ms', 'Max'),
  ]
  return (
    <div className="stack-groups">
      <Section
        title="Search latency"
        about="Median, p95 and p99 in the service, without the network."
      >
        <LineChart
          label="Search latency"
          times={times}
          series={series}
          format={formatDuration}
          isByDay={isByDay}
        />
      </Section>
      <Table
        label="Search latency"
        name="analytics-speed"
        rows={data.rows.filter(({ searches }) => searches > 0)}
        columns={columns}
        rowId={({ start }) => start}
        empty={<p className="analytics-nothing muted">No searches in this period.</p>}
      />
    </div>
  )
}

function duration(key: Percentile, header: string, isMain = false): Column<Row> {
  const format = (ms: number) => formatNumber(ms, 1)
  return numberColumn(key, header, (row) => row[key], { unit: 'ms', format, isMain })
}

import type { ReportAnswer } from '@aisle/client'
import { useMemo, type ReactNode } from 'react'
import { currentTimeMs } from '../../state/clock.ts'
import type { ChartSeries } from '../../ui/plot.tsx'
import { LineChart } from '../../ui/line-chart.tsx'
import { type Figure, type Totals, FIGURES } from '../../parts/figures.ts'
import { FigureChange, FigureValue } from '../../parts/figure-change.tsx'
import { ChartLine } from 'lucide-react'
import { storePath, useStore } from '../../session/store.ts'
import { useDateRange } from '../../state/date-range.ts'
import { useUrlState } from '../../state/url-state.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { Funnel, Positions } from './journey-sections.tsx'
import { useReport } from './report-data.ts'

/** Up to this many days a row is an hour, from this many on a week. */
const HOURLY_DAYS_MAX = 2
const WEEKLY_DAYS_MIN = 181

export function OverviewTab(): ReactNode {
  const { storeId } = useStore()
  const { days } = useDateRange()
  const isByDay = days > HOURLY_DAYS_MAX
  const interval = isByDay ? (days >= WEEKLY_DAYS_MIN ? 'week' : 'day') : 'hour'
  const { data, error, refetch } = useReport('overview', { interval })
  const [chosen, choose] = useUrlState('figure', FIGURES[0]!.id)
  const figure = FIGURES.find(({ id }) => id === chosen) ?? FIGURES[0]!
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={420} />
  const { searches, clicks, conversions } = data.totals
  if (searches + clicks + conversions === 0 && data.comparison === undefined) {
    return (
      <EmptyState
        icon={ChartLine}
        title="No searches in this period"
        action={
          <LinkButton to={storePath(storeId, 'events')} variant="primary">
            View live events
          </LinkButton>
        }
      >
        Searches are counted automatically. Clicks and orders appear once your shop sends them as
        events. Choose another period, or check that events arrive.
      </EmptyState>
    )
  }
  return (
    <div className="stack-groups">
      <section className="analytics-overview card" aria-label="Figures">
        <FigureTiles
          totals={data.totals}
          before={data.comparison?.totals}
          chosen={figure.id}
          onChoose={choose}
        />
        <div className="analytics-chart stack gap-8">
          <OverviewChart report={data} figure={figure} isByDay={isByDay} />
          <p className="small muted">
            {figure.about} {interval === 'week' && 'Weeks start on Monday.'}
          </p>
        </div>
      </section>
      <div className="analytics-pair">
        <Section title="From search to order" about="Searches that reached this step.">
          <Funnel />
        </Section>
        <Section title="Where visitors click" about="Clicks by result position.">
          <Positions />
        </Section>
      </div>
    </div>
  )
}

/** The figures of a period; the selected one is drawn below them. */
function FigureTiles({
  totals,
  before,
  chosen,
  onChoose,
}: {
  readonly totals: Totals
  readonly before: Totals | undefined
  readonly chosen: string
  readonly onChoose: (id: string) => void
}): ReactNode {
  return (
    <div className="analytics-tiles">
      {FIGURES.map((figure) => {
        return (
          <button
            key={figure.id}
            type="button"
            className="analytics-tile"
            aria-pressed={figure.id === chosen}
            onClick={() => onChoose(figure.id)}
          >
            <span className="small muted">{figure.label}</span>
            <span className="analytics-value number">
              <FigureValue figure={figure} now={totals} before={before} />
            </span>
            <FigureChange figure={figure} now={totals} before={before} />
          </button>
        )
      })}
    </div>
  )
}

type Overview = ReportAnswer<'overview'>

/** One figure over time, the compared period dashed beneath it. */
function OverviewChart({
  report,
  figure,
  isByDay,
}: {
  readonly report: Overview
  readonly figure: Figure
  readonly isByDay: boolean
}): ReactNode {
  const { rows, comparison } = report
  const times = useMemo(() => rows.map(({ start }) => Date.parse(start)), [rows])
  const series = useMemo((): readonly ChartSeries[] => {
    const values = chartValues(rows, figure, currentTimeMs())
    if (comparison === undefined) return [{ name: figure.label, values }]
    const earlier = chartValues(comparison.rows, figure, currentTimeMs())
    return [
      { name: figure.label, values },
      {
        name: 'Compared period',
        values: rows.map((_, i) => earlier[i] ?? null),
        isComparison: true,
      },
    ]
  }, [rows, comparison, figure])
  return (
    <LineChart
      label={`${figure.label} over time`}
      times={times}
      series={series}
      format={figure.axis}
      isByDay={isByDay}
      height={240}
    />
  )
}

/** Hours that are still to come are a gap, not a fall to zero. */
function chartValues(
  rows: readonly (Totals & { readonly start: string })[],
  figure: Figure,
  nowMs: number,
): (number | null)[] {
  return rows.map((row) => (Date.parse(row.start) > nowMs ? null : figure.value(row)))
}

import type { ExperimentWithReport } from '@aisle/contract'
import { useMemo, type ReactNode } from 'react'
import { formatMoney, formatPercent } from '../../format/numbers.ts'
import { LineChart } from '../../ui/line-chart.tsx'
import { chartSeries } from './chart-series.ts'
import { GOAL_TEXTS } from './experiment-text.ts'

/** What each order has achieved, day by day, with the interval of the draft. */
export function ExperimentChart({
  experiment: { kind, goal, report },
}: {
  readonly experiment: ExperimentWithReport
}): ReactNode {
  const { by_day: days, currency } = report
  const times = useMemo(() => days.map(({ day }) => Date.parse(day)), [days])
  const series = useMemo(() => chartSeries(days), [days])
  const isMoney = kind === 'split' && goal === 'revenue'
  const format = useMemo(
    () => (value: number) => (isMoney ? formatMoney(value, currency) : formatPercent(value)),
    [isMoney, currency],
  )
  if (days.filter(({ draft }) => draft !== null).length < 2) return null
  const figure = kind === 'interleaved' ? 'Share of votes' : GOAL_TEXTS[goal]
  return (
    <section className="stack gap-8">
      <h3>{figure} by day</h3>
      <LineChart
        label={`${figure} so far, at the end of each day`}
        times={times}
        series={series}
        format={format}
        height={180}
      />
      <p className="muted small">
        Running totals at the end of each day (UTC). Dashed lines show the 95% interval of the
        draft, valid on every day. The experiment is decided once the live line is outside.
      </p>
    </section>
  )
}

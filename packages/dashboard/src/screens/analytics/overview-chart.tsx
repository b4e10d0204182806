import type { ReportAnswer } from '@aisle/client'
import { useMemo, type ReactNode } from 'react'
import { currentTimeMs } from '../../state/clock.ts'
import type { ChartSeries } from '../../ui/plot.tsx'
import { LineChart } from '../../ui/line-chart.tsx'
import type { Figure, Totals } from '../../parts/figures.ts'

type Overview = ReportAnswer<'overview'>

/** One figure over time, the compared period dashed beneath it. */
export function OverviewChart({
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

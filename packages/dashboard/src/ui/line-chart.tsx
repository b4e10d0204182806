import { lazy, Suspense, type ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'
import './chart.css'

export interface ChartSeries {
  readonly name: string
  /** One per time; `null` leaves a gap. */
  readonly values: readonly (number | null)[]
  /** The period that is compared with: thin and dashed, in the colour of the series before it. */
  readonly isComparison?: boolean
}

export interface LineChartProps {
  /** What it shows, in words: also for who cannot see it. */
  readonly label: string
  /** Milliseconds, ascending. */
  readonly times: readonly number[]
  /** At most five, comparisons not counted. */
  readonly series: readonly ChartSeries[]
  readonly format?: (value: number) => string
  readonly height?: number
  /** Days of UTC, or moments of the reader's own clock. */
  readonly isByDay?: boolean
}

const HEIGHT = 220
const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }))

/** Lines over time, with the values under the pointer; loaded with the first chart. */
export function LineChart(props: LineChartProps): ReactNode {
  const { height = HEIGHT } = props
  return (
    <Suspense fallback={<Skeleton height={height + 28} />}>
      <Plot {...props} height={height} />
    </Suspense>
  )
}

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

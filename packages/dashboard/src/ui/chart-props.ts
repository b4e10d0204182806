export interface ChartSeries {
  readonly name: string
  /** One value per time; `null` leaves a gap. */
  readonly values: readonly (number | null)[]
  /** The compared period: thin and dashed, in the colour of the previous series. */
  readonly isComparison?: boolean
}

export interface LineChartProps {
  /** What the chart shows, in words; also for screen readers. */
  readonly label: string
  /** Milliseconds, ascending. */
  readonly times: readonly number[]
  /** At most five series, not counting comparisons. */
  readonly series: readonly ChartSeries[]
  readonly format?: (value: number) => string
  readonly height?: number
  /** Days in UTC, or times in the reader's time zone. */
  readonly isByDay?: boolean
}

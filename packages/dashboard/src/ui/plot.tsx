import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import Uplot, { type Options } from 'uplot'
import { formatNumber } from '../format/numbers.ts'
import { lonePoints } from './lone-points.ts'
import { useThemeColors } from './theme-colors.ts'
import 'uplot/dist/uPlot.min.css'

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

/** Room for half of the last label, which is centred below its tick. */
const LAST_DAY_WIDTH = 56
const LAST_TIME_WIDTH = 64

/** Draws a `LineChart`. */
export function Plot({
  label,
  times,
  series,
  format = formatNumber,
  height = 220,
  isByDay = true,
}: LineChartProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const colors = useThemeColors()
  const [pointed, setPointed] = useState<number | null>(null)
  const lines = useMemo(() => coloured(series), [series])
  const day = useMemo(
    () =>
      new Intl.DateTimeFormat(
        undefined,
        isByDay
          ? { day: 'numeric', month: 'short', timeZone: 'UTC' }
          : { dateStyle: 'short', timeStyle: 'short' },
      ),
    [isByDay],
  )

  // The axis has no room for the date of each hour.
  const tick = useMemo(
    () => (isByDay ? day : new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })),
    [day, isByDay],
  )

  useEffect(() => {
    const element = place.current
    if (element === null) return
    const alone = lines.map(({ values }) => lonePoints(values))
    const options: Options = {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { points: { size: 7 }, drag: { x: false, y: false }, y: false },
      padding: [12, isByDay ? LAST_DAY_WIDTH / 2 : LAST_TIME_WIDTH / 2, 0, 0],
      // Ticks at midnight of the days that are named, not of the reader's days.
      ...(isByDay ? { tzDate: (at: number) => Uplot.tzDate(new Date(at * 1_000), 'UTC') } : {}),
      scales: {
        x: { time: true },
        y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
      axes: [
        {
          ...axis(colors.muted, 'transparent', (_plot, splits) =>
            splits.map((at) => tick.format(at * 1_000)),
          ),
          size: 32,
        },
        {
          ...axis(colors.muted, colors.line, (_plot, splits) =>
            splits.map((value) => format(value)),
          ),
          size: 64,
        },
      ],
      series: [
        {},
        ...lines.map(({ name, number, isComparison = false }) => ({
          label: name,
          stroke: colors.series[number]!,
          width: isComparison ? 1 : 2,
          dash: isComparison ? [4, 4] : [],
          spanGaps: false,
          points: { show: true, filter: (_plot: Uplot, at: number) => alone[at - 1]! },
        })),
      ],
      hooks: { setCursor: [(plot) => setPointed(plot.cursor.idx ?? null)] },
    }
    const data = [times.map((ms) => ms / 1_000), ...lines.map(({ values }) => [...values])]
    const plot = new Uplot(options, data as Uplot.AlignedData, element)
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height })
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [times, lines, colors, height, format, tick, isByDay])

  const shown = pointed ?? times.length - 1
  const at = times[shown]
  return (
    <figure className="chart">
      <figcaption className="chart-legend">
        {lines.map(({ name, number, values, isComparison = false }) => (
          <span key={name} className="row">
            <span
              className={isComparison ? 'chart-mark chart-mark-dashed' : 'chart-mark'}
              style={{ borderColor: colors.series[number] }}
              aria-hidden
            />
            <span>{name}</span>
            <span className="number strong">{valueText(values[shown], format)}</span>
          </span>
        ))}
        {at !== undefined && <span className="muted number">{day.format(at)}</span>}
      </figcaption>
      <div ref={place} role="img" aria-label={label} style={{ height }} />
    </figure>
  )
}

/** A comparison has the colour of the series that it belongs to. */
function coloured(series: readonly ChartSeries[]): (ChartSeries & { readonly number: number })[] {
  let number = -1
  return series.map((one) => {
    if (one.isComparison !== true) number++
    return { ...one, number: Math.max(0, number) }
  })
}

function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '–' : format(value)
}

function axis(stroke: string, grid: string, values: (plot: Uplot, splits: number[]) => string[]) {
  return {
    stroke,
    values,
    font: '12px system-ui',
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    gap: 8,
  }
}

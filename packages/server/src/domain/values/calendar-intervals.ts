import { FACET_INTERVALS_MAX } from '@aisle/contract'
import type { FacetInterval, FacetIntervals } from '@aisle/engine'
import { atZone, moved, startOf } from './calendar.ts'

/** Units into which a facet divides time. */
export const INTERVAL_UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const

export type IntervalUnit = (typeof INTERVAL_UNITS)[number]

const DAY_SECONDS = 86_400
const YEAR_SECONDS = 365.2425 * DAY_SECONDS
const LENGTH_SECONDS: Readonly<Record<IntervalUnit, number>> = {
  hour: 3_600,
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
  month: YEAR_SECONDS / 12,
  quarter: YEAR_SECONDS / 4,
  year: YEAR_SECONDS,
}

/** The hours, days, weeks … of a time zone, in seconds since 1970. */
export class CalendarIntervals implements FacetIntervals {
  readonly unit: IntervalUnit
  readonly timeZone: string
  /** Average length of FACET_INTERVALS_MAX of them. */
  readonly spanMax: number

  constructor(unit: IntervalUnit, timeZone: string) {
    this.unit = unit
    this.timeZone = timeZone
    this.spanMax = FACET_INTERVALS_MAX * LENGTH_SECONDS[unit]
  }

  intervalOf(value: number): FacetInterval {
    const startMs = startOf(Math.round(value * 1000), this.unit, this.timeZone)
    return { low: startMs / 1000, high: moved(startMs, 1, this.unit, this.timeZone) / 1000 }
  }

  /**
   * `2026`, `2026-Q1`, `2026-03`, `2026-03-31` (of a week: its Monday), `2026-03-31T14:00+02:00`.
   */
  nameOf({ low }: FacetInterval): string {
    const there = atZone(low * 1000, this.timeZone)
    const day = there.toPlainDate().toString()
    const isLong = day.startsWith('-') || day.startsWith('+')
    const year = day.slice(0, isLong ? 7 : 4)
    switch (this.unit) {
      case 'year':
        return year
      case 'quarter':
        return `${year}-Q${Math.ceil(there.month / 3)}`
      case 'month':
        return day.slice(0, -3)
      case 'week':
      case 'day':
        return day
      case 'hour':
        return momentText(low, this.timeZone, 'minute')
    }
  }
}

/** ISO 8601 with the offset of a time zone; `Z` for UTC. */
export function momentText(
  seconds: number,
  timeZone: string,
  smallestUnit: 'minute' | 'auto' = 'auto',
): string {
  const options = {
    timeZoneName: 'never',
    ...(smallestUnit === 'auto' ? {} : { smallestUnit }),
  } as const
  const text = atZone(Math.round(seconds * 1000), timeZone).toString(options)
  return timeZone === 'UTC' ? text.replace(/\+00:00$/, 'Z') : text
}

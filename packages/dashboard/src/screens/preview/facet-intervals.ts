import type { FacetMap } from '@aisle/contract'

/** The time that a value of a facet by calendar interval means. */
export interface TimeSpan {
  /** ISO 8601. */
  readonly from: string
  /** Exclusive. */
  readonly to: string
}

export const INTERVALS = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const
export type Interval = (typeof INTERVALS)[number]

type FacetValue = Extract<FacetMap[string], readonly unknown[]>[number]

/** The time that a value means; undefined: it is a plain value. */
export function spanOf({ from, to }: FacetValue): TimeSpan | undefined {
  return from === undefined || to === undefined ? undefined : { from, to }
}

const HOUR_MS = 3_600_000
/** The longest time of each, days of 25 hours among them. */
const LONGEST_HOURS: readonly (readonly [Interval, number])[] = [
  ['hour', 2],
  ['day', 26],
  ['week', 24 * 8],
  ['month', 24 * 32],
  ['quarter', 24 * 93],
]

/** Which interval of the calendar it is. */
export function intervalOf({ from, to }: TimeSpan): Interval {
  const hours = (Date.parse(to) - Date.parse(from)) / HOUR_MS
  return LONGEST_HOURS.find(([, longest]) => hours <= longest)?.[0] ?? 'year'
}

/** The calendar of the interval is that of its offset: its digits are read as they stand. */
const FORMATS: Readonly<Record<Interval, Intl.DateTimeFormat>> = {
  hour: format({ dateStyle: 'medium', timeStyle: 'short' }),
  day: format({ dateStyle: 'medium' }),
  week: format({ dateStyle: 'medium' }),
  month: format({ month: 'long', year: 'numeric' }),
  quarter: format({ year: 'numeric' }),
  year: format({ year: 'numeric' }),
}

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' })
}

/** `January 2026`, `Q1 2026`, `Week of Jan 5, 2026`. */
export function spanWords(span: TimeSpan): string {
  const interval = intervalOf(span)
  const wall = new Date(`${span.from.slice(0, 19)}Z`)
  const text = FORMATS[interval].format(wall)
  if (interval === 'week') return `Week of ${text}`
  return interval === 'quarter' ? `Q${Math.floor(wall.getUTCMonth() / 3) + 1} ${text}` : text
}

/** A moment as a facet has it: seconds since 1970. */
export function dayWords(seconds: number): string {
  return FORMATS.day.format(new Date(seconds * 1000))
}

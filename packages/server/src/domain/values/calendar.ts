/** Units of a calendar, in the order of their length. */
export const CALENDAR_UNITS = [
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
] as const

export type CalendarUnit = (typeof CALENDAR_UNITS)[number]

/**
 * Moments are at most this many milliseconds from 1970: 270,000 years, so that each still has a
 * year around it that `Temporal` knows.
 */
export const MOMENT_MAX_MS = 8.5e15

const TIME_ZONE = /^(?:[A-Za-z][A-Za-z0-9_+/-]{0,63}|[+-]\d\d:\d\d)$/

/** Whether it is the name of a time zone (`Europe/Berlin`, `UTC`) or an offset (`+02:00`). */
export function isTimeZone(text: string): boolean {
  // Nearly every request: a moment in a zone costs 10 us.
  if (text === 'UTC') return true
  if (!TIME_ZONE.test(text)) return false
  try {
    atZone(0, text)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/**
 * The first moment of the unit that a moment lies in, by the clock and calendar of a time zone.
 * Weeks begin on Monday (ISO 8601).
 */
export function startOf(ms: number, unit: CalendarUnit, timeZone: string): number {
  const there = atZone(clamped(ms), timeZone)
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour':
      return there.round({ smallestUnit: unit, roundingMode: 'floor' }).epochMilliseconds
    case 'day':
      return there.startOfDay().epochMilliseconds
    case 'week':
      return there.subtract({ days: there.dayOfWeek - 1 }).startOfDay().epochMilliseconds
    case 'month':
      return firstDay(there, there.month)
    case 'quarter':
      return firstDay(there, there.month - ((there.month - 1) % 3))
    case 'year':
      return firstDay(there, 1)
  }
}

/**
 * Moves a moment by units. Hours and smaller units are lengths of time; days and larger units are
 * calendar steps, which keep the time of day: the 31st of a month becomes the last day of a shorter
 * one. Results outside of the calendar are its first or last moment.
 */
export function moved(ms: number, count: number, unit: CalendarUnit, timeZone: string): number {
  const [name, factor] = unit === 'quarter' ? (['months', 3] as const) : ([`${unit}s`, 1] as const)
  try {
    const there = atZone(clamped(ms), timeZone).add({ [name]: count * factor })
    return clamped(there.epochMilliseconds)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return count < 0 ? -MOMENT_MAX_MS : MOMENT_MAX_MS
  }
}

/**
 * Returns the moment at which the clocks of a time zone show this time; if they skip it, the next
 * one.
 */
export function momentOf(wallMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return wallMs
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO('UTC')
  return wall.toPlainDateTime().toZonedDateTime(timeZone).epochMilliseconds
}

export function atZone(ms: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
}

function firstDay(there: Temporal.ZonedDateTime, month: number): number {
  return there.with({ month, day: 1 }).startOfDay().epochMilliseconds
}

function clamped(ms: number): number {
  return Math.max(-MOMENT_MAX_MS, Math.min(MOMENT_MAX_MS, ms))
}

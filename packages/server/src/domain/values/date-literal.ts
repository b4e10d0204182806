import { MOMENT_MAX_MS, momentOf, moved, startOf, type CalendarUnit } from './calendar.ts'
import { parseIsoDate, type IsoDate } from './iso-date.ts'

/** The reference for dates in a request. */
export interface DateContext {
  /** The moment of the request, milliseconds since 1970. */
  readonly nowMs: number
  /**
   * Time zone of dates without an offset, and of calendar days: a name or an offset, see
   * `isTimeZone`.
   */
  readonly timeZone: string
}

/** A context for checks of expressions that are used later. */
export const ANY_TIME: DateContext = { nowMs: 0, timeZone: 'UTC' }

/** The period that a date covers: `2026` is a year, `2026-01` a month, `now` a second. */
export interface DatePeriod {
  /** Milliseconds since 1970. */
  readonly startMs: number
  /** Exclusive. */
  readonly endMs: number
  /** Depends on the time of the request. */
  readonly isMoving: boolean
}

/** The dates of documents: the years 0000 to 9999, which is what ISO 8601 writes. */
export const DATE_MIN_MS = -62_167_219_200_000
export const DATE_MAX_MS = 253_402_300_799_999

/** Matches the steps after `now` or a date. */
const STEPS_MAX = 16
const STEP = /([+-])(\d{0,9})([yMwdhHms])|\/([yMwdhHms])/y
const NUMBER = /^([+-]?)(\d+)(?:\.(\d+))?$/
/** Nobody means the first hours of 1970: those are `2026.0` seconds. */
const YEAR = /^\d{4}$/
const EXPONENT = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)[eE][+-]?\d+$/

const UNITS: Readonly<Record<string, CalendarUnit>> = {
  y: 'year',
  M: 'month',
  w: 'week',
  d: 'day',
  h: 'hour',
  H: 'hour',
  m: 'minute',
  s: 'second',
}

/**
 * Parses a date of a request (docs/filters.md): ISO 8601, else a number of seconds since 1970,
 * `now`, and date math after `now` or an ISO date with `||`: `now-7d/d`, `2026-01-31||+1M/M`.
 *
 * @param context if absent, there is no `now`, and dates are in UTC
 * @returns undefined if it is not a date
 */
export function parsePeriod(text: string, context?: DateContext): DatePeriod | undefined {
  const timeZone = context?.timeZone ?? 'UTC'
  if (text.startsWith('now')) {
    if (context === undefined) return undefined
    const startMs = Math.floor(context.nowMs / 1000) * 1000
    const now = { startMs, endMs: startMs + 1000, isMoving: true }
    return stepped(now, text.slice(3), timeZone)
  }
  const bars = text.indexOf('||')
  if (bars >= 0) {
    const anchor = periodOf(text.slice(0, bars), timeZone)
    return anchor === undefined ? undefined : stepped(anchor, text.slice(bars + 2), timeZone)
  }
  return periodOf(text, timeZone)
}

/**
 * The date of a document, in UTC unless it has an offset: milliseconds since 1970, possibly outside
 * of DATE_MIN_MS to DATE_MAX_MS.
 */
export function parseDateMs(text: string, isNumber: boolean): number | undefined {
  if (isNumber) return millisecondsOf(text)
  const date = parseIsoDate(text)
  return date === undefined ? undefined : startMsOf(date, 'UTC')
}

/**
 * The moments that `now` and what follows it mean in texts of a request: equal for two moments in
 * which the texts mean the same.
 */
export function movingDates(
  texts: readonly (string | undefined)[],
  context: DateContext,
): readonly string[] {
  return texts.flatMap((text) =>
    text === undefined ? [] : nowsIn(text).map((now) => String(parsePeriod(now, context)?.startMs)),
  )
}

/** Returns each `now` in a text, with the steps after it. */
function nowsIn(text: string): string[] {
  const found: string[] = []
  for (let at = text.indexOf('now'); at >= 0; at = text.indexOf('now', at + 3)) {
    // It must be a whole value, not the end of "snow".
    if (/[a-z]/i.test(text.charAt(at - 1))) continue
    let end = at + 3
    for (STEP.lastIndex = end; STEP.test(text);) end = STEP.lastIndex
    found.push(text.slice(at, end))
  }
  return found
}

function periodOf(text: string, timeZone: string): DatePeriod | undefined {
  const startMs = YEAR.test(text) ? undefined : millisecondsOf(text)
  if (startMs === undefined) return isoPeriod(text, timeZone)
  return { startMs, endMs: startMs + 1, isMoving: false }
}

/** Seconds as milliseconds, rounded down. */
function millisecondsOf(text: string): number | undefined {
  const found = NUMBER.exec(text)
  if (found === null) return EXPONENT.test(text) ? Math.round(Number(text) * 1000) : undefined
  const [, sign, whole, decimals = ''] = found
  const size = Number(whole) * 1000 + Number(decimals.slice(0, 3).padEnd(3, '0'))
  const isCut = /[1-9]/.test(decimals.slice(3))
  return sign === '-' ? 0 - size - (isCut ? 1 : 0) : size
}

function isoPeriod(text: string, timeZone: string): DatePeriod | undefined {
  const date = parseIsoDate(text)
  if (date === undefined) return undefined
  const startMs = startMsOf(date, timeZone)
  const { unit } = date
  const endMs = unit === 'fraction' ? startMs + 1 : moved(startMs, 1, unit, timeZone)
  return { startMs, endMs, isMoving: false }
}

function startMsOf({ wallMs, fraction, offsetMinutes }: IsoDate, timeZone: string): number {
  const secondMs =
    offsetMinutes === undefined ? momentOf(wallMs, timeZone) : wallMs - offsetMinutes * 60_000
  return secondMs + Number(fraction.slice(0, 3).padEnd(3, '0'))
}

/**
 * `+1M`, `-7d` move both ends; `/d` widens the period to the unit it begins in.
 *
 * @returns undefined if the text is not such steps
 */
function stepped(period: DatePeriod, steps: string, timeZone: string): DatePeriod | undefined {
  let { startMs, endMs } = period
  STEP.lastIndex = 0
  for (let i = 0; STEP.lastIndex < steps.length; i++) {
    const found = STEP.exec(steps)
    if (found === null || i === STEPS_MAX) return undefined
    const [, sign, digits, moving, rounding] = found
    if (rounding !== undefined) {
      const unit = UNITS[rounding]!
      startMs = startOf(startMs, unit, timeZone)
      endMs = moved(startMs, 1, unit, timeZone)
    } else {
      const count = (sign === '-' ? -1 : 1) * (digits === '' ? 1 : Number(digits))
      startMs = moved(startMs, count, UNITS[moving!]!, timeZone)
      endMs = moved(endMs, count, UNITS[moving!]!, timeZone)
    }
  }
  return { startMs, endMs: Math.min(endMs, MOMENT_MAX_MS), isMoving: period.isMoving }
}

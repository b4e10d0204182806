import { EVENT_AGE_MAX_DAYS, EVENT_AHEAD_MAX_MS } from '@aisle/contract'

const DAY_MS = 86_400_000

/** Date, or date and time; some clients omit the offset (then UTC). */
const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)([Zz]|[+-]\d{2}:?\d{2})?)?$/

/** @returns milliseconds since 1970, or `undefined` if it is not an ISO 8601 time */
export function parseTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined
  const match = ISO_8601.exec(value)
  if (match === null) return undefined
  const [, date = '', time, offset = 'Z'] = match
  if (!isDay(date)) return undefined
  // The format of nearly all clients: JavaScript parses it directly.
  if (value.length === 24 && offset === 'Z' && value[10] === 'T' && value[19] === '.') {
    const ms = Date.parse(value)
    return Number.isNaN(ms) ? undefined : ms
  }
  const hours = time === undefined ? '00:00' : time.replace(',', '.')
  const zone = /^[zZ]$/.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`
  const ms = Date.parse(`${date}T${hours}${zone}`)
  return Number.isNaN(ms) ? undefined : ms
}

/** JavaScript engines read February 30 as a day in March. @param date YYYY-MM-DD */
function isDay(date: string): boolean {
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  const day = Number(date.slice(8))
  if (month < 1 || month > 12 || day < 1) return false
  if (month !== 2) return day <= 31 - (((month - 1) % 7) % 2)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (isLeap ? 29 : 28)
}

export interface ReportedTime {
  /** The time of the event, by the client's clock. */
  readonly timestampMs: number
  /** The time of sending, by the same clock; if absent, its clock is trusted. */
  readonly sentAtMs?: number | undefined
  /** The time of receipt, by the server's clock. */
  readonly receivedMs: number
}

/**
 * The time of an event by the server's clock: the time of receipt less its age at the client. A
 * time more than five minutes ahead is wrong and is replaced by the time of receipt.
 *
 * @returns `undefined` if it is too old to be counted
 */
export function correctedTime({
  timestampMs,
  sentAtMs,
  receivedMs,
}: ReportedTime): number | undefined {
  const atMs = sentAtMs === undefined ? timestampMs : receivedMs - (sentAtMs - timestampMs)
  if (atMs > receivedMs + EVENT_AHEAD_MAX_MS) return receivedMs
  return atMs < receivedMs - EVENT_AGE_MAX_DAYS * DAY_MS ? undefined : atMs
}

/** In the language of the page: "3 minutes ago" is a text, unlike numbers and days. */
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' })
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const UTC_DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
/** The time zone of this browser, shown wherever days are counted. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

export function formatRelative(ms: number, nowMs: number): string {
  const seconds = (ms - nowMs) / 1_000
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.trunc(seconds / length), unit)
  }
  return 'just now'
}

export function formatExactTime(ms: number): string {
  return EXACT.format(ms)
}

/** `12 Nov 2026`, in the time zone of the reader. */
export function formatDay(ms: number): string {
  return DAY.format(ms)
}

/** A day of a report, which counts them in UTC: `2026-11-01` and its first moment are the same. */
export function formatUtcDay(at: string): string {
  return UTC_DAY.format(Date.parse(at))
}

const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' })
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
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

export function formatDay(at: string | number): string {
  return DAY.format(typeof at === 'number' ? at : Date.parse(at))
}

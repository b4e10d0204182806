/** The time ranges of popularity, shortest first. */
export const TIME_RANGES = ['7d', '30d', '90d'] as const
export type TimeRange = (typeof TIME_RANGES)[number]

/**
 * Per range: its number of days (in UTC, up to today), and the number of recent days that growth is
 * measured in.
 */
export const WINDOWS = [
  { range: '7d', days: 7, recentDays: 1 },
  { range: '30d', days: 30, recentDays: 7 },
  { range: '90d', days: 90, recentDays: 14 },
] as const

const DAY_MS = 86_400_000

export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}

/** Whether a day is in a window. Tomorrow is today: clients' clocks may be minutes ahead. */
export function isWithin(day: number, today: number, days: number): boolean {
  return day >= today - days && day <= today + 1
}

/** The time ranges that popularity is known for, shortest first. */
export const TIME_RANGES = ['7d', '30d', '90d'] as const
export type TimeRange = (typeof TIME_RANGES)[number]

/**
 * Of each range: its days (today and so many before it, in UTC), and how many of them are "lately"
 * when it is asked what grows.
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

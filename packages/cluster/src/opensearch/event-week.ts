const DAY_MS = 86_400_000
export const WEEK_MS = 7 * DAY_MS
/** 1970 began on a Thursday, weeks begin on Monday. */
const OFFSET_MS = 3 * DAY_MS

/** The week (Monday to Sunday, UTC) of a time, counted from 1970. */
export function weekOf(ms: number): number {
  return Math.floor((ms + OFFSET_MS) / WEEK_MS)
}

/** Returns the start of a week, in milliseconds since 1970. */
export function weekStartMs(week: number): number {
  return week * WEEK_MS - OFFSET_MS
}

/** Returns its Monday, as `2026-11-16`: the last part of an index's name. */
export function weekName(week: number): string {
  return new Date(weekStartMs(week)).toISOString().slice(0, 10)
}

/** @returns undefined if the date is not a Monday */
export function weekNamed(name: string): number | undefined {
  const ms = Date.parse(name)
  return Number.isFinite(ms) && weekName(weekOf(ms)) === name ? weekOf(ms) : undefined
}

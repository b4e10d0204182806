/** Calendar months of UTC, as whole numbers in order: 0 is January of the year 0. */
export function monthOf(nowMs: number): number {
  const date = new Date(nowMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** When the month after this one begins, in milliseconds since 1970. */
export function endOfMonthMs(nowMs: number): number {
  const month = monthOf(nowMs) + 1
  return Date.UTC(Math.floor(month / 12), month % 12)
}

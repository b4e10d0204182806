import type { WINDOWS } from './windows.ts'

/** Minimum of recent popularity for a trend. */
const RECENT_MIN = 2
/** Growth beyond chance, in standard deviations, assuming independent visitors. */
const TREND_MIN = 1

/**
 * Recent growth beyond expectation: 0 if it may be chance. A query with a hundred searches every
 * day has none, one that appeared yesterday has much.
 *
 * @param recent popularity of the window's last days
 * @param earlier popularity of the window's other days
 * @param storeDays days since the first event of the store: nothing can be expected before
 */
export function trendOf(
  { days, recentDays }: (typeof WINDOWS)[number],
  recent: number,
  earlier: number,
  storeDays: number,
): number {
  if (recent < RECENT_MIN) return 0
  const earlierDays = Math.max(1, Math.min(days, storeDays) - recentDays)
  const expected = (earlier * (recentDays + 1)) / earlierDays
  const trend = (recent - expected) / Math.sqrt(expected + 1)
  return trend < TREND_MIN ? 0 : trend
}

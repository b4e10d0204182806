import type { WINDOWS } from './windows.ts'

/** Minimum of recent popularity for a trend. */
const RECENT_MIN = 2
/** Growth beyond chance, in standard deviations, assuming independent visitors. */
const TREND_MIN = 1

/**
 * How much more there is lately than was to be expected: 0 when it is no more than chance. A query
 * that is asked for a hundred times every day has none, one that came up yesterday has much.
 *
 * @param recent popularity of the window's last days
 * @param earlier popularity of its days before
 * @param storeDays days since the first event of the store: none can be expected from before
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

import { ApiError } from '@aisle/contract'
import { endOfMonthMs } from '../../domain/values/month.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { currentSettings } from '../store/store-settings.ts'

/**
 * Counts a search that is about to run. Searches rejected for their parameters, or answered from
 * the cache, do not count.
 *
 * @throws ApiError quota_exceeded
 */
export function countSearch(
  { clock, usage }: Pick<ServicePorts, 'clock' | 'usage'>,
  storeId: string,
  { resources }: Pick<SearchView, 'resources'>,
): void {
  const nowMs = clock.now()
  const limit = currentSettings(resources).settings.quota?.searches_per_month
  if (usage.take(storeId, nowMs, limit)) return
  const resetMs = endOfMonthMs(nowMs)
  const resetAt = new Date(resetMs).toISOString()
  throw new ApiError(
    'quota_exceeded',
    `The quota of ${limit} searches per month is used up; it resets at ${resetAt}`,
    { retryAfterSeconds: (resetMs - nowMs) / 1_000, resetAt },
  )
}

import { ApiError } from '@aisle/contract'
import { endOfMonthMs } from '../../domain/values/month.ts'
import type { ServicePorts } from '../service-ports.ts'
import { currentSettings } from '../store/store-settings.ts'

/**
 * Counts a search that is about to be executed. What is refused for its parameters, or answered from the
 * cache, is not counted.
 *
 * @throws ApiError quota_exceeded
 */
export function countSearch(
  ports: Pick<ServicePorts, 'clock' | 'resources' | 'usage'>,
  storeId: string,
): void {
  const nowMs = ports.clock.now()
  const limit = currentSettings(ports, storeId).settings.quota?.searches_per_month
  if (ports.usage.take(storeId, nowMs, limit)) return
  const resetMs = endOfMonthMs(nowMs)
  const resetAt = new Date(resetMs).toISOString()
  throw new ApiError(
    'quota_exceeded',
    `The ${limit} searches of this month are used up; the next month begins at ${resetAt}`,
    { retryAfterSeconds: (resetMs - nowMs) / 1_000, resetAt },
  )
}

import {
  MISSED_EFFECT_MAX_DAYS,
  MISSED_EFFECT_MIN_DAYS,
  MISSED_EFFECT_SEARCHES_MIN,
  type MissedSearchEffect,
} from '@aisle/contract'
import { NO_SEARCHES, type CountsByReport } from '@aisle/event-log'
import type { ServicePorts } from '../service-ports.ts'
import { ownerOf } from './reports.ts'

const DAY_MS = 86_400_000

/**
 * Compares click-through before and after a fix, in windows of equal length that meet at the fix.
 *
 * @param fixedMs milliseconds since 1970
 * @throws ApiError as reports do
 */
export async function missedSearchEffect(
  ports: Pick<ServicePorts, 'reports' | 'registry' | 'clock'>,
  storeId: string,
  query: string,
  fixedMs: number,
): Promise<MissedSearchEffect> {
  const passedMs = Math.max(0, ports.clock.now() - fixedMs)
  const lengthMs = Math.min(passedMs, MISSED_EFFECT_MAX_DAYS * DAY_MS)
  const count = async (fromMs: number, toMs: number): Promise<Window> => {
    const isEmpty = fromMs === toMs
    const counted = isEmpty ? undefined : await countQuery(ports, storeId, query, fromMs, toMs)
    const { searches, clickedSearches } = counted?.rows[0] ?? NO_SEARCHES
    return {
      reportsClicks: counted?.reportsClicks ?? false,
      figures: {
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        searches,
        click_through_rate: searches === 0 ? null : clickedSearches / searches,
      },
    }
  }
  const before = await count(fixedMs - lengthMs, fixedMs)
  const after = await count(fixedMs, fixedMs + lengthMs)
  const isTooEarly = passedMs < MISSED_EFFECT_MIN_DAYS * DAY_MS
  return {
    query,
    status: isTooEarly ? 'too_early' : statusOf(before, after),
    before: before.figures,
    after: after.figures,
  }
}

interface Window {
  readonly reportsClicks: boolean
  readonly figures: MissedSearchEffect['before']
}

function statusOf(before: Window, after: Window): MissedSearchEffect['status'] {
  const fewest = Math.min(before.figures.searches, after.figures.searches)
  if (fewest < MISSED_EFFECT_SEARCHES_MIN) return 'not_enough_searches'
  return before.reportsClicks && after.reportsClicks ? 'measured' : 'no_clicks_reported'
}

async function countQuery(
  ports: Pick<ServicePorts, 'reports' | 'registry'>,
  storeId: string,
  onlyQuery: string,
  fromMs: number,
  toMs: number,
): Promise<CountsByReport['top-queries']> {
  const counts = await ports.reports.count(ownerOf(ports, storeId), {
    report: 'top-queries',
    fromMs,
    toMs,
    onlyQuery,
    tags: [],
    needsAllTags: false,
    interval: 'day',
    orderBy: 'clicks',
    limit: 1,
  })
  return counts as CountsByReport['top-queries']
}

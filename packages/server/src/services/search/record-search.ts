import { SEARCH_EVENT_FILTERS_MAX_BYTES } from '@aisle/contract'
import type { Visitor, VisitorEvent } from '@aisle/event-log'
import type { ServicePorts } from '../service-ports.ts'
import type { SearchAnswer } from './search.ts'

/**
 * Records an event for an executed search, unless the request declines it. The event goes to the
 * log in the background, so searches do not slow down; a crash or an overloaded log loses only such
 * events. A client's own report of the search has the same `search_id`, and readers count each id
 * once.
 *
 * @returns false if the queue is full
 */
export function recordSearch(
  { events, registry, clock }: Pick<ServicePorts, 'events' | 'registry' | 'clock'>,
  storeId: string,
  visitor: Visitor,
  { request, found, tookMs, searchId, appliedRules, corrected, experiment }: SearchAnswer,
): boolean {
  if (request.analytics === false) return true
  const owner = registry.find(storeId)
  if (owner === undefined) return true
  const nowMs = clock.now()
  // Assigned one by one: this is done for every search.
  const properties: Record<string, unknown> = { search_id: searchId, query: request.q }
  if (corrected !== undefined) properties['corrected_query'] = corrected
  properties['total_results'] = found
  properties['page'] = request.page ?? 1
  properties['took_ms'] = Math.round(tookMs * 100) / 100
  const filters = filtersOf(request)
  if (filters !== undefined) properties['filters_applied'] = filters
  if (request.sort_by !== undefined) properties['sort_by'] = request.sort_by
  if (request.preset_name !== undefined) properties['preset_name'] = request.preset_name
  if (appliedRules.length > 0) properties['applied_rules'] = appliedRules
  if (experiment !== undefined) properties['experiment'] = experiment
  if (request.analytics_tags !== undefined) properties['analytics_tags'] = request.analytics_tags
  const event: VisitorEvent = {
    kind: 'event',
    name: 'search',
    source: 'server',
    messageId: `search ${searchId}`,
    atMs: nowMs,
    receivedMs: nowMs,
    visitor,
    properties,
  }
  return events.offer(owner, event)
}

/**
 * Returns the filters as sent; for huge ones only the fact that there are some; undefined if there
 * are none.
 */
function filtersOf({ filter_by, filters }: SearchAnswer['request']): unknown {
  if (filter_by === undefined && filters === undefined) return undefined
  const applied = {
    ...(filter_by === undefined ? {} : { filter_by }),
    ...(filters === undefined ? {} : { filters }),
  }
  const json = JSON.stringify(applied, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const fits = Buffer.byteLength(json) <= SEARCH_EVENT_FILTERS_MAX_BYTES
  return fits ? JSON.parse(json) : { omitted: true }
}

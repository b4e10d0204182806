import { SEARCH_EVENT_FILTERS_MAX_BYTES } from '@aisle/contract'
import type { Visitor, VisitorEvent } from '@aisle/events'
import type { ServicePorts } from '../service-ports.ts'
import type { SearchAnswer } from './search.ts'

/**
 * Leaves an event of a search that was executed, unless the request asks for none. It goes to the
 * log soon and nobody waits for it: a search is never slower for it, and a crash or an overloaded
 * log costs only these. A client's own report of the search has the same `search_id`; readers count
 * an id once.
 *
 * @returns false when there was no room for it
 */
export function recordSearch(
  { events, registry, clock }: Pick<ServicePorts, 'events' | 'registry' | 'clock'>,
  storeId: string,
  visitor: Visitor,
  { request, found, tookMs, searchId, appliedRules, corrected }: SearchAnswer,
): boolean {
  if (request.analytics === false) return true
  const owner = registry.find(storeId)
  if (owner === undefined) return true
  const nowMs = clock.now()
  const event: VisitorEvent = {
    kind: 'event',
    name: 'search',
    source: 'server',
    messageId: `search ${searchId}`,
    atMs: nowMs,
    receivedMs: nowMs,
    visitor,
    properties: {
      search_id: searchId,
      query: request.q,
      ...(corrected === undefined ? {} : { corrected_query: corrected }),
      total_results: found,
      page: request.page ?? 1,
      took_ms: Math.round(tookMs * 100) / 100,
      ...filtersOf(request),
      ...(request.sort_by === undefined ? {} : { sort_by: request.sort_by }),
      ...(request.preset_name === undefined ? {} : { preset_name: request.preset_name }),
      ...(appliedRules.length === 0 ? {} : { applied_rules: appliedRules }),
      ...(request.analytics_tags === undefined ? {} : { analytics_tags: request.analytics_tags }),
    },
  }
  return events.offer(owner, event)
}

/** As they were sent; huge ones are only said to be there. */
function filtersOf({ filter_by, filters }: SearchAnswer['request']): Record<string, unknown> {
  if (filter_by === undefined && filters === undefined) return {}
  const applied = {
    ...(filter_by === undefined ? {} : { filter_by }),
    ...(filters === undefined ? {} : { filters }),
  }
  const json = JSON.stringify(applied, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const fits = Buffer.byteLength(json) <= SEARCH_EVENT_FILTERS_MAX_BYTES
  return { filters_applied: fits ? JSON.parse(json) : { omitted: true } }
}

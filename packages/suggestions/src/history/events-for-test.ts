import type { LogEntry, Visitor } from '@aisle/event-log'

/** Noon of a day in 2026. */
export const NOON_MS = Date.UTC(2026, 5, 15, 12)
export const DAY_MS = 86_400_000

let count = 0

/** A search that the service recorded. */
export function searched(
  query: string,
  visitor: Visitor,
  options: {
    atMs?: number
    receivedMs?: number
    found?: number
    corrected?: string
    tags?: readonly string[]
    searchId?: string
  } = {},
): LogEntry {
  const { atMs = NOON_MS, receivedMs = atMs, found = 3, tags = [], searchId, corrected } = options
  return {
    kind: 'event',
    name: 'search',
    source: 'server',
    messageId: `m${count++}`,
    atMs,
    receivedMs,
    visitor,
    properties: {
      query,
      ...(corrected === undefined ? {} : { corrected_query: corrected }),
      total_results: found,
      analytics_tags: tags,
      ...(searchId === undefined ? {} : { search_id: searchId }),
    },
  }
}

/** A click or a conversion in the simple form. */
export function followed(
  name: 'click' | 'conversion',
  properties: Record<string, unknown>,
  visitor: Visitor,
  atMs = NOON_MS,
): LogEntry {
  return {
    kind: 'event',
    name,
    source: 'simple',
    messageId: `m${count++}`,
    atMs,
    receivedMs: atMs,
    visitor,
    properties,
  }
}

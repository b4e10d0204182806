import { eventBatch, readHeaders, writeHeaders } from '@aisle/testing'
import type { EventStore } from '../../tools/events/event-store.ts'
import { BENCH_FACETS } from './query-classes.ts'

/**
 * Requests of two stores on one service: the usual ones of a neighbour, and the worst that one
 * tenant may send to each of the shared threads.
 */

/** A store with all its secrets. */
export type Tenant = EventStore

/** Whole requests, as sent over the wire. */
export type Requests = readonly Buffer[]

const FACETS = 64
const BRANDS = 10_000
const LONG_VALUE_CHARS = 100_000
const EVENTS_PER_BATCH = 100

export function neighbourRequests(
  tenant: Tenant,
  queries: readonly string[],
  lines: readonly string[],
): Readonly<Record<string, Requests>> {
  const read = readHeaders(tenant)
  const write = writeHeaders(tenant)
  const analytics = `/api/v1/stores/${tenant.id}/analytics`
  return {
    search: queries.map((q) =>
      post('/v1/search', read, JSON.stringify({ q, facet_by: BENCH_FACETS, cache: false })),
    ),
    suggestions: queries.map((q) =>
      get(`/v1/suggestions/queries?q=${encodeURIComponent(q.slice(0, 3))}`, read),
    ),
    // A batch of one, as sent by a page.
    events: Array.from({ length: 5_000 }, (_, i) => batch(tenant, `n${i}`, 1, () => queries[0]!)),
    reports: ['overview', 'top-queries'].map((name) => get(`${analytics}/${name}`, write)),
    bulk: Array.from({ length: 50 }, (_, i) =>
      post(
        `/api/v1/stores/${tenant.id}/documents/bulk`,
        write,
        `{"documents":[${lines.slice(i, i + 10).join(',')}]}`,
      ),
    ),
  }
}

/** Fields of the attacking store: as many facets as a search may request, and a brand. */
export const ATTACK_FIELDS = ['brand', ...facetNames()].map((name) => ({
  name,
  type: 'string',
  searchable: name === 'brand',
  facet: true,
}))

/**
 * Documents with 10,000 brands, values of every facet, and a brand of a hundred thousand blanks.
 */
export function attackLines(count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      id: `a${i}`,
      brand: i === 0 ? `a${' '.repeat(LONG_VALUE_CHARS)}b` : `Brand number ${i % BRANDS} of many`,
      ...Object.fromEntries(facetNames().map((name, f) => [name, `value ${(i * (f + 1)) % 997}`])),
    }),
  )
}

export function attackRequests(
  tenant: Tenant,
  lines: readonly string[],
  eventBatches: number,
): Readonly<Record<string, Requests>> {
  const write = writeHeaders(tenant)
  const analytics = `/api/v1/stores/${tenant.id}/analytics`
  return {
    search: Array.from({ length: 50 }, (_, i) =>
      post(
        '/v1/search',
        readHeaders(tenant),
        JSON.stringify({
          q: `brand ${i} number of many`,
          facet_by: facetNames(),
          max_values: 1000,
          cache: false,
        }),
      ),
    ),
    // Every query is different, so that suggestions grow all the time.
    events: Array.from({ length: eventBatches }, (_, i) =>
      batch(tenant, `a${i}`, EVENTS_PER_BATCH, (j) => `rare wish ${i} number ${j}`),
    ),
    reports: ['top-queries?limit=10000', 'no-clicks?limit=10000', 'funnel', 'filters'].map((name) =>
      get(`${analytics}/${name}`, write),
    ),
    bulk: Array.from({ length: 20 }, (_, i) =>
      post(
        `/api/v1/stores/${tenant.id}/documents/bulk`,
        write,
        `{"documents":[${lines.slice(i * 100, i * 100 + 500).join(',')}]}`,
      ),
    ),
  }
}

function facetNames(): string[] {
  return Array.from({ length: FACETS }, (_, i) => `f${i}`)
}

function batch(
  { writeKey }: Tenant,
  id: string,
  count: number,
  queryOf: (i: number) => string,
): Buffer {
  const events = Array.from({ length: count }, (_, i) => ({
    type: 'track',
    event: 'Search Submitted',
    timestamp: new Date().toISOString(),
    messageId: `${id} ${i}`,
    anonymousId: `visitor ${id} ${i}`,
    properties: { query: queryOf(i), search_id: `${id} ${i}`, num_found: 3 },
  }))
  const { path, body } = eventBatch(writeKey, events)
  return post(path, {}, body as string)
}

export function get(path: string, headers: Record<string, string>): Buffer {
  return request('GET', path, headers, '')
}

export function remove(path: string, headers: Record<string, string>): Buffer {
  return request('DELETE', path, headers, '')
}

export function post(path: string, headers: Record<string, string>, body: string): Buffer {
  const length = String(Buffer.byteLength(body))
  const own = { 'content-type': 'application/json', 'content-length': length }
  return request('POST', path, { ...headers, ...own }, body)
}

function request(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Buffer {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n'))
}

import { readHeaders, writeHeaders } from '@aisle/testing'
import { Flood, type FloodReport } from './flood.ts'
import { get, post, type Requests, type Tenant } from './neighbours-load.ts'
import { openLoop, type StreamReport } from './open-loop.ts'

/** Connections of one address that send as fast as they get answers. */
const CONNECTIONS = 100

/** The searches of a store while one address floods the service with one kind of request. */
export interface FloodRow {
  readonly search: StreamReport
  readonly flood: FloodReport
}

/**
 * Requests that anybody may send, without a key or with a wrong one.
 *
 * @param keys of the neighbour, whose id strangers know from its pages
 */
export function floodRequests(keys: Tenant): Readonly<Record<string, Requests>> {
  const wrong = { ...keys, readSecret: 'wrong', writeSecret: 'wrong' }
  const search = '{"q":"red shoe"}'
  return {
    pages: [get('/', PAGE), get('/docs/', PAGE), get('/docs/operating', PAGE)],
    'API description': [get('/openapi.json', PAGE)],
    'demo pages': Array.from({ length: 2_000 }, (_, i) =>
      get(`/demo/search?q=${i % 2 === 0 ? 'tent' : 'lamp'}+${i}`, PAGE),
    ),
    'no such page': Array.from({ length: 2_000 }, (_, i) => get(`/v1/nowhere/${i}`, {})),
    'wrong secrets': Array.from({ length: 100 }, (_, i) =>
      i % 2 === 0
        ? post('/v1/search', readHeaders(wrong), search)
        : get(`/api/v1/stores/${keys.id}/settings`, writeHeaders(wrong)),
    ),
    'unknown stores': Array.from({ length: 100 }, (_, i) =>
      post('/v1/search', readHeaders({ ...wrong, storeId: `nobody${i}` }), search),
    ),
    'health checks': [get('/livez', {}), get('/health', {})],
    metrics: [get('/metrics', {})],
  }
}

/** @param search requests of the neighbour */
export async function floodRows(
  port: number,
  search: { readonly requests: Requests; readonly perSecond: number },
  floods: Readonly<Record<string, Requests>>,
  seconds: number,
): Promise<Record<string, FloodRow>> {
  const rows: Record<string, FloodRow> = {}
  for (const [name, requests] of Object.entries(floods)) {
    const flood = new Flood({ port, requests, connections: CONNECTIONS })
    const { search: beside } = await openLoop(
      port,
      [{ name: 'search', ...search }],
      seconds * 1_000,
    )
    rows[name] = { search: beside!, flood: await flood.stop() }
  }
  return rows
}

const PAGE = { accept: 'text/html', 'accept-encoding': 'gzip, br' }

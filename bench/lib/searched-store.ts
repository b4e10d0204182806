import type { StoreClient } from '@aisle/client'
import type { SchemaFieldRequest } from '@aisle/contract'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { loadBatches } from '../../tools/lib/bulk-load.ts'
import { textTable } from '../../tools/lib/text-table.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { closedLoop, type ClosedLoop } from './closed-loop.ts'
import { rawSearch } from './raw-request.ts'

/** A service with one loaded store, and searches of it at rest. */
export interface SearchedStore extends AsyncDisposable {
  readonly store: StoreClient
  readonly loadSeconds: number
  readonly atRest: ClosedLoop
  /** Searches on one connection for half the time that the load took. */
  readonly searchMeanwhile: () => Promise<ClosedLoop>
}

/** Pause between two looks at the progress of a job. */
export const LOOK_MS = 200

/**
 * @param more fields besides those of the catalog
 * @param queries texts to search for
 * @param seconds of the searches at rest
 */
export async function searchedStore(
  catalog: BenchCatalog,
  more: readonly SchemaFieldRequest[],
  queries: readonly string[],
  seconds: number,
): Promise<SearchedStore> {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await ServerProcess.start({ threads: 1 }))
  const client = stack.use(new ThinClient(server.url, { adminToken: server.adminToken }))
  const keys = await client.createStore({ name: 'benchmark' })
  await client.setSchema(keys, { mode: 'replace', fields: [...catalog.fields, ...more] })
  const loadSeconds = await secondsOf(() => loadBatches(client, keys, catalog.lines(), {}))
  const port = Number(new URL(server.url).port)
  const requests = queries.map((q) => rawSearch(keys, { q, cache_results: false }))
  const search = (durationMs: number): Promise<ClosedLoop> =>
    closedLoop(port, requests, { connections: 1, durationMs })
  await search((seconds * 1_000) / 2)
  const atRest = await search(seconds * 1_000)
  const held = stack.move()
  return {
    store: client.store(keys),
    loadSeconds,
    atRest,
    searchMeanwhile: () => search(loadSeconds * 500),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** @param during what the second searches ran beside: "edit" */
export function searchesText(during: string, atRest: ClosedLoop, meanwhile: ClosedLoop): string {
  const row = (name: string, { requestsPerSecond, p50Ms, p99Ms }: ClosedLoop): string[] => [
    name,
    requestsPerSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ]
  const table = textTable([
    ['searches', 'per second', 'p50 ms', 'p99 ms'],
    row('at rest', atRest),
    row(`during the ${during}`, meanwhile),
  ])
  const ratio = (meanwhile.p99Ms / atRest.p99Ms).toFixed(2)
  return `${table}\np99 during the ${during}: ${ratio} times that at rest`
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1_000
}

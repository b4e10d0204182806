import { setTimeout as delay } from 'node:timers/promises'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { loadBatches } from '../../tools/lib/bulk-load.ts'
import { textTable } from '../../tools/lib/text-table.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { closedLoop, type ClosedLoop } from './closed-loop.ts'
import { rawSearch } from './raw-request.ts'

/** How long a change of the schema takes, and what searches notice of it. */
export interface SchemaChangeReport {
  readonly documents: number
  readonly loadSeconds: number
  readonly changeSeconds: number
  readonly atRest: ClosedLoop
  readonly meanwhile: ClosedLoop
}

/** Pause between two looks at the progress. */
const LOOK_MS = 200

/**
 * Loads the catalog, gives a field of texts the role of a facet, and searches on one connection at
 * rest and meanwhile.
 *
 * @param queries texts to search for
 * @param seconds of the searches at rest
 */
export async function schemaChangeLevel(
  catalog: BenchCatalog,
  queries: readonly string[],
  seconds: number,
): Promise<SchemaChangeReport> {
  const server = await ServerProcess.start({ threads: 1 })
  const client = new ThinClient(server.url, { adminToken: server.adminToken })
  try {
    const keys = await client.createStore({ name: 'benchmark' })
    await client.setSchema(keys, { mode: 'replace', fields: catalog.fields })
    const loadMs = performance.now()
    await loadBatches(client, keys, catalog.lines(), {})
    const loadSeconds = (performance.now() - loadMs) / 1_000
    const port = Number(new URL(server.url).port)
    const requests = queries.map((q) => rawSearch(keys, { q, cache_results: false }))
    const search = (durationMs: number): Promise<ClosedLoop> =>
      closedLoop(port, requests, { connections: 1, durationMs })
    await search((seconds * 1_000) / 2)
    const atRest = await search(seconds * 1_000)
    const store = client.store(keys)
    const { fields } = await store.schema()
    const field = fields.find(({ type, facet }) => type === 'string' && !facet)
    if (field === undefined) throw new Error('The catalog has no text that is not a facet')
    const changeMs = performance.now()
    await store.changeSchema({ mode: 'change', fields: [{ ...field, facet: true }] })
    const searching = search(loadSeconds * 500)
    while ((await store.schema()).change !== undefined) await delay(LOOK_MS)
    const changeSeconds = (performance.now() - changeMs) / 1_000
    const meanwhile = await searching
    const documents = catalog.docCount
    return { documents, loadSeconds, changeSeconds, atRest, meanwhile }
  } finally {
    client.close()
    await server.stop()
  }
}

export function schemaChangeText(report: SchemaChangeReport): string {
  const { documents, loadSeconds, changeSeconds, atRest, meanwhile } = report
  const row = (name: string, { requestsPerSecond, p50Ms, p99Ms }: ClosedLoop): string[] => [
    name,
    requestsPerSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ]
  return [
    `${documents} documents: loaded in ${loadSeconds.toFixed(1)} s, changed in ${changeSeconds.toFixed(1)} s, beside searches (${(changeSeconds / loadSeconds).toFixed(2)} of the load)`,
    textTable([
      ['searches', 'per second', 'p50 ms', 'p99 ms'],
      row('at rest', atRest),
      row('during the change', meanwhile),
    ]),
    `p99 during the change: ${(meanwhile.p99Ms / atRest.p99Ms).toFixed(2)} times that at rest`,
  ].join('\n')
}

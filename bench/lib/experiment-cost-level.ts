import { ServerProcess, ThinClient } from '@aisle/testing'
import { loadBatches } from '../../tools/lib/bulk-load.ts'
import { textTable } from '../../tools/lib/text-table.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { closedLoop } from './closed-loop.ts'
import { rawSearch } from './raw-request.ts'

/** What an experiment costs the searches that take part, measured in turns. */
export interface ExperimentCostReport {
  readonly documents: number
  readonly rows: readonly {
    readonly name: string
    /** Of the best turn: other load on the machine only adds to a figure. */
    readonly p50Ms: number
    /** The same divided by that without an experiment. */
    readonly ratio: number
  }[]
}

const ROUNDS = 30
const TURN_MS = 400
const VISITORS = 50
const DRAFT = { ranking: { field_weights: { name: 8, description: 1 } } }
const KINDS = [
  { name: 'no experiment', request: undefined },
  { name: 'split', request: { name: 'split', kind: 'split', draft: DRAFT } },
  { name: 'interleaved', request: { name: 'interleaved', kind: 'interleaved', draft: DRAFT } },
] as const

/**
 * Searches of many visitors on one connection: without an experiment, in a split one, in an
 * interleaved one, and again.
 *
 * @param queries texts to search for
 */
export async function experimentCostLevel(
  catalog: BenchCatalog,
  queries: readonly string[],
  { rounds = ROUNDS, turnMs = TURN_MS } = {},
): Promise<ExperimentCostReport> {
  await using server = await ServerProcess.start({ threads: 1 })
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  const keys = await client.createStore({ name: 'benchmark' })
  await client.setSchema(keys, { mode: 'replace', fields: catalog.fields })
  await loadBatches(client, keys, catalog.lines(), {})
  const store = client.store(keys)
  const port = Number(new URL(server.url).port)
  const requests = Array.from({ length: VISITORS }, (_, i) => `visitor-${i}`).flatMap((visitor) =>
    queries.map((q) => rawSearch(keys, { q }, visitor)),
  )
  const search = () => closedLoop(port, requests, { connections: 1, durationMs: turnMs })
  const best = KINDS.map(() => Infinity)
  await search()
  for (let round = 0; round < rounds; round++) {
    for (const [i, { request }] of KINDS.entries()) {
      const started = request === undefined ? undefined : await store.startExperiment(request)
      const { p50Ms } = await search()
      best[i] = Math.min(best[i]!, p50Ms)
      if (started !== undefined) await store.endExperiment(started.id)
    }
  }
  return {
    documents: catalog.docCount,
    rows: KINDS.map(({ name }, i) => ({
      name,
      p50Ms: best[i]!,
      ratio: best[i]! / best[0]!,
    })),
  }
}

export function experimentCostText({ documents, rows }: ExperimentCostReport): string {
  return [
    `Searches of ${documents} documents, one connection, in turns\n`,
    textTable([
      ['', 'p50 ms', 'times none'],
      ...rows.map(({ name, p50Ms, ratio }) => [name, p50Ms.toFixed(2), ratio.toFixed(2)]),
    ]),
  ].join('\n')
}

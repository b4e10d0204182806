import { setTimeout as delay } from 'node:timers/promises'
import type { DocumentEditJob } from '@aisle/client'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { loadBatches } from '../../tools/lib/bulk-load.ts'
import { textTable } from '../../tools/lib/text-table.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { closedLoop, type ClosedLoop } from './closed-loop.ts'
import { rawSearch } from './raw-request.ts'

/** How long an edit of every document takes, and what searches notice of it. */
export interface EditsReport {
  readonly documents: number
  readonly loadSeconds: number
  readonly previewSeconds: number
  readonly editSeconds: number
  readonly undoSeconds: number
  readonly atRest: ClosedLoop
  readonly meanwhile: ClosedLoop
}

/** Pause between two looks at the progress. */
const LOOK_MS = 200
const RUNNING: readonly DocumentEditJob['state'][] = ['finding', 'changing']

/**
 * Loads the catalog, edits all its documents, and undoes that, beside searches on one connection.
 *
 * @param queries texts to search for
 * @param seconds of the searches at rest
 */
export async function editsLevel(
  catalog: BenchCatalog,
  queries: readonly string[],
  seconds: number,
): Promise<EditsReport> {
  await using server = await ServerProcess.start({ threads: 1 })
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  const keys = await client.createStore({ name: 'benchmark' })
  const edited = { name: 'edited', type: 'int32' } as const
  await client.setSchema(keys, { mode: 'replace', fields: [...catalog.fields, edited] })
  const loadSeconds = await secondsOf(() => loadBatches(client, keys, catalog.lines(), {}))
  const port = Number(new URL(server.url).port)
  const requests = queries.map((q) => rawSearch(keys, { q, cache_results: false }))
  const search = (durationMs: number): Promise<ClosedLoop> =>
    closedLoop(port, requests, { connections: 1, durationMs })
  await search((seconds * 1_000) / 2)
  const atRest = await search(seconds * 1_000)
  const store = client.store(keys)
  const request = { q: '*', edit: { set: { edited: 1 } } }
  const previewSeconds = await secondsOf(() => store.previewEdit(request))
  const whole = async (job: DocumentEditJob): Promise<DocumentEditJob> => {
    let now = job
    while (RUNNING.includes(now.state)) {
      await delay(LOOK_MS)
      now = await store.edit(job.id)
    }
    if (now.state !== 'done') throw new Error(`The edit is ${now.state}: ${now.error ?? ''}`)
    return now
  }
  let job: DocumentEditJob | undefined
  const searching = search(loadSeconds * 500)
  const editSeconds = await secondsOf(async () => {
    job = await whole(await store.editDocuments(request))
  })
  const meanwhile = await searching
  const undoSeconds = await secondsOf(async () => whole(await store.undoEdit(job!.id)))
  const documents = catalog.docCount
  return {
    documents,
    loadSeconds,
    previewSeconds,
    editSeconds,
    undoSeconds,
    atRest,
    meanwhile,
  }
}

export function editsText(report: EditsReport): string {
  const { documents, loadSeconds, previewSeconds, editSeconds, undoSeconds } = report
  const { atRest, meanwhile } = report
  const row = (name: string, { requestsPerSecond, p50Ms, p99Ms }: ClosedLoop): string[] => [
    name,
    requestsPerSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
  ]
  return [
    `${documents} documents: loaded in ${loadSeconds.toFixed(1)} s, previewed in ${previewSeconds.toFixed(2)} s, edited in ${editSeconds.toFixed(1)} s (${(editSeconds / loadSeconds).toFixed(2)} of the load), undone in ${undoSeconds.toFixed(1)} s`,
    textTable([
      ['searches', 'per second', 'p50 ms', 'p99 ms'],
      row('at rest', atRest),
      row('during the edit', meanwhile),
    ]),
    `p99 during the edit: ${(meanwhile.p99Ms / atRest.p99Ms).toFixed(2)} times that at rest`,
  ].join('\n')
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1_000
}

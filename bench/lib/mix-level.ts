import { ServerProcess } from '@aisle/testing'
import { textTable } from '../../tools/lib/text-table.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { closedLoop, type ClosedLoop, type ClosedLoopOptions } from './closed-loop.ts'
import { loadedService } from './loaded-service.ts'
import { processorTime, timeBetween, totalOf, type ProcessorTime } from './processor-time.ts'
import { BENCH_FACETS } from './query-classes.ts'
import { rawSearch } from './raw-request.ts'
import { stageTime, type StageTime } from './stage-time.ts'

/** Real queries in a closed loop, and their time by thread. */
export interface MixReport {
  readonly threads: number
  readonly startMs: number
  readonly rows: readonly MixRow[]
}

interface MixRow extends ClosedLoop {
  readonly name: string
  readonly connections: number
  /** Processor time by the names of the service's threads. */
  readonly used: ProcessorTime
  readonly stages: StageTime
}

export interface MixOptions {
  readonly threads: number
  readonly seconds: number
  /** Folder that stores the loaded service for the next run; by default a temporary folder. */
  readonly folder?: string | undefined
  readonly onProgress?: (documents: number) => void
}

const CONNECTIONS = 16
const RANGE = { price: { gte: 100, lte: 1_000 } }

/**
 * The service with the whole catalog, loaded once if a folder stores it. The first row sends every
 * query once, without a time limit, so that the other rows have no new queries.
 */
export async function mixLevel(
  catalog: BenchCatalog,
  mix: readonly string[],
  { threads, seconds, folder, onProgress }: MixOptions,
): Promise<MixReport> {
  const { dataDir, keys } = await loadedService(catalog, folder, onProgress)
  const server = await ServerProcess.start({ threads, dataDir })
  try {
    const port = Number(new URL(server.url).port)
    const rows: MixRow[] = []
    const run = async (
      name: string,
      parameters: object,
      {
        connections = CONNECTIONS,
        queries = mix,
        durationMs = seconds * 1_000,
        requestsMin = 0,
      }: Partial<ClosedLoopOptions> & { queries?: readonly string[] } = {},
    ): Promise<void> => {
      const requests = queries.map((q) => rawSearch(keys, { q, ...parameters }))
      const before = { cpu: processorTime(server.pid), stages: await stageTime(server.url) }
      const loop = await closedLoop(port, requests, { connections, durationMs, requestsMin })
      const used = timeBetween(before.cpu, processorTime(server.pid))
      const after = await stageTime(server.url)
      const stages = {
        plan: after.plan - before.stages.plan,
        execute: after.execute - before.stages.execute,
        present: after.present - before.stages.present,
      }
      rows.push({ ...loop, name, connections, used, stages })
    }
    await run('mix, as first met', {}, { durationMs: 0, requestsMin: mix.length })
    await run('mix', {})
    await run('mix, one connection', {}, { connections: 1 })
    await run('mix, price range, 3 facets', { filters: RANGE, facet_by: BENCH_FACETS })
    await run('mix, cached', { cache_results: true }, { queries: mix.slice(0, 100) })
    return { threads, startMs: server.startMs, rows }
  } finally {
    await server.stop({ keepData: true })
    if (folder === undefined) ServerProcess.removeData(dataDir)
  }
}

export function mixText({ threads, startMs, rows }: MixReport): string {
  const table = rows.map(({ used, requests, stages, ...row }) => {
    const each = (micros: number): string => (micros / requests).toFixed(0)
    const serving = new Map([...used].filter(([name]) => name.startsWith('serve-')))
    const others = [...used].filter(([name]) => !serving.has(name))
    const busiest = others.toSorted(([, a], [, b]) => b - a).slice(0, BUSIEST)
    return [
      row.name,
      String(row.connections),
      row.requestsPerSecond.toFixed(0),
      row.p50Ms.toFixed(2),
      row.p99Ms.toFixed(2),
      each(totalOf(serving)),
      each(totalOf(new Map(others))),
      busiest.map(([name, micros]) => `${name} ${each(micros)}`).join(', '),
      [stages.plan, stages.execute, stages.present].map(each).join(' + '),
      row.answerBytes.toFixed(0),
      (row.loadShare * 100).toFixed(0),
    ]
  })
  const heads = [
    'connections',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'serving CPU us',
    'others CPU us',
    'of them',
    'plan + execute + present us',
    'bytes',
    'load busy %',
  ]
  return [
    `${threads} serving thread${threads === 1 ? '' : 's'}, started in ${startMs.toFixed(0)} ms; microseconds are those of one request, stages by the clock`,
    textTable([['', ...heads], ...table]),
  ].join('\n')
}

/** Maximum of named threads. */
const BUSIEST = 4

import { setTimeout as delay } from 'node:timers/promises'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { textTable } from '../../tools/lib/text-table.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { closedLoop, type ClosedLoop } from './closed-loop.ts'
import { loadedService } from './loaded-service.ts'
import { processorTime, timeBetween, totalOf, type ProcessorTime } from './processor-time.ts'
import { BENCH_FACETS } from './query-classes.ts'
import { rawSearch } from './raw-request.ts'
import { stageTime, type StageTime } from './stage-time.ts'

/** Searches in a closed loop, and their time by thread. */
export interface MixReport {
  readonly threads: number
  readonly startMs: number
  /** Before the first row: one merged segment answers faster than several. */
  readonly segments: number
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

/** Searches that are sent over and over. */
export interface MixPart {
  readonly name: string
  readonly searches: readonly object[]
  readonly connections?: number
  /** Sends each once, however long that takes: the later parts then have no new searches. */
  readonly isFirst?: boolean
}

/** Real queries of 2 to 4 words, with every default. */
export function queryMix(mix: readonly string[]): MixPart[] {
  const part = (name: string, parameters: object, more?: Partial<MixPart>): MixPart => ({
    name,
    searches: mix.map((q) => ({ q, ...parameters })),
    ...more,
  })
  const cached = part('mix, cached', { cache_results: true })
  return [
    part('mix, as first met', {}, { isFirst: true }),
    part('mix', {}),
    part('mix, one connection', {}, { connections: 1 }),
    part('mix, price range, 3 facets', { filters: RANGE, facet_by: BENCH_FACETS }),
    { ...cached, searches: cached.searches.slice(0, 100) },
  ]
}

/** Searches as `scale.py queries` draws them for its catalog: with facets, filters and orders. */
export function catalogMix(searches: readonly object[]): MixPart[] {
  const part = (name: string, parameters: object, more?: Partial<MixPart>): MixPart => ({
    name: `catalog mix, ${name}`,
    searches: searches.map((search) => ({ ...search, ...parameters })),
    ...more,
  })
  return [
    part('as first met', {}, { isFirst: true, connections: 1 }),
    part('one connection', {}, { connections: 1 }),
    part('16 connections', {}),
    part('without facets', { facet_by: undefined }),
    part('all words', { require_all_terms: true }),
  ]
}

/** The service with the whole catalog, loaded once if a folder stores it. */
export async function mixLevel(
  catalog: BenchCatalog,
  parts: readonly MixPart[],
  { threads, seconds, folder, onProgress }: MixOptions,
): Promise<MixReport> {
  const { dataDir, keys } = await loadedService(catalog, folder, onProgress)
  const server = await ServerProcess.start({ threads, dataDir })
  try {
    const port = Number(new URL(server.url).port)
    const client = new ThinClient(server.url, { adminToken: server.adminToken })
    const segments = await segmentsAtRest(client, keys.storeId)
    client.close()
    const rows: MixRow[] = []
    for (const { name, searches, connections = CONNECTIONS, isFirst = false } of parts) {
      const requests = searches.map((search) => rawSearch(keys, search))
      const before = { cpu: processorTime(server.pid), stages: await stageTime(server.url) }
      const loop = await closedLoop(port, requests, {
        connections,
        durationMs: isFirst ? 0 : seconds * 1_000,
        requestsMin: isFirst ? requests.length : 0,
      })
      const used = timeBetween(before.cpu, processorTime(server.pid))
      const after = await stageTime(server.url)
      const stages = {
        plan: after.plan - before.stages.plan,
        execute: after.execute - before.stages.execute,
        present: after.present - before.stages.present,
      }
      rows.push({ ...loop, name, connections, used, stages })
    }
    return { threads, startMs: server.startMs, segments, rows }
  } finally {
    await server.stop({ keepData: true })
    if (folder === undefined) ServerProcess.removeData(dataDir)
  }
}

/** A loaded index becomes one segment half a minute after its last write. */
const REST_MAX_MS = 60_000

async function segmentsAtRest(client: ThinClient, storeId: string): Promise<number> {
  const endMs = performance.now() + REST_MAX_MS
  for (;;) {
    const segments = await client.segmentsOf(storeId)
    if (segments <= 1 || performance.now() > endMs) return segments
    await delay(1_000)
  }
}

export function mixText({ threads, startMs, segments, rows }: MixReport): string {
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
    `${threads} serving thread${threads === 1 ? '' : 's'}, started in ${startMs.toFixed(0)} ms, ${segments} segment${segments === 1 ? '' : 's'}; microseconds are those of one request, stages by the clock`,
    textTable([['', ...heads], ...table]),
  ].join('\n')
}

/** Maximum of named threads. */
const BUSIEST = 4

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { loadBatches } from '../../tools/lib/bulk-load.ts'
import { textTable } from '../../tools/lib/text-table.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { closedLoop, type ClosedLoop } from './closed-loop.ts'
import { processorTime, timeBetween, totalOf, type ProcessorTime } from './processor-time.ts'
import { BENCH_FACETS, type QueryLists } from './query-classes.ts'
import { rawSearch } from './raw-request.ts'
import { stageTime } from './stage-time.ts'

/** The cost of a request from socket to socket, besides matching. */
export interface PathReport {
  readonly connections: number
  readonly rows: readonly PathRow[]
}

interface PathRow extends Slice {
  readonly name: string
  /** Serving threads; 0: not Aisle. */
  readonly threads: number
}

interface Slice extends ClosedLoop {
  /** Processor microseconds per request, of the whole process; undefined: not measured. */
  readonly cpuMicros: number | undefined
  /** The same for threads that do not serve: events, garbage collection, compilation. */
  readonly otherMicros: number | undefined
  /** Microseconds per request inside the engine, by the service's clock. */
  readonly engineMicros: number
}

export interface PathOptions {
  readonly onProgress?: (documents: number) => void
  readonly connections?: number
  /**
   * A row is the best of this many slices of time: other load on the machine only adds to a figure.
   */
  readonly slices?: number
  readonly sliceMs?: number
  /** Numbers of serving threads, each with a separate service. */
  readonly threads?: readonly number[]
  /** Requests of a row before it is measured. */
  readonly warmRequests?: number
}

const GET_HEALTH = Buffer.from('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n')
/**
 * Unmeasured warm-up before the first row: compilation takes that long (searches of the demo shop
 * took 580 us after 2,000 requests, 440 after 20,000).
 */
const WARM_REQUESTS = 15_000
const WARM_SLICES = 20
/** The load generator is the bottleneck if it has no idle time. */
const LOAD_SHARE_MAX = 0.9
const NOBODY = { storeId: 'nobody', readSecret: 'none', writeSecret: '' }

/**
 * Requests in a closed loop against a no-op server and against the service: the cost of HTTP, the
 * cost of the service on top, and the engine's share. The load runs in the process of the
 * benchmark, each server in a separate one.
 */
export async function pathLevel(
  catalog: BenchCatalog,
  { twoTerms, mix }: QueryLists,
  options: PathOptions = {},
): Promise<PathReport> {
  const { onProgress, connections = 16, slices = 8, sliceMs = 300, threads = [1, 2] } = options
  const { warmRequests = WARM_REQUESTS } = options
  const rows: PathRow[] = []
  const measured = async (
    of: { readonly name: string; readonly threads: number },
    served: Served,
    requests: readonly Buffer[],
  ): Promise<void> => {
    const load = { connections, durationMs: sliceMs }
    for (let warm = 0, i = 0; warm < warmRequests && i < WARM_SLICES; i++) {
      warm += (await closedLoop(served.port, requests, load)).requests
    }
    let best: Slice | undefined
    let engineMicros = Infinity
    for (let i = 0; i < slices; i++) {
      const slice = await measureSlice(served, requests, load)
      if (best === undefined || isBetter(slice, best)) best = slice
      // By the clock, not by the processor: waiting for other processes counts too.
      engineMicros = Math.min(engineMicros, slice.engineMicros)
    }
    if (best !== undefined) rows.push({ ...of, ...best, engineMicros })
  }

  let pageBytes = 0
  for (const threadCount of threads) {
    await using server = await ServerProcess.start({ threads: threadCount })
    using client = new ThinClient(server.url, { adminToken: server.adminToken })
    const keys = await client.createStore({ name: 'benchmark' })
    await client.setSchema(keys, { mode: 'replace', fields: catalog.fields })
    await loadBatches(client, keys, catalog.lines(), onProgress === undefined ? {} : { onProgress })
    const search = (q: string, parameters: object = {}): Buffer =>
      rawSearch(keys, { q, ...parameters })
    const served = {
      pid: server.pid,
      port: Number(new URL(server.url).port),
      searches: async () => (await stageTime(server.url)).execute,
    }
    const run = (name: string, requests: readonly Buffer[]): Promise<void> =>
      measured({ name, threads: threadCount }, served, requests)
    await run('GET /health', [GET_HEALTH])
    await run('nothing found', [search('qzxjwvkq', EXACT)])
    await run(
      'ids of 10 documents',
      one(twoTerms, (q) => search(q, { ...EXACT, ...IDS })),
    )
    await run(
      '10 documents',
      one(twoTerms, (q) => search(q, { ...EXACT, highlight: false })),
    )
    await run(
      '10 documents, highlights',
      one(twoTerms, (q) => search(q, EXACT)),
    )
    pageBytes = rows.at(-1)!.answerBytes
    await run(
      'the same, cached',
      one(twoTerms, (q) => search(q, { cache_results: true })),
    )
    await run(
      'mix',
      mix.map((q) => search(q)),
    )
    await run(
      'mix, price range, 3 facets',
      mix.map((q) => search(q, { filters: RANGE, facet_by: BENCH_FACETS })),
    )
  }
  for (const kind of ['http', 'fastify'] as const) {
    for (const bytes of [0, Math.round(pageBytes)]) {
      const server = await startNoop(kind, bytes)
      const name = `no-op ${kind === 'http' ? 'node:http' : 'Fastify'}, ${bytes} bytes`
      await measured({ name, threads: 0 }, server, [rawSearch(NOBODY, { q: 'two words' })])
      server.child.kill()
    }
  }
  return { connections, rows }
}

/** Only the rare words: little to match, so that the rest of the cost becomes visible. */
const EXACT = { typo_max: 0, prefix_mode: 'off' }
const IDS = { highlight: false, return_fields: ['id'] }
const RANGE = { price: { gte: 100, lte: 1_000 } }

interface Served {
  readonly pid: number
  readonly port: number
  /** Microseconds spent in the engine since the start. */
  readonly searches: () => Promise<number>
}

function one(queries: readonly string[], request: (q: string) => Buffer): Buffer[] {
  return queries.slice(0, 1).map(request)
}

async function measureSlice(
  { pid, port, searches }: Served,
  requests: readonly Buffer[],
  load: { readonly connections: number; readonly durationMs: number },
): Promise<Slice> {
  const before = { cpu: processorTime(pid), engine: await searches() }
  const loop = await closedLoop(port, requests, load)
  const used = timeBetween(before.cpu, processorTime(pid))
  const engineMicros = ((await searches()) - before.engine) / loop.requests
  return { ...loop, ...shared(used, loop.requests), engineMicros }
}

function isBetter(one: Slice, other: Slice): boolean {
  return (one.cpuMicros ?? one.p50Ms) < (other.cpuMicros ?? other.p50Ms)
}

function shared(used: ProcessorTime, requests: number): Pick<Slice, 'cpuMicros' | 'otherMicros'> {
  if (used.size === 0) return { cpuMicros: undefined, otherMicros: undefined }
  const serving = [...used].filter(([name]) => name.startsWith('serve-'))
  const total = totalOf(used)
  const cpuMicros = total / requests
  const otherMicros = (total - totalOf(new Map(serving))) / requests
  return { cpuMicros, otherMicros: serving.length === 0 ? undefined : otherMicros }
}

async function startNoop(
  kind: 'http' | 'fastify',
  bytes: number,
): Promise<Served & { readonly child: ChildProcess }> {
  const file = fileURLToPath(new URL('noop-server.ts', import.meta.url))
  const child = spawn(process.execPath, [file, kind, String(bytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, pid: child.pid!, port: Number(line), searches: () => Promise.resolve(0) }
}

export function pathText({ connections, rows }: PathReport): string {
  const micros = (value: number | undefined): string => value?.toFixed(0) ?? '-'
  const table = rows.map((row) => [
    row.name,
    row.threads === 0 ? '-' : String(row.threads),
    row.requestsPerSecond.toFixed(0),
    micros(row.cpuMicros),
    micros(row.engineMicros),
    micros(row.cpuMicros === undefined ? undefined : row.cpuMicros - row.engineMicros),
    micros(row.otherMicros),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
    row.answerBytes.toFixed(0),
    (row.loadShare * 100).toFixed(0),
  ])
  const heads = [
    'threads',
    'requests/s',
    'CPU us',
    'engine us',
    'around us',
    'of it other threads',
    'p50 ms',
    'p99 ms',
    'bytes',
    'load busy %',
  ]
  const limited = rows.filter(({ loadShare }) => loadShare > LOAD_SHARE_MAX)
  return [
    `## Path of a request, ${connections} connections, one request each\n`,
    textTable([['', ...heads], ...table]),
    ...(limited.length === 0
      ? []
      : [
          `\nThe load was the bottleneck of: ${limited.map(({ name, threads }) => `${name} (${threads})`).join('; ')}. ` +
            'Their requests/s do not measure the server; their microseconds do.',
        ]),
  ].join('\n')
}

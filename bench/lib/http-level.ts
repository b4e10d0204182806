import { HttpClient, ServerProcess, ThinClient, searchRequest } from '@aisle/testing'
import type { StoreKeys } from '@aisle/testing'
import { loadBatches } from '../../tools/lib/bulk-load.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { residentBytes } from './machine.ts'
import { latencyOf, measure, type Latency, type MeasureOptions } from './measure.ts'
import { BENCH_FACETS, type QueryClass, type QueryClassName } from './query-classes.ts'

/** The whole product over HTTP, as seen by a client on the same machine. */
export interface HttpReport {
  /** Bulk over HTTP, answered when durable and searchable. */
  readonly docsPerSecond: number
  readonly residentBytesPerDocument?: number
  readonly classes: Partial<Record<QueryClassName, Latency>>
  /** Real 2-4-word queries, all defaults, ten documents and highlights. */
  readonly throughput: Throughput
  readonly throughputWithFacets: Throughput
  /** Search p99 on an idle service, and during a bulk load at full speed. */
  readonly duringLoad: { readonly idle: Latency; readonly loading: Latency; readonly ratio: number }
  /** One document, from sending it until a search finds it. */
  readonly writeToVisible: Latency
  /** Process start to `/health` 200 with the loaded data. */
  readonly coldStartMs: number
}

export interface Throughput {
  readonly requestsPerSecond: number
  readonly connections: number
  readonly latency: Latency
}

export interface HttpOptions extends MeasureOptions {
  readonly connections?: number
  /** Duration of each throughput measurement. */
  readonly throughputMs?: number
  readonly writes?: number
  readonly onProgress?: (documents: number) => void
}

/** Share of the catalog reserved for loading while searches are measured. */
const LOAD_LATER_SHARE = 0.1

export async function httpLevel(
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  mix: readonly string[],
  options: HttpOptions = {},
): Promise<HttpReport> {
  // One serving thread: figures are per core. The load generator has the other core.
  let server = await ServerProcess.start({ threads: 1 })
  const dataDir = server.dataDir
  const client = new ThinClient(server.url, { adminToken: server.adminToken })
  try {
    const keys = await client.createStore({ name: 'benchmark' })
    await client.setSchema(keys, { mode: 'replace', fields: catalog.fields })
    const firstPart = Math.ceil(catalog.docCount * (1 - LOAD_LATER_SHARE))

    const startMs = performance.now()
    await load(client, keys, slice(catalog, 0, firstPart), options.onProgress)
    const docsPerSecond = firstPart / ((performance.now() - startMs) / 1_000)

    const duringLoad = await searchWhileLoading(client, keys, catalog, { firstPart, mix })
    const latencies: Partial<Record<QueryClassName, Latency>> = {}
    for (const { name, queries } of classes) {
      const requests = queries.map((query) => searchRequest(keys, JSON.stringify(query)))
      latencies[name] = await measure(requests, (request) => succeed(client.http, request), options)
    }
    const throughput = await throughputOf(
      server.url,
      keys,
      mix.map((q) => ({ q })),
      options,
    )
    const throughputWithFacets = await throughputOf(
      server.url,
      keys,
      mix.map((q) => ({ q, filters: { price: { gte: 100, lte: 1_000 } }, facet_by: BENCH_FACETS })),
      options,
    )
    const writeToVisible = await measureWrites(client, keys, catalog, options.writes ?? 200)
    const resident = residentBytes(server.pid)

    await server.stop({ keepData: true })
    server = await ServerProcess.start({ threads: 1, dataDir })
    const coldStartMs = server.startMs
    return {
      docsPerSecond,
      ...(resident === undefined ? {} : { residentBytesPerDocument: resident / catalog.docCount }),
      classes: latencies,
      throughput,
      throughputWithFacets,
      duringLoad,
      writeToVisible,
      coldStartMs,
    }
  } finally {
    client.close()
    await server.stop()
    ServerProcess.removeData(dataDir)
  }
}

async function load(
  client: ThinClient,
  keys: StoreKeys,
  lines: AsyncIterable<string>,
  onProgress?: (documents: number) => void,
): Promise<void> {
  const outcome = await loadBatches(
    client,
    keys,
    lines,
    onProgress === undefined ? {} : { onProgress },
  )
  if (outcome.failedCount > 0) {
    throw new Error(`${outcome.failedCount} documents failed: ${outcome.reasons[0]?.example}`)
  }
}

/** Searches over a separate connection, one after the other, with and without a load beside it. */
async function searchWhileLoading(
  client: ThinClient,
  keys: StoreKeys,
  catalog: BenchCatalog,
  { firstPart, mix }: { firstPart: number; mix: readonly string[] },
): Promise<HttpReport['duringLoad']> {
  using searcher = new HttpClient(client.http.baseUrl, { connections: 1 })
  const requests = mix.map((q) => searchRequest(keys, JSON.stringify({ q })))
  const idle = await measure(requests, (request) => succeed(searcher, request), {
    warmupPasses: 1,
    passes: 1,
  })
  let loading = true
  const loaded = load(client, keys, slice(catalog, firstPart, catalog.docCount)).finally(
    () => (loading = false),
  )
  const took: number[] = []
  for (let at = 0; loading; at = (at + 1) % requests.length) {
    const request = requests[at]
    if (request === undefined) break
    const beforeMs = performance.now()
    await succeed(searcher, request)
    took.push(performance.now() - beforeMs)
  }
  await loaded
  const during = latencyOf(took)
  return { idle, loading: during, ratio: during.p99 / idle.p99 }
}

/**
 * Requests per second in a closed loop: every connection sends its next request after its answer.
 */
async function throughputOf(
  url: string,
  keys: StoreKeys,
  queries: readonly object[],
  { connections = 16, throughputMs = 10_000 }: HttpOptions,
): Promise<Throughput> {
  using client = new HttpClient(url, { connections })
  const requests = queries.map((query) => searchRequest(keys, JSON.stringify(query)))
  let next = 0
  const run = async (durationMs: number): Promise<{ took: number[]; wallMs: number }> => {
    const took: number[] = []
    const startMs = performance.now()
    const loop = async (): Promise<void> => {
      while (performance.now() - startMs < durationMs) {
        const request = requests[next++ % requests.length]
        if (request === undefined) return
        const beforeMs = performance.now()
        await succeed(client, request)
        took.push(performance.now() - beforeMs)
      }
    }
    await Promise.all(Array.from({ length: connections }, loop))
    return { took, wallMs: performance.now() - startMs }
  }
  await run(throughputMs / 4)
  const { took, wallMs } = await run(throughputMs)
  return {
    requestsPerSecond: took.length / (wallMs / 1_000),
    connections,
    latency: latencyOf(took),
  }
}

/**
 * Writes a document with a unique word and searches for it until it is found: once, if all is well.
 */
async function measureWrites(
  client: ThinClient,
  keys: StoreKeys,
  catalog: BenchCatalog,
  writes: number,
): Promise<Latency> {
  const textField = catalog.fields.find((field) => field.searchable)?.name ?? ''
  const took: number[] = []
  for (let at = 0; at < writes; at++) {
    const word = `visible${at}marker`
    const beforeMs = performance.now()
    await client.bulk(keys, [JSON.stringify({ id: `bench-write-${at}`, [textField]: word })])
    let found = 0
    while (found === 0) {
      const answer = await client.search(keys, { q: word, typo_max: 0, prefix_mode: 'off' })
      found = answer.found
      if (found === 0 && performance.now() - beforeMs > 10_000) {
        throw new Error(`An acknowledged document was not found within 10 s: bench-write-${at}`)
      }
    }
    took.push(performance.now() - beforeMs)
  }
  return latencyOf(took)
}

async function* slice(catalog: BenchCatalog, from: number, to: number): AsyncGenerator<string> {
  let at = 0
  for await (const line of catalog.lines()) {
    if (at >= to) return
    if (at++ >= from) yield line
  }
}

async function succeed(
  client: HttpClient,
  request: ReturnType<typeof searchRequest>,
): Promise<void> {
  const answer = await client.send(request)
  if (answer.status !== 200) {
    throw new Error(
      `A search answered ${answer.status}: ${answer.body.toString('utf8').slice(0, 300)}`,
    )
  }
}

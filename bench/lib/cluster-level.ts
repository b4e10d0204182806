import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServerProcess, ThinClient, until, type HttpRequest, type StoreKeys } from '@aisle/testing'
import { Cluster } from '../../tools/cluster/cluster.ts'
import { PlainIndex } from '../rivals/opensearch-plain.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { ServiceSide, type BenchSide } from './bench-side.ts'
import { loadInTurns, type LoadRate } from './load-in-turns.ts'
import { loadedService } from './loaded-service.ts'
import { latencyOfPasses, type Latency } from './measure.ts'
import { processMs } from './processor-time.ts'
import { BENCH_FACETS, type QueryClass, type QueryClassName } from './query-classes.ts'

/** The systems that are compared, in turns: an API node, the plain cluster, the embedded engine. */
export const SIDES = ['cluster', 'plain', 'embedded'] as const
export type Side = (typeof SIDES)[number]

export interface ClusterReport {
  readonly nodes: number
  readonly shards: number
  /** Absent if nothing was loaded in this run. */
  readonly bulk?: Readonly<Partial<Record<Side, LoadRate>>>
  readonly classes: Partial<Record<QueryClassName, Readonly<Partial<Record<Side, Latency>>>>>
  /** The cost of a search at an API node, after the first pass. */
  readonly costs: Partial<Record<QueryClassName, SearchCost>>
  /** The same while each store gets a document a second: what a node has learned is out of date. */
  readonly changing: ClusterReport['classes']
  /** Searches that recur while nothing is written: the node keeps their answers. */
  readonly recurring: ClusterReport['classes']
}

/** Averages per search. */
export interface SearchCost {
  /** Requests to the cluster. */
  readonly requests: number
  /** Processor time of the API node in milliseconds; NaN if unknown. */
  readonly nodeMs: number
}

export interface ClusterLevelOptions {
  readonly passes: number
  /** Queries per class, evenly from its list. */
  readonly queries: number
  /** No new pass starts after this. At least one is measured. */
  readonly limitMs?: number
  /** Nodes of a running cluster, which keeps loaded data; absent: one is started. */
  readonly urls?: readonly string[] | undefined
  /** Folder that keeps the embedded service, and keys for a running cluster, for the next run. */
  readonly folder?: string | undefined
  readonly onProgress?: (documents: number) => void
  /** Called when everything is loaded, before the first search. */
  readonly onLoaded?: () => Promise<void>
}

const NODES = 3
/** For one process with all nodes: compiled once, and easier for a busy machine to start. */
const HEAP_MIB = 3_072
/**
 * Number of documents above which a store gets a separate index, with two shards up to 5 GB of
 * JSON.
 */
const OWN_INDEX = { documents: 500_000, shards: 2 } as const
/** Timeout of that. */
const MOVE_LIMIT_MS = 3_600_000
/** Classes for which the plain request means something else. */
const NOT_PLAIN: readonly QueryClassName[] = ['letters', 'infix']

export async function clusterLevel(
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  options: ClusterLevelOptions,
): Promise<ClusterReport> {
  if (options.urls !== undefined) return compare(options.urls, catalog, classes, options)
  await using cluster = await Cluster.start({
    nodes: NODES,
    processes: 'one',
    heapMib: HEAP_MIB,
    quickStart: false,
  })
  return await compare(cluster.urls, catalog, classes, options)
}

async function compare(
  urls: readonly string[],
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  options: ClusterLevelOptions,
): Promise<ClusterReport> {
  const { folder, urls: running } = options
  const note = folder === undefined || running === undefined ? undefined : `${folder}-cluster.json`
  const isLoaded = note !== undefined && existsSync(note)
  const shards = catalog.docCount >= OWN_INDEX.documents ? OWN_INDEX.shards : 1
  const texts = catalog.fields.filter(({ searchable }) => searchable).map(({ name }) => name)
  const plain = new PlainIndex(urls, { texts, facets: BENCH_FACETS, shards })
  const kept = folder === undefined ? undefined : await loadedService(catalog, folder)
  const environment = { AISLE_OPENSEARCH_URL: urls.join(','), AISLE_LOG_LEVEL: 'warn' }
  const apiNode = await ServerProcess.start({ environment })
  const embedded = await ServerProcess.start({
    threads: 1,
    ...(kept === undefined ? {} : { dataDir: kept.dataDir }),
  })
  const sides: Partial<Record<Side, BenchSide>> = { plain }
  try {
    const clusterKeys = isLoaded
      ? (JSON.parse(readFileSync(note, 'utf8')) as StoreKeys)
      : await createStore(apiNode, catalog)
    sides.cluster = new ServiceSide(apiNode.url, clusterKeys)
    const embeddedKeys = kept?.keys ?? (await createStore(embedded, catalog))
    sides.embedded = new ServiceSide(embedded.url, embeddedKeys)

    const empty: Partial<Record<Side, BenchSide>> = {
      ...(isLoaded ? {} : { cluster: sides.cluster }),
      ...((await plain.open()) === catalog.docCount ? {} : { plain }),
      ...(kept === undefined ? { embedded: sides.embedded } : {}),
    }
    const bulk = await loadInTurns(catalog, empty, options.onProgress)
    await settled(urls, catalog)
    if (note !== undefined) writeFileSync(note, JSON.stringify(clusterKeys))
    await options.onLoaded?.()
    using client = new ThinClient(apiNode.url, apiNode)
    // Passes must not be answered from what the node has kept of the pass before.
    await client.setSettings(clusterKeys, { cache: { max_bytes: 0 } })
    const measured = await measureInTurns(classes, sides, plain, options, async () => ({
      requests: await searchRequests(urls),
      nodeMs: processMs(apiNode.pid),
    }))
    const compared = { cluster: sides.cluster, plain }
    const changing = await measureChanging(classes, compared, catalog, options)
    await client.setSettings(clusterKeys, { cache: null })
    return {
      nodes: urls.length,
      shards,
      ...(bulk === undefined ? {} : { bulk }),
      ...measured,
      changing,
      recurring: await measureRecurring(classes, compared, options),
    }
  } finally {
    for (const side of Object.values(sides)) side.close()
    await embedded.stop({ keepData: kept !== undefined })
    await apiNode.stop()
  }
}

async function createStore(server: ServerProcess, { fields }: BenchCatalog): Promise<StoreKeys> {
  using client = new ThinClient(server.url, server)
  const keys = await client.createStore({ name: 'benchmark' })
  await client.setSchema(keys, { mode: 'replace', fields })
  return keys
}

/** Resolves when a large store is in its own index, and the cluster has no running merges. */
async function settled([url]: readonly string[], { docCount }: BenchCatalog): Promise<void> {
  const ask = async (path: string): Promise<unknown> => (await fetch(`${url}/${path}`)).json()
  const isMoved = async (): Promise<boolean> => {
    const { count } = (await ask('aisle-pool-*/_count')) as { count: number }
    return docCount < OWN_INDEX.documents || count === 0
  }
  const merges = async (): Promise<number> => {
    const { _all } = (await ask('_stats/merge')) as {
      _all: { total: { merges: { current: number } } }
    }
    return _all.total.merges.current
  }
  const how = { timeoutMs: MOVE_LIMIT_MS, pauseMs: 1_000 }
  await until('the store in its own index', isMoved, how)
  await until('the end of merges', async () => (await merges()) === 0, how)
}

/** Number of our search requests to the cluster: plain requests are of another kind. */
async function searchRequests([url]: readonly string[]): Promise<number> {
  const answer = await fetch(`${url}/_nodes/usage/rest_actions`)
  const { nodes } = (await answer.json()) as {
    nodes: Record<string, { rest_actions: { msearch_action?: number } }>
  }
  return Object.values(nodes).reduce((sum, one) => sum + (one.rest_actions.msearch_action ?? 0), 0)
}

/**
 * Each query is sent to all sides in turn, and the first side changes, so that other load on the
 * machine affects all alike. A query recurs only after all others, when the cluster has dropped its
 * cached answers.
 */
async function measureInTurns(
  classes: readonly QueryClass[],
  sides: Readonly<Partial<Record<Side, BenchSide>>>,
  plain: PlainIndex,
  { passes, queries: queriesMax, limitMs = 240_000 }: ClusterLevelOptions,
  usage: () => Promise<SearchCost>,
): Promise<Pick<ClusterReport, 'classes' | 'costs'>> {
  const runs = runsOf(classes, sides, queriesMax)
  const startMs = performance.now()
  for (let pass = 0; pass <= passes; pass++) {
    await plain.forgetAnswers()
    for (const { count, asked, used } of runs) {
      const before = await usage()
      for (let at = 0; at < count; at++) {
        for (let turn = 0; turn < asked.length; turn++) {
          // The first pass warms up the compilers.
          await timed(asked[(at + turn) % asked.length]!, at, pass > 0)
        }
      }
      if (pass === 0) continue
      const after = await usage()
      used.requests += after.requests - before.requests
      used.nodeMs += after.nodeMs - before.nodeMs
      used.searches += count
    }
    if (pass > 0 && performance.now() - startMs > limitMs) break
  }
  const costs = runs.map(({ name, used: { requests, nodeMs, searches } }) => [
    name,
    { requests: requests / searches, nodeMs: nodeMs / searches },
  ])
  return { classes: latenciesOf(runs), costs: Object.fromEntries(costs) }
}

const WRITE_EACH_MS = 1_000

/** Searches while a document is written to each side every second, between searches. */
async function measureChanging(
  classes: readonly QueryClass[],
  sides: Readonly<Partial<Record<Side, BenchSide>>>,
  catalog: BenchCatalog,
  { passes, queries }: ClusterLevelOptions,
): Promise<ClusterReport['changing']> {
  const line = await firstOf(catalog.lines())
  const runs = runsOf(classes, sides, queries)
  let writtenMs = -Infinity
  for (let pass = 0; pass < passes; pass++) {
    for (const { count, asked } of runs) {
      for (let at = 0; at < count; at++) {
        if (performance.now() - writtenMs > WRITE_EACH_MS) {
          writtenMs = performance.now()
          for (const { one } of asked) {
            await one.bulk([line])
            await one.settle?.()
          }
        }
        for (let turn = 0; turn < asked.length; turn++) {
          await timed(asked[(at + turn) % asked.length]!, at, true)
        }
      }
    }
  }
  return latenciesOf(runs)
}

async function firstOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return line
  throw new Error('The catalog has no documents')
}

/** Passes after which all answers are kept, or will be once the store is unchanged for a while. */
const UNKEPT_PASSES = 2
/** Longer than a store must be unchanged. */
const UNCHANGED_MS = 6_000

/** Searches that have been sent before, and whose answers may be kept. */
async function measureRecurring(
  classes: readonly QueryClass[],
  sides: Readonly<Partial<Record<Side, BenchSide>>>,
  { passes, queries }: ClusterLevelOptions,
): Promise<ClusterReport['recurring']> {
  const runs = runsOf(classes, sides, queries)
  for (const { count, asked } of runs) {
    for (let pass = 0; pass < UNKEPT_PASSES + 1 + passes; pass++) {
      if (pass === UNKEPT_PASSES) await sleep(UNCHANGED_MS)
      for (let at = 0; at < count; at++) {
        for (const one of asked) await timed(one, at, pass > UNKEPT_PASSES)
      }
    }
  }
  return latenciesOf(runs)
}

interface AskedSide {
  readonly side: Side
  readonly one: BenchSide
  readonly requests: readonly HttpRequest[]
  /** Of each request, in milliseconds. */
  readonly best: number[]
  readonly all: number[]
}

interface Run {
  readonly name: QueryClassName
  readonly count: number
  readonly asked: readonly AskedSide[]
  readonly used: { requests: number; nodeMs: number; searches: number }
}

function runsOf(
  classes: readonly QueryClass[],
  sides: Readonly<Partial<Record<Side, BenchSide>>>,
  queriesMax: number,
): readonly Run[] {
  const entries = Object.entries(sides) as [Side, BenchSide][]
  return classes.map(({ name, queries }) => {
    const step = Math.max(1, Math.floor(queries.length / queriesMax))
    const some = queries.filter((_, at) => at % step === 0).slice(0, queriesMax)
    const asked = entries
      .filter(([side]) => side !== 'plain' || !NOT_PLAIN.includes(name))
      .map(([side, one]) => ({
        side,
        one,
        requests: some.map((query) => one.request(query)),
        best: new Array<number>(some.length).fill(Infinity),
        all: [],
      }))
    return { name, count: some.length, asked, used: { requests: 0, nodeMs: 0, searches: 0 } }
  })
}

async function timed(
  { one, requests, best, all }: AskedSide,
  at: number,
  counts: boolean,
): Promise<void> {
  const beforeMs = performance.now()
  await one.send(requests[at]!)
  if (!counts) return
  const ms = performance.now() - beforeMs
  all.push(ms)
  best[at] = Math.min(best[at]!, ms)
}

function latenciesOf(runs: readonly Run[]): ClusterReport['classes'] {
  const latencies = runs.map(({ name, asked }) => [
    name,
    Object.fromEntries(asked.map(({ side, best, all }) => [side, latencyOfPasses(best, all)])),
  ])
  return Object.fromEntries(latencies) as ClusterReport['classes']
}

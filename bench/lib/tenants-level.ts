import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { searchRequest, ServerProcess, ThinClient } from '@aisle/testing'
import type { HttpRequest, StoreKeys } from '@aisle/testing'
import { Cluster } from '../../tools/cluster/cluster.ts'
import { loadBatches } from '../../tools/lib/bulk-load.ts'
import { textTable } from '../../tools/lib/text-table.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { answerOf } from './bench-side.ts'
import { QUERY_CLASSES, type QueryClass, type QueryClassName } from './query-classes.ts'
import { compareSamples, median } from './two-samples.ts'

/** Latency of searches of two stores with the same documents, in milliseconds. */
interface Times {
  /** The store that gets a neighbour in its shard. */
  readonly beside: number[]
  /** The store that does not. */
  readonly apart: number[]
}

export interface TenantsReport {
  readonly documents: number
  readonly neighbourDocuments: number
  /** Without a neighbour, then with it. */
  readonly classes: Partial<
    Record<QueryClassName, { readonly alone: Times; readonly after: Times }>
  >
}

export interface TenantsOptions {
  /** Documents of each of the two stores; the neighbour has the whole catalog. */
  readonly documents: number
  /** Queries per class. */
  readonly queries: number
  readonly passes: number
  /** Nodes of a running cluster; absent: one is started. */
  readonly urls?: readonly string[] | undefined
}

/** Ids to try until two of them share a shard, and a third one has another. */
const IDS_TRIED = 100

/**
 * Sends the same queries to two stores of a pool with the same documents, in turns. Then a store
 * with far more documents joins the shard of one of them. The store's answers must stay the same,
 * to the byte, and its latency compared with the other store shows whether it reveals the
 * neighbour.
 */
export async function tenantsLevel(
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  options: TenantsOptions,
): Promise<TenantsReport> {
  if (options.urls !== undefined) return onCluster(options.urls, catalog, classes, options)
  await using cluster = await Cluster.start({ quickStart: false })
  return await onCluster(cluster.urls, catalog, classes, options)
}

async function onCluster(
  urls: readonly string[],
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  { documents, queries, passes }: TenantsOptions,
): Promise<TenantsReport> {
  const environment = { AISLE_OPENSEARCH_URL: urls.join(','), AISLE_LOG_LEVEL: 'warn' }
  const server = await ServerProcess.start({ environment })
  const client = new ThinClient(server.url, { adminToken: server.adminToken, retries: 5 })
  try {
    const [besideId, apartId, neighbourId] = await idsByShard(urls[0]!)
    const open = async (id: string): Promise<StoreKeys> => {
      const keys = await client.createStore({ name: id, id })
      await client.setSchema(keys, { mode: 'replace', fields: catalog.fields })
      return keys
    }
    const stores = { beside: await open(besideId), apart: await open(apartId) }
    for (const keys of Object.values(stores)) await load(client, keys, catalog, documents)
    const run = { queries, passes }
    const alone = await measurePair(client, stores, classes, run)

    await load(client, await open(neighbourId), catalog, catalog.docCount)
    const after = await measurePair(client, stores, classes, run)
    for (const [name, { answers }] of alone) {
      assert.deepEqual(
        after.get(name)!.answers,
        answers,
        `${name}: other answers beside a neighbour`,
      )
    }
    return {
      documents,
      neighbourDocuments: catalog.docCount,
      classes: Object.fromEntries(
        [...alone].map(([name, { times }]) => [
          name,
          { alone: times, after: after.get(name)!.times },
        ]),
      ),
    }
  } finally {
    client.close()
    await server.stop()
  }
}

/** The first and the last of these ids share a shard of a pool, the second one does not. */
async function idsByShard(url: string): Promise<[string, string, string]> {
  const known = new Map<number, string>()
  for (let at = 0; at < IDS_TRIED; at++) {
    const id = `tenant-${crypto.randomUUID().slice(0, 8)}`
    const answer = await fetch(`${url}/aisle-pool-00-v2/_search_shards?routing=${id}`)
    const { shards } = (await answer.json()) as { shards: { shard: number }[][] }
    const { shard } = shards[0]![0]!
    const same = known.get(shard)
    const other = [...known].find(([one]) => one !== shard)?.[1]
    if (same !== undefined && other !== undefined) return [same, other, id]
    known.set(shard, same ?? id)
  }
  throw new Error(`No two of ${IDS_TRIED} ids have one shard`)
}

async function load(
  client: ThinClient,
  keys: StoreKeys,
  catalog: BenchCatalog,
  count: number,
): Promise<void> {
  const { failedCount } = await loadBatches(client, keys, first(catalog, count))
  if (failedCount > 0) throw new Error(`${failedCount} documents failed`)
}

async function* first(catalog: BenchCatalog, count: number): AsyncGenerator<string> {
  let taken = 0
  for await (const line of catalog.lines()) {
    if (taken++ >= count) return
    yield line
  }
}

interface Measured {
  readonly times: Times
  /** From the store that gets a neighbour: the count, and the ids and scores of the page. */
  readonly answers: string[]
}

async function measurePair(
  client: ThinClient,
  { beside, apart }: Readonly<Record<keyof Times, StoreKeys>>,
  classes: readonly QueryClass[],
  { queries: queriesMax, passes }: Pick<TenantsOptions, 'queries' | 'passes'>,
): Promise<Map<QueryClassName, Measured>> {
  const measured = new Map<QueryClassName, Measured>()
  for (const { name, queries } of classes) {
    const times: Times = { beside: [], apart: [] }
    const answers: string[] = []
    const asked = queries.slice(0, queriesMax).map((query) => {
      const body = JSON.stringify(query)
      return { beside: searchRequest(beside, body), apart: searchRequest(apart, body) }
    })
    // The first pass warms up the compilers.
    for (let pass = 0; pass <= passes; pass++) {
      for (const [at, requests] of asked.entries()) {
        const order = ['beside', 'apart'] as const
        for (const store of (at + pass) % 2 === 0 ? order : order.toReversed()) {
          const { ms, answer } = await timed(client, requests[store])
          if (pass > 0) times[store].push(ms)
          if (pass === 0 && store === 'beside') answers.push(answer)
        }
      }
    }
    measured.set(name, { times, answers })
  }
  return measured
}

async function timed(
  client: ThinClient,
  request: HttpRequest,
): Promise<{ readonly ms: number; readonly answer: string }> {
  const beforeMs = performance.now()
  const { body } = await answerOf(client.http, request)
  const ms = performance.now() - beforeMs
  const { found, hits, facets } = JSON.parse(body.toString()) as {
    found: number
    hits: { id: string; score?: number }[]
    facets?: unknown
  }
  return { ms, answer: JSON.stringify([found, hits, facets]) }
}

/** Renders the report as Markdown. */
export function tenantsText({ documents, neighbourDocuments, classes }: TenantsReport): string {
  const rows = Object.entries(classes).map(([name, { alone, after }]) => {
    const ratio = ({ beside, apart }: Times): number => median(beside) / median(apart)
    const chance = ({ beside, apart }: Times): string => {
      const { chanceSmaller, z } = compareSamples(beside, apart)
      return `${(1 - chanceSmaller).toFixed(2)} (${z.toFixed(1)})`
    }
    return [
      QUERY_CLASSES[name as QueryClassName].title,
      ...[alone, after].flatMap((times) => [
        median(times.beside).toFixed(2),
        median(times.apart).toFixed(2),
        chance(times),
      ]),
      (ratio(after) / ratio(alone)).toFixed(2),
    ]
  })
  const of = ['with the neighbour to come', 'without', 'chance slower (z)']
  return [
    `Two stores of ${documents} documents in a pool, then one of ${neighbourDocuments} in the shard of the first; all answers of the first stayed the same. ` +
      'Median ms in turns; "chance slower": that a search of the first takes longer than one of the second, .5 when nothing tells them apart; last column: the ratio of the medians after over before.',
    textTable([['class', ...of, ...of.map((title) => `then: ${title}`), 'times'], ...rows]),
  ].join('\n\n')
}

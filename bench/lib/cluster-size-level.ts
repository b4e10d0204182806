import { performance } from 'node:perf_hooks'
import { AisleClient } from '@aisle/client'
import { BULK_LOAD_MIN_BYTES } from '@aisle/contract'
import { HttpClient, ServerProcess, ThinClient, until } from '@aisle/testing'
import { Cluster } from '../../tools/cluster/cluster.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { answerOf, ServiceSide } from './bench-side.ts'
import { batchesOf, bulkInTurn } from './load-in-turns.ts'
import { residentBytes } from './machine.ts'
import type { QueryClass, QueryClassName } from './query-classes.ts'

/** What a store takes with a number of documents. */
export interface SizeRow {
  readonly documents: number
  /** Of their JSON. */
  readonly jsonBytes: number
  /** Of one copy in the cluster, merged. */
  readonly indexBytes: number
  /** In use after a collection of the whole heap. */
  readonly heapBytes: number
  readonly apiNodeBytes: number
  /** Median of the best of each query, in milliseconds. */
  readonly medianMs: Readonly<Partial<Record<QueryClassName, number>>>
}

export interface ClusterSizeReport {
  /** With ascending numbers of documents; the first has none. */
  readonly rows: readonly SizeRow[]
}

export interface ClusterSizeOptions {
  /** Queries per class. */
  readonly queries: number
  readonly passes: number
  readonly onProgress?: (documents: number) => void
}

/** Parts of the catalog after which it is measured. */
const MEASURED_AT = [0.125, 0.25, 0.5, 1]
const BATCH = 2_000
const SENDS_MAX = 5
const HEAP_MIB = 2_048
const FINISH_LIMIT_MS = 600_000
const INDEX = 'aisle-store-*'

/**
 * Loads a catalog into a store with a separate index on one node, and measures what it takes on
 * the way: all slopes per document are those between two rows.
 */
export async function clusterSizeLevel(
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  options: ClusterSizeOptions,
): Promise<ClusterSizeReport> {
  await using cluster = await Cluster.start({
    nodes: 1,
    processes: 'one',
    heapMib: HEAP_MIB,
    quickStart: false,
  })
  const environment = {
    AISLE_OPENSEARCH_URL: cluster.urls.join(','),
    AISLE_LOG_LEVEL: 'warn',
  }
  const apiNode = await ServerProcess.start({ environment })
  try {
    using client = new ThinClient(apiNode.url, apiNode)
    const admin = new AisleClient({ url: apiNode.url, adminToken: apiNode.adminToken })
    const made = await admin.createStore({
      name: 'size',
      bulk_load: { document_bytes: BULK_LOAD_MIN_BYTES },
    })
    const { store_id: storeId, read_secret: readSecret, write_secret: writeSecret } = made
    const keys = { storeId, readSecret, writeSecret }
    await client.setSchema(keys, { mode: 'replace', fields: catalog.fields })
    const store = new ServiceSide(apiNode.url, keys)
    const opensearch = new HttpClient(cluster.urls[0]!)
    const measured = async (documents: number, jsonBytes: number): Promise<SizeRow> => {
      const merge = `/${INDEX}/_forcemerge?max_num_segments=1&flush=true`
      await answerOf(opensearch, { method: 'POST', path: merge })
      const medianMs = documents === 0 ? {} : await medians(store, classes, options)
      return {
        documents,
        jsonBytes,
        indexBytes: await indexBytes(cluster.urls[0]!),
        heapBytes: await heapBytes(cluster.urls[0]!),
        apiNodeBytes: residentBytes(apiNode.pid) ?? NaN,
        medianMs,
      }
    }
    const rows = [await measured(0, 0)]
    const stops = MEASURED_AT.map((part) => Math.ceil(part * catalog.docCount))
    let [documents, jsonBytes] = [0, 0]
    for await (const lines of batchesOf(catalog.lines(), BATCH)) {
      await bulkInTurn({ bulk: (some) => patiently(() => store.bulk(some)) }, lines)
      documents += lines.length
      jsonBytes += lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
      options.onProgress?.(lines.length)
      if (documents < stops[0]!) continue
      stops.shift()
      // Its documents become visible in the end only.
      if (stops.length === 0) await finished(admin, storeId)
      else await answerOf(opensearch, { method: 'POST', path: `/${INDEX}/_refresh` })
      rows.push(await measured(documents, jsonBytes))
    }
    store.close()
    return { rows }
  } catch (error) {
    console.error(apiNode.output())
    throw error
  } finally {
    await apiNode.stop()
  }
}

/** Sends again what a starved cluster did not answer in time, as a client does. */
async function patiently(send: () => Promise<void>): Promise<void> {
  for (let sends = 1; ; sends++) {
    try {
      await send()
      return
    } catch (error) {
      if (sends === SENDS_MAX) throw error
      console.error(`sent again: ${(error as Error).message}`)
    }
  }
}

async function finished(admin: AisleClient, storeId: string): Promise<void> {
  const isFinished = async (): Promise<boolean> =>
    (await admin.finishBulkLoad(storeId)).status === 'finished'
  await until('all copies', isFinished, { timeoutMs: FINISH_LIMIT_MS, pauseMs: 500 })
}

async function medians(
  store: ServiceSide,
  classes: readonly QueryClass[],
  { queries, passes }: ClusterSizeOptions,
): Promise<Partial<Record<QueryClassName, number>>> {
  const medianMs: Partial<Record<QueryClassName, number>> = {}
  for (const { name, queries: all } of classes) {
    const step = Math.max(1, Math.floor(all.length / queries))
    const some = all.filter((_, at) => at % step === 0).slice(0, queries)
    const best = new Array<number>(some.length).fill(Infinity)
    for (let pass = 0; pass < passes; pass++) {
      for (const [at, query] of some.entries()) {
        const startMs = performance.now()
        await store.send(store.request(query))
        best[at] = Math.min(best[at]!, performance.now() - startMs)
      }
    }
    best.sort((a, b) => a - b)
    medianMs[name] = best[best.length >> 1]!
  }
  return medianMs
}

async function indexBytes(url: string): Promise<number> {
  const answer = await fetch(`${url}/${INDEX}/_stats/store`)
  const { _all } = (await answer.json()) as {
    _all: { primaries: { store: { size_in_bytes: number } } }
  }
  return _all.primaries.store.size_in_bytes
}

/**
 * The least heap that was in use during a while of garbage: what is left after collections. One of
 * the whole heap cannot be asked for.
 */
async function heapBytes(url: string): Promise<number> {
  let least = Infinity
  for (let at = 0; at < 200; at++) {
    // Large answers, so that the heap is collected.
    await (await fetch(`${url}/_nodes`)).arrayBuffer()
    const answer = await fetch(`${url}/_nodes/stats/jvm`)
    const { nodes } = (await answer.json()) as {
      nodes: Record<string, { jvm: { mem: { heap_used_in_bytes: number } } }>
    }
    for (const { jvm } of Object.values(nodes)) least = Math.min(least, jvm.mem.heap_used_in_bytes)
  }
  return least
}

import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { AisleClient } from '@aisle/client'
import { BULK_LOAD_MIN_BYTES } from '@aisle/contract'
import { HttpClient, ServerProcess, ThinClient } from '@aisle/testing'
import { Cluster } from '../../tools/cluster/cluster.ts'
import { findJava } from '../../tools/cluster/java.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { answerOf, ServiceSide } from './bench-side.ts'
import { bulkLoadFinished, patiently } from './bulk-load.ts'
import { bytesOf, mergeAll } from './index-bytes.ts'
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
  readonly heapBytes: number | undefined
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
/** Several groups of an API node: it waits for none until a batch has ended. */
const BATCH = 10_000
const HEAP_MIB = 2_048

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
    // A pass must not be answered from what the node has kept of the pass before.
    await client.setSettings(keys, { cache: { max_bytes: 0 } })
    const store = new ServiceSide(apiNode.url, keys)
    const [url] = cluster.urls as [string]
    const opensearch = new HttpClient(url)
    const measured = async (documents: number, jsonBytes: number): Promise<SizeRow> => {
      await mergeAll(url)
      const medianMs = documents === 0 ? {} : await medians(opensearch, store, classes, options)
      return {
        documents,
        jsonBytes,
        indexBytes: (await bytesOf(url, [{ index: 'aisle-store' }]))[0]!,
        heapBytes: await heapBytes(url, cluster.processes[0]!.pid!),
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
      if (stops.length === 0) await bulkLoadFinished(admin, storeId)
      else await answerOf(opensearch, { method: 'POST', path: '/aisle-store-*/_refresh' })
      rows.push(await measured(documents, jsonBytes))
      // A load of hours must not lose what it has measured.
      console.error(JSON.stringify(rows.at(-1)))
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

async function medians(
  opensearch: HttpClient,
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
      // A shard answers a repeated search from its cache.
      await answerOf(opensearch, { method: 'POST', path: '/_cache/clear?request=true' })
      for (const [at, query] of some.entries()) {
        const startMs = performance.now()
        // The first search after a merge reads all columns from the disk.
        await patiently(() => store.send(store.request(query)))
        best[at] = Math.min(best[at]!, performance.now() - startMs)
      }
    }
    best.sort((a, b) => a - b)
    medianMs[name] = best[best.length >> 1]!
  }
  return medianMs
}

/** After a collection of the whole heap; undefined where Java brings no tool to ask for one. */
async function heapBytes(url: string, pid: number): Promise<number | undefined> {
  const tool = join(dirname(findJava(11)), 'jcmd')
  if (spawnSync(tool, [String(pid), 'GC.run']).status !== 0) return undefined
  const answer = await fetch(`${url}/_nodes/stats/jvm`)
  const { nodes } = (await answer.json()) as {
    nodes: Record<string, { jvm: { mem: { heap_used_in_bytes: number } } }>
  }
  return Object.values(nodes).reduce((sum, { jvm }) => sum + jvm.mem.heap_used_in_bytes, 0)
}

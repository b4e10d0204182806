import { performance } from 'node:perf_hooks'
import { AisleClient } from '@aisle/client'
import { BULK_LOAD_MIN_BYTES, type CreateStoreRequest } from '@aisle/contract'
import { HttpClient, ServerProcess, ThinClient } from '@aisle/testing'
import { allocateSlots } from '../../packages/cluster/src/opensearch/field-slots.ts'
import { ClusterConnection } from '../../packages/cluster/src/opensearch/cluster-connection.ts'
import { createProductIndex } from '../../packages/cluster/src/opensearch/product-index.ts'
import { productBody } from '../../packages/cluster/src/opensearch/product-body.ts'
import { createAnalyzer } from '@aisle/engine'
import { Cluster } from '../../tools/cluster/cluster.ts'
import { PlainIndex } from '../rivals/opensearch-plain.ts'
import { toIndexDocument, type BenchCatalog } from './bench-catalog.ts'
import { answerOf, ServiceSide } from './bench-side.ts'
import { bytesOf, mergeAll, mergesEnded } from './index-bytes.ts'
import { bulkLoadFinished, patiently } from './bulk-load.ts'
import { batchesOf, bulkInTurn } from './load-in-turns.ts'
import { processMs } from './processor-time.ts'
import { BENCH_FACETS } from './query-classes.ts'

/** What loading a catalog costs in one way, per document. */
export interface LoadRow {
  readonly name: string
  readonly documents: number
  /** Of all turns, and of the best one. */
  readonly docsPerSecond: number
  readonly bestDocsPerSecond: number
  /**
   * Processor time of the cluster, in all copies: of all turns with the merges after them, and of
   * the best one.
   */
  readonly clusterMs: number
  readonly bestClusterMs: number
  /** Processor time of the API node; undefined without one. */
  readonly nodeMs: number | undefined
  /** Bytes sent to the cluster; undefined where an API node sends them. */
  readonly sentBytes: number | undefined
  /** Bytes of one copy when loaded, and after a merge into one segment. */
  readonly indexBytes: number
  readonly mergedBytes: number
}

export interface ClusterLoadReport {
  readonly nodes: number
  readonly rows: readonly LoadRow[]
}

export interface ClusterLoadOptions {
  readonly nodes: number
  /** Also bodies without one of their parts each, sent straight to the cluster. */
  readonly parts: boolean
  readonly onProgress?: (documents: number) => void
}

interface LoadSide {
  readonly name: string
  /** Prefix of the names of its indices. */
  readonly index: string
  bulk(lines: readonly string[]): Promise<void>
  settle?(): Promise<void>
  /** Called after the last turn; its time counts. */
  end?(): Promise<void>
  /** Called before its turn, which does not count. */
  prepare?(lines: readonly string[]): void
  /** Documents per request; default: 500. */
  readonly batch?: number
  readonly sentBytes?: number
}

/** Documents per turn: several groups of an API node, so that it works while the cluster does. */
const TURN = 10_000
/** The same with sides for the parts, which write one request after the other. */
const PARTS_TURN = 1_000
/** Turns that warm up the compilers. */
const TURNS_UNCOUNTED = 1
/** For one process with all nodes. */
const HEAP_MIB = 2_048

/** Parts of a body, by the names of its fields. */
const PARTS: Readonly<Record<string, RegExp>> = {
  words: /^words$/,
  groups: /^groups$/,
  evidence: /^evidence$/,
  exact: /^exact$/,
  rows: /^row\d|^joined$/,
  'rows of stems': /^stemRow\d/,
  'packed words': /^tokens$/,
  columns: /^(?:raw|folded|long|double)\d/,
  lengths: /^length\d/,
}
const TERMS = /^(?:words|groups|evidence|exact|joined|tokens|row\d|stemRow\d)/

/**
 * Loads a catalog into the same cluster in several ways, in turns, so that other load on the
 * machine affects all alike. A turn ends when its documents are durable on all copies and visible.
 */
export async function clusterLoadLevel(
  catalog: BenchCatalog,
  { nodes, parts, onProgress = () => undefined }: ClusterLoadOptions,
): Promise<ClusterLoadReport> {
  await using cluster = await Cluster.start({
    nodes,
    processes: 'one',
    heapMib: HEAP_MIB,
    quickStart: false,
  })
  const { urls } = cluster
  const texts = catalog.fields.filter(({ searchable }) => searchable).map(({ name }) => name)
  const plain = new PlainIndex(urls, { texts, facets: BENCH_FACETS, shards: 1 })
  await plain.open()
  const environment = { AISLE_OPENSEARCH_URL: urls.join(','), AISLE_LOG_LEVEL: 'warn' }
  const apiNode = await ServerProcess.start({ environment })
  try {
    using client = new ThinClient(apiNode.url, apiNode)
    const admin = new AisleClient({ url: apiNode.url, adminToken: apiNode.adminToken })
    const serviceOf = async (request: CreateStoreRequest): Promise<ServiceSide> => {
      const { store_id: storeId, ...made } = await admin.createStore(request)
      const keys = { storeId, readSecret: made.read_secret, writeSecret: made.write_secret }
      await client.setSchema(keys, { mode: 'replace', fields: catalog.fields })
      return new ServiceSide(apiNode.url, keys)
    }
    const service = await serviceOf({ name: 'benchmark' })
    const bulkLoad = { document_bytes: BULK_LOAD_MIN_BYTES }
    const loaded = await serviceOf({ name: 'load', id: 'load', bulk_load: bulkLoad })
    const sides: LoadSide[] = [
      {
        name: 'OpenSearch alone',
        index: 'bench-plain',
        bulk: (lines) => plain.bulk(lines),
        settle: () => plain.settle(),
      },
      {
        name: 'API node',
        index: 'aisle-pool',
        bulk: (lines) => patiently(() => service.bulk(lines)),
      },
      {
        name: 'API node, bulk load',
        index: 'aisle-store',
        bulk: (lines) => patiently(() => loaded.bulk(lines)),
        end: async () => {
          await bulkLoadFinished(admin, 'load')
        },
      },
      ...(parts ? await partSides(urls, catalog) : []),
    ]
    const pid = cluster.processes[0]!.pid!
    const gauge: Gauge = {
      usage: () => ({ cluster: processMs(pid), node: processMs(apiNode.pid) }),
      quiet: () => mergesEnded(urls[0]!),
    }
    const turnDocuments = parts ? PARTS_TURN : TURN
    const used = await loadAll(catalog, sides, turnDocuments, onProgress, gauge)
    const written = await bytesOf(urls[0]!, sides)
    await mergeAll(urls[0]!)
    const merged = await bytesOf(urls[0]!, sides)
    const rows = sides.map((side, at): LoadRow => {
      const { documents, tookMs, bestMs, clusterMs, bestClusterMs, nodeMs } = used[at]!
      return {
        name: side.name,
        documents,
        docsPerSecond: documents / (tookMs / 1_000),
        bestDocsPerSecond: 1_000 / bestMs,
        clusterMs: clusterMs / documents,
        bestClusterMs,
        nodeMs: side.index.startsWith('aisle-') ? nodeMs / documents : undefined,
        sentBytes: side.sentBytes === undefined ? undefined : side.sentBytes / catalog.docCount,
        indexBytes: written[at]! / catalog.docCount,
        mergedBytes: merged[at]! / catalog.docCount,
      }
    })
    service.close()
    loaded.close()
    return { nodes, rows }
  } finally {
    plain.close()
    await apiNode.stop()
  }
}

interface Used {
  documents: number
  tookMs: number
  /** Per document. */
  bestMs: number
  clusterMs: number
  bestClusterMs: number
  nodeMs: number
}

interface Gauge {
  /** Processor time so far, in milliseconds. */
  usage(): { readonly cluster: number; readonly node: number }
  /** Waits until the cluster has nothing left to do. */
  quiet(): Promise<void>
}

async function loadAll(
  catalog: BenchCatalog,
  sides: readonly LoadSide[],
  turnDocuments: number,
  onProgress: (documents: number) => void,
  { usage, quiet }: Gauge,
): Promise<Used[]> {
  const used = sides.map((): Used => ({
    documents: 0,
    tookMs: 0,
    bestMs: Infinity,
    clusterMs: 0,
    bestClusterMs: Infinity,
    nodeMs: 0,
  }))
  let turn = 0
  for await (const lines of batchesOf(catalog.lines(), turnDocuments)) {
    for (let i = 0; i < sides.length; i++) {
      // Another side comes first each time.
      const at = (i + turn) % sides.length
      const side = sides[at]!
      side.prepare?.(lines)
      const before = usage()
      const beforeMs = performance.now()
      await bulkInTurn(side, lines, side.batch)
      await side.settle?.()
      const tookMs = performance.now() - beforeMs
      // The merges of a turn are its work, and must not slow down the next side.
      await quiet()
      const after = usage()
      if (turn < TURNS_UNCOUNTED && catalog.docCount > turnDocuments) continue
      const one = used[at]!
      one.documents += lines.length
      one.tookMs += tookMs
      one.bestMs = Math.min(one.bestMs, tookMs / lines.length)
      const clusterMs = after.cluster - before.cluster
      one.clusterMs += clusterMs
      one.bestClusterMs = Math.min(one.bestClusterMs, clusterMs / lines.length)
      one.nodeMs += after.node - before.node
    }
    turn++
    onProgress(lines.length)
  }
  for (const [at, side] of sides.entries()) {
    const before = usage()
    const beforeMs = performance.now()
    await side.end?.()
    const tookMs = performance.now() - beforeMs
    await quiet()
    const after = usage()
    const one = used[at]!
    // As far as the counted turns are part of it.
    const share = one.documents / catalog.docCount
    one.tookMs += tookMs * share
    one.clusterMs += (after.cluster - before.cluster) * share
  }
  return used
}

const ROW = /^(?:row|stemRow)\d/

function dense(row: string): string {
  return row
    .split(' ')
    .filter((word) => word !== '-')
    .join(' ')
}

/** A way to send the bodies of an API node straight to the cluster. */
interface Variant {
  readonly name: string
  /** Parts that are left out. */
  readonly without?: RegExp
  /** Whether rows have no empty places, which is wrong, but says what these cost. */
  readonly isDense?: boolean
  /** Whether each group makes its documents visible; otherwise the turn ends with that. */
  readonly refreshes?: boolean
  /** Whether each group is read first, as by a node that does not know which documents exist. */
  readonly reads?: boolean
  /** Whether each stem has its own feature, as in older versions. */
  readonly hasFormerFeatures?: boolean
  /** Changes the settings and the mapping of a product index. */
  readonly change?: (index: IndexDefinition) => void
}

interface IndexDefinition {
  readonly settings: { index: Record<string, unknown> }
  readonly mappings: Record<string, unknown>
}

const VARIANTS: readonly Variant[] = [
  { name: 'its requests alone' },
  { name: 'with a read before', reads: true },
  { name: 'refreshed once a turn', refreshes: false },
  {
    name: 'no copy',
    change: ({ settings }) =>
      Object.assign(settings.index, { auto_expand_replicas: 'false', number_of_replicas: 0 }),
  },
  {
    name: '10 segments in a tier',
    change: ({ settings }) => {
      const { policy } = settings.index['merge'] as { policy: Record<string, unknown> }
      policy['segments_per_tier'] = 10
    },
  },
  {
    name: 'all that was sent in _source',
    change: ({ mappings }) => (mappings['_source'] = { enabled: true }),
  },
  {
    name: 'best_compression',
    change: ({ settings }) => (settings.index['codec'] = 'best_compression'),
  },
  {
    name: 'a term for each empty place',
    change: ({ settings }) => delete settings.index['analysis'],
  },
  { name: 'a feature for each stem', hasFormerFeatures: true },
  ...Object.entries(PARTS).map(([part, without]) => ({ name: `without ${part}`, without })),
  { name: 'without empty places in rows', isDense: true },
  { name: 'without any terms', without: TERMS },
]

async function partSides(urls: readonly string[], catalog: BenchCatalog): Promise<LoadSide[]> {
  const connection = new ClusterConnection({ urls })
  const schema = { fields: catalog.fields }
  const shape = {
    scope: '1a',
    schema,
    slots: allocateSlots(schema, []),
    analyzer: createAnalyzer('en'),
  }
  let docKey = 0
  const bodyOf = (line: string, isOutdated: boolean): string => {
    docKey++
    const document = toIndexDocument(line, catalog.fields, docKey)
    const product = { ...document, inserted: docKey, json: line, writtenMs: 1_700_000_000_000 }
    return productBody({ ...shape, isOutdated }, product, '3f0e7c0a-9f0d-4c7e-8d55-0e6a0f1d2c3b')
  }
  const sides: LoadSide[] = []
  for (const [number, variant] of VARIANTS.entries()) {
    const index = `bench-part-${String(number).padStart(2, '0')}`
    await createProductIndex(connection, index, { shards: 1, isPool: false })
    if (variant.change !== undefined) await recreate(connection, index, variant.change)
    sides.push(new PartSide(urls, index, variant, bodyOf))
  }
  await connection.close()
  return sides
}

async function recreate(
  connection: ClusterConnection,
  index: string,
  change: (index: IndexDefinition) => void,
): Promise<void> {
  const made = (await connection.request({ method: 'GET', path: `/${index}` })) as Record<
    string,
    IndexDefinition
  >
  const { mappings, settings } = made[index]!
  const { uuid: _, version: __, creation_date: ___, provided_name: ____, ...kept } = settings.index
  await connection.request({ method: 'DELETE', path: `/${index}` })
  const body = { settings: { index: kept }, mappings }
  change(body)
  await connection.request({ method: 'PUT', path: `/${index}`, body })
}

/** Bodies that are sent to an index like a group of an API node. */
class PartSide implements LoadSide {
  readonly name: string
  readonly index: string
  readonly batch = 2_000
  sentBytes = 0
  readonly #clients: readonly HttpClient[]
  readonly #variant: Variant
  readonly #bodyOf: (line: string, isOutdated: boolean) => string
  #bodies = new Map<string, string>()
  #next = 0

  constructor(
    urls: readonly string[],
    index: string,
    variant: Variant,
    bodyOf: (line: string, isOutdated: boolean) => string,
  ) {
    this.#clients = urls.map((url) => new HttpClient(url))
    this.name = variant.name
    this.index = index
    this.#variant = variant
    this.#bodyOf = bodyOf
  }

  prepare(lines: readonly string[]): void {
    const { hasFormerFeatures = false } = this.#variant
    this.#bodies = new Map(
      lines.map((line) => [line, this.#changed(this.#bodyOf(line, hasFormerFeatures))]),
    )
  }

  async bulk(lines: readonly string[]): Promise<void> {
    const ids = lines.map((line) => `1a=${(JSON.parse(line) as { id: string }).id}`)
    const bodies = lines.map((line) => this.#bodies.get(line)!)
    const body = ids
      .map((id, at) => `${JSON.stringify({ create: { _id: id } })}\n${bodies[at]}\n`)
      .join('')
    this.sentBytes += Buffer.byteLength(body)
    const { refreshes = true, reads = false } = this.#variant
    if (reads) await this.#post('_mget', 'application/json', JSON.stringify({ ids }))
    const path = refreshes ? '_bulk?refresh=true' : '_bulk'
    const answer = await this.#post(path, 'application/x-ndjson', body)
    const { errors } = JSON.parse(answer) as { errors: boolean }
    if (errors) throw new Error(answer.slice(0, 500))
  }

  async settle(): Promise<void> {
    if (this.#variant.refreshes === false) await this.#post('_refresh', 'application/json', '')
  }

  #changed(body: string): string {
    const { without, isDense = false } = this.#variant
    if (without === undefined && !isDense) return body
    const parsed = JSON.parse(body) as Record<string, unknown>
    for (const [name, value] of Object.entries(parsed)) {
      if (without?.test(name) === true) delete parsed[name]
      else if (isDense && ROW.test(name)) parsed[name] = (value as string[]).map(dense)
    }
    return JSON.stringify(parsed)
  }

  async #post(path: string, type: string, body: string): Promise<string> {
    const client = this.#clients[this.#next++ % this.#clients.length]!
    const headers = { 'content-type': type }
    const request = { method: 'POST', path: `/${this.index}/${path}`, headers, body } as const
    return (await answerOf(client, request)).body.toString()
  }
}

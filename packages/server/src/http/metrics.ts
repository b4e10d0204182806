import type { SlowSearch } from '@aisle/contract'
import type { StoreRegistry, StoreStatistics } from '../ports/catalog/store-registry.ts'
import type { StageTimes } from '../services/search/search.ts'
import { KeptHistogram } from './kept-histogram.ts'
import { Counter, Gauge, Histogram, Registry, wholeLibrary } from './prometheus.ts'
import { createSourceMetrics, type SourceMetrics } from './source-metrics.ts'

/** Stores with separate figures; the rest are summed under `other`. */
const STORES_LABELLED_MAX = 100
/** The label if metrics do not name stores. */
const ALL_STORES = 'all'

/** The counters of the application. One registry per application, so one per serving thread. */
export interface Metrics {
  readonly registry: Registry
  /** Requests by method, route and status. */
  readonly requests: KeptHistogram
  readonly addSearch: (store: string, kind: SlowSearch['kind'], isCached: boolean) => void
  readonly searchSeconds: KeptHistogram
  readonly addStages: (times: StageTimes) => void
  readonly addQueryVector: (embedder: string, result: string, tookMs: number) => void
  readonly zeroResults: Counter
  readonly searchTimeouts: Counter
  readonly semanticSkipped: Counter<'store'>
  readonly bulkSeconds: Histogram
  readonly rateLimited: Counter
  readonly overQuota: Counter<'store'>
  readonly shed: Counter<'store'>
  readonly slowPeers: Counter<'direction'>
  readonly unreadAnswers: Counter<'store'>
  readonly refusedConnections: Counter
  readonly admissionWait: KeptHistogram
  readonly documents: Counter<'result'>
  readonly sources: SourceMetrics
  readonly events: Counter<'form' | 'result'>
  readonly searchEventsDropped: Counter
  /**
   * The `store` label of a store: `all`, or, if stores are named, the id for the first ones seen
   * and `other` for the rest.
   */
  readonly storeLabel: (storeId: string) => string
}

export function createMetrics(
  stores: StoreRegistry,
  options: {
    readonly version: string
    readonly processMetrics: boolean
    readonly namesStores: boolean
    readonly now: () => number
  },
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (options.processMetrics) {
    wholeLibrary().collectDefaultMetrics({ register: registry, prefix: 'aisle_' })
  }
  new Gauge({
    name: 'aisle_build_info',
    help: 'Version of the service; always 1',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers,
  }).set({ version: options.version, node: process.version }, 1)
  registerStoreGauges(stores, registry, options.namesStores)
  const storeLabel = options.namesStores ? storeLabels() : () => ALL_STORES
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  return {
    registry,
    requests: new KeptHistogram({
      name: 'aisle_http_server_request_duration_seconds',
      help: 'Duration of requests in seconds, from the headers to the end of the response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registry,
    }),
    addSearch: searchCounter(registry),
    searchSeconds: new KeptHistogram({
      name: 'aisle_search_duration_seconds',
      help: 'Duration of searches in seconds, with planning and presentation',
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
      registry,
    }),
    addStages: stageCounter(registry),
    addQueryVector: queryVectorCounter(registry),
    zeroResults: counter('aisle_search_zero_results_total', 'Searches with no results'),
    searchTimeouts: counter(
      'aisle_search_timeouts_total',
      'Searches cut off by their timeout (search_cutoff)',
    ),
    semanticSkipped: counter(
      'aisle_search_semantic_skipped_total',
      'Searches ranked by words alone because the query vector was not ready in time',
      'store',
    ),
    bulkSeconds: new Histogram({
      name: 'aisle_bulk_duration_seconds',
      help: 'Duration of bulk requests in seconds',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
      registers,
    }),
    rateLimited: counter(
      'aisle_ratelimit_rejections_total',
      'Requests refused by the rate limit of their address',
    ),
    overQuota: counter(
      'aisle_quota_rejections_total',
      'Searches refused because the monthly quota was used up',
      'store',
    ),
    slowPeers: counter(
      'aisle_slow_connections_total',
      'Stalled connections that were closed: bodies (in), responses (out)',
      'direction',
    ),
    unreadAnswers: counter(
      'aisle_unread_answers_rejections_total',
      'Requests refused because too many large responses were still unread',
      'store',
    ),
    refusedConnections: counter(
      'aisle_refused_connections_total',
      'Connections refused because their address or their thread had too many',
    ),
    shed: counter(
      'aisle_overload_rejections_total',
      'Requests refused because their thread was overloaded',
      'store',
    ),
    admissionWait: new KeptHistogram({
      name: 'aisle_admission_wait_seconds',
      help: 'Seconds that requests queued on their thread',
      buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10],
      registry,
    }),
    storeLabel,
    events: counter('aisle_ingest_events_total', 'Events received', 'form', 'result'),
    searchEventsDropped: counter(
      'aisle_search_events_dropped_total',
      'Searches missing from the event log because it was full or unreachable',
    ),
    documents: counter('aisle_indexing_documents_total', 'Documents sent for indexing', 'result'),
    sources: createSourceMetrics(registry, { ...options, storeLabel }),
  }
}

/** Held as plain numbers, like histograms (`KeptHistogram`). */
function searchCounter(registry: Registry): Metrics['addSearch'] {
  interface Count {
    readonly store: string
    readonly kind: string
    readonly cached: string
    count: number
  }
  const counts = new Map<string, Count>()
  new Counter({
    name: 'aisle_search_requests_total',
    help: 'Searches answered; cached = served from the cache',
    labelNames: ['store', 'kind', 'cached'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { count, ...labels } of counts.values()) this.inc(labels, count)
    },
  })
  return (store, kind, isCached) => {
    const key = `${kind} ${isCached ? 1 : 0} ${store}`
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { store, kind, cached: String(isCached), count: 1 })
    else known.count++
  }
}

/** How searches got the vectors of their queries. */
function queryVectorCounter(registry: Registry): Metrics['addQueryVector'] {
  const results = new Counter({
    name: 'aisle_query_vectors_total',
    help: 'Query vectors by result: cached or embedded; with any other result, the search went without',
    labelNames: ['embedder', 'result'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'aisle_query_vector_duration_seconds',
    help: 'Seconds that searches waited for a query vector that their thread had not cached',
    labelNames: ['embedder'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers: [registry],
  })
  return (embedder, result, tookMs) => {
    results.inc({ embedder, result })
    if (result !== 'unknown') seconds.observe({ embedder }, tookMs / 1_000)
  }
}

/** Sums are held as numbers and become a metric when they are read. */
function stageCounter(registry: Registry): Metrics['addStages'] {
  const milliseconds = { plan: 0, execute: 0, present: 0 }
  new Counter({
    name: 'aisle_search_stage_seconds_total',
    help: 'Duration of uncached searches in seconds, by stage; execute is the engine',
    labelNames: ['stage'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [stage, sum] of Object.entries(milliseconds)) this.inc({ stage }, sum / 1_000)
    },
  })
  return ({ startMs, plannedMs, executedMs, endMs }) => {
    milliseconds.plan += plannedMs - startMs
    milliseconds.execute += executedMs - plannedMs
    milliseconds.present += endMs - executedMs
  }
}

/** A counter cannot drop a label, so the first stores keep theirs. */
function storeLabels(): (storeId: string) => string {
  const seen = new Set<string>()
  return (storeId) => {
    if (seen.has(storeId)) return storeId
    if (seen.size >= STORES_LABELLED_MAX) return 'other'
    seen.add(storeId)
    return storeId
  }
}

function registerStoreGauges(
  stores: StoreRegistry,
  registry: Registry,
  namesStores: boolean,
): void {
  const rest = namesStores ? 'other' : ALL_STORES
  const labelledMax = namesStores ? STORES_LABELLED_MAX : 0

  const gauge = (name: string, help: string, valueOf: (statistics: StoreStatistics) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['store'],
      // Every thread sees the same stores, so a sum would count them several times.
      aggregator: 'max',
      registers: [registry],
      async collect() {
        let other = 0
        const values: { readonly store: string; readonly value: number }[] = []
        for (const [i, { storeId: store }] of stores.list().entries()) {
          const value = valueOf(await stores.statistics(store))
          if (i < labelledMax) values.push({ store, value })
          else other += value
        }
        this.reset()
        for (const { store, value } of values) this.set({ store }, value)
        if (other > 0 || !namesStores) this.set({ store: rest }, other)
      },
    })
  gauge('aisle_index_documents', 'Live documents', ({ docCount }) => docCount)
  gauge(
    'aisle_documents_without_vector',
    'Documents that wait for a vector or cannot have one; 0 without the setting semantic',
    ({ embedding }) =>
      embedding === undefined ? 0 : embedding.documentsTotal - embedding.documentsDone,
  )
  gauge(
    'aisle_store_size_bytes',
    'Stored documents, in bytes (approximate)',
    ({ documentBytes }) => documentBytes,
  )
  gauge('aisle_index_size_bytes', 'Index in memory, in bytes', ({ indexBytes }) => indexBytes)
}

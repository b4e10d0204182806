import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { StoreRegistry } from '../ports/store-registry.ts'

/** Stores with gauges of their own; the rest are added up under `other`. */
const STORES_LABELLED_MAX = 100

/** What the application counts. One registry per application, so one per serving thread. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly searches: Counter<'kind'>
  readonly searchSeconds: Histogram
  readonly zeroResults: Counter
  readonly documents: Counter<'result'>
  readonly events: Counter<'form' | 'verdict'>
  readonly searchEventsDropped: Counter
}

export function createMetrics(
  stores: StoreRegistry,
  options: { readonly version: string; readonly processMetrics: boolean },
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (options.processMetrics) collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'build_info',
    help: 'Version of the service; always 1',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers,
  }).set({ version: options.version, node: process.version }, 1)
  registerStoreGauges(stores, registry)
  return {
    registry,
    requests: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Seconds from the head of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    searches: new Counter({
      name: 'search_requests_total',
      help: 'Searches answered',
      labelNames: ['kind'],
      registers,
    }),
    searchSeconds: new Histogram({
      name: 'search_duration_seconds',
      help: 'Seconds to plan, execute and present one search',
      buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
      registers,
    }),
    zeroResults: new Counter({
      name: 'search_zero_results_total',
      help: 'Searches that found nothing',
      registers,
    }),
    events: new Counter({
      name: 'events_total',
      help: 'Events received',
      labelNames: ['form', 'verdict'],
      registers,
    }),
    searchEventsDropped: new Counter({
      name: 'search_events_dropped_total',
      help: 'Searches that are missing in the event log, because it had no room or was not reachable',
      registers,
    }),
    documents: new Counter({
      name: 'indexing_documents_total',
      help: 'Documents sent for indexing',
      labelNames: ['result'],
      registers,
    }),
  }
}

function registerStoreGauges(stores: StoreRegistry, registry: Registry): void {
  const gauge = (name: string, help: string, valueOf: (storeId: string) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['store'],
      // Every thread sees the same stores: adding them up would count them twice.
      aggregator: 'max',
      registers: [registry],
      collect() {
        this.reset()
        let other = 0
        for (const [i, { storeId }] of stores.list().entries()) {
          if (i < STORES_LABELLED_MAX) this.set({ store: storeId }, valueOf(storeId))
          else other += valueOf(storeId)
        }
        if (other > 0) this.set({ store: 'other' }, other)
      },
    })
  gauge('index_documents', 'Live documents', (id) => stores.statistics(id).docCount)
  gauge('index_size_bytes', 'Index in memory', (id) => stores.statistics(id).indexBytes)
}

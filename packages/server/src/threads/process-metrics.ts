import type { Publisher } from '../adapters/embedded/publisher.ts'
import type { EmbeddedWriter } from '../adapters/embedded/writer.ts'
import type { DiskWatch } from '../adapters/shared-memory/disk-watch.ts'
import { Gauge, wholeLibrary, type Registry } from '../http/prometheus.ts'
import { registerEmbedderMetrics } from './embedder-metrics.ts'
import type { EmbeddingHost } from './hosted-threads.ts'
import type { ServingPool } from './serving-pool.ts'

/** Metrics that are counted once per process. */
export function registerProcessMetrics(
  registry: Registry,
  {
    writer,
    publisher,
    disk,
    embedders,
  }: {
    readonly writer: EmbeddedWriter
    readonly publisher: Publisher
    readonly disk: DiskWatch
    readonly embedders: EmbeddingHost
  },
): void {
  registerEmbedderMetrics(registry, embedders)
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge(
    'aisle_indexing_queue_length',
    'Operations waiting for the writer',
    () => writer.waitingCount,
  )
  gauge('aisle_index_generation', 'Rounds of changes published to the serving threads', () =>
    Atomics.load(publisher.generation, 0),
  )
  gauge(
    'aisle_disk_free_bytes',
    'Free space on the disk of the data folder, in bytes',
    () => disk.figures.freeBytes,
  )
  gauge(
    'aisle_disk_reserve_bytes',
    'Disk space that documents and events must leave free, in bytes',
    () => disk.figures.reserveBytes,
  )
}

const completed = new WeakSet<Registry>()

/**
 * Adds the library's metrics of memory, processor time, garbage collection and event loop of the
 * process, unless they have been added. They take time to load, so no start waits for them.
 */
export function completeProcessMetrics(registry: Registry): void {
  if (completed.has(registry)) return
  completed.add(registry)
  wholeLibrary().collectDefaultMetrics({ register: registry, prefix: 'aisle_' })
}

/** The sum of the metrics of all serving threads, and those of the process. */
export async function collectMetrics(pool: ServingPool, registry: Registry): Promise<string> {
  completeProcessMetrics(registry)
  const threads = await pool.readMetrics()
  const merged = wholeLibrary().AggregatorRegistry.aggregate(threads as unknown as object[])
  return `${await merged.metrics()}\n${await registry.metrics()}`
}

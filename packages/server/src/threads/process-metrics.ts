import { AggregatorRegistry, collectDefaultMetrics, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Publisher } from '../adapters/embedded/publisher.ts'
import type { EmbeddedWriter } from '../adapters/embedded/writer.ts'
import type { DiskWatch } from '../adapters/shared-memory/disk-watch.ts'
import type { ServingPool } from './serving-pool.ts'

/** What is counted once per process. */
export function registerProcessMetrics(
  registry: Registry,
  writer: EmbeddedWriter,
  publisher: Publisher,
  disk: DiskWatch,
): void {
  collectDefaultMetrics({ register: registry, prefix: 'aisle_' })
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
    'Operations that wait for the writer',
    () => writer.waitingCount,
  )
  gauge('aisle_index_generation', 'Rounds of changes published to the serving threads', () =>
    Atomics.load(publisher.generation, 0),
  )
  gauge(
    'aisle_disk_free_bytes',
    'Free on the disk of the data folder',
    () => disk.figures.freeBytes,
  )
  gauge(
    'aisle_disk_reserve_bytes',
    'What documents and events leave free of it',
    () => disk.figures.reserveBytes,
  )
}

/** The figures of all serving threads, added up, and those of the process. */
export async function collectMetrics(pool: ServingPool, registry: Registry): Promise<string> {
  const threads = await pool.readMetrics()
  const merged = AggregatorRegistry.aggregate(threads as unknown as object[])
  return `${await merged.metrics()}\n${await registry.metrics()}`
}

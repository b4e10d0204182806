import type { Publisher } from '../adapters/embedded/publisher.ts'
import type { EmbeddedWriter } from '../adapters/embedded/writer.ts'
import type { DiskWatch } from '../adapters/shared-memory/disk-watch.ts'
import { Counter, Gauge, wholeLibrary, type Registry } from '../http/prometheus.ts'
import type { EmbedderFigures } from '../adapters/embedders/embedding-server.ts'
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

/** Figures of the embedders, read from their thread when metrics are. */
function registerEmbedderMetrics(registry: Registry, host: EmbeddingHost): void {
  const counter = (
    name: string,
    help: string,
    read: (figures: EmbedderFigures) => number,
  ): Counter =>
    new Counter({
      name: `aisle_embedder_${name}_total`,
      help,
      labelNames: ['embedder'],
      registers: [registry],
      async collect() {
        const all = await host.figures()
        this.reset()
        for (const figures of all) this.inc({ embedder: figures.name }, read(figures))
      },
    })
  counter('texts', 'Texts that got a vector or were refused', ({ texts }) => texts)
  counter('refused_texts', 'Texts refused by the model', ({ refusedTexts }) => refusedTexts)
  counter('calls', 'Calls of the embedder', ({ calls }) => calls)
  counter('failed_calls', 'Failed calls of the embedder', ({ failedCalls }) => failedCalls)
  counter(
    'seconds',
    'Seconds spent in calls of the embedder, including waiting',
    ({ seconds }) => seconds,
  )
  new Gauge({
    name: 'aisle_embedder_left_alone',
    help: '1 while an embedder is not called because it failed repeatedly',
    labelNames: ['embedder'],
    registers: [registry],
    async collect() {
      for (const { name, isBreakerOpen } of await host.figures()) {
        this.set({ embedder: name }, Number(isBreakerOpen))
      }
    },
  })
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

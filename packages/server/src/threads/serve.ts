import { parentPort } from 'node:worker_threads'
import { ApiError, CONNECTIONS_WAITING_MAX } from '@aisle/contract'
import { CommandClient } from '../adapters/embedded/command-client.ts'
import { replicaPorts } from '../adapters/embedded/replica-ports.ts'
import { Replica } from '../adapters/embedded/replica.ts'
import { ReportClient } from '../adapters/report-thread/report-client.ts'
import { EmbeddedSearchBackend } from '../adapters/embedded/search-backend.ts'
import { SharedGarbage } from '../adapters/embedded/shared-garbage.ts'
import { EmbedderClient } from '../adapters/embedders/embedder-client.ts'
import { EventLogClient } from '../adapters/event-log/event-log-client.ts'
import { PortCalls } from '../adapters/message-port/port-calls.ts'
import { endThread, serveCalls } from '../adapters/message-port/serve-calls.ts'
import { LmdbAuditReader } from '../adapters/lmdb/access-store.ts'
import { FolderSnapshotReader } from '../adapters/lmdb/snapshot-reader.ts'
import { LmdbDocumentReader } from '../adapters/lmdb/document-reader.ts'
import { openEnvironment } from '../adapters/lmdb/environment.ts'
import { DocumentRows } from '../adapters/lmdb/rows.ts'
import { mailOf } from '../adapters/mail/smtp-mail.ts'
import { openBuiltPages } from '../adapters/pages/built-pages.ts'
import { openDocumentation } from '../adapters/pages/documentation.ts'
import { openPageRenderer } from '../adapters/pages/page-renderer.ts'
import { createTracer } from '../adapters/opentelemetry/tracer.ts'
import { SharedAnswerCache } from '../adapters/shared-memory/answer-cache.ts'
import { SharedAnswerMemory } from '../adapters/shared-memory/answer-memory.ts'
import { SharedConnectionCounts } from '../adapters/shared-memory/connection-counts.ts'
import { SharedDiskRoom } from '../adapters/shared-memory/disk-room.ts'
import { SharedStreamSlots } from '../adapters/shared-memory/stream-slots.ts'
import { SharedRateLimiter } from '../adapters/shared-memory/rate-limiter.ts'
import { readPendingParts, readStartProgress } from '../adapters/embedded/start-progress.ts'
import { ThreadVitals } from '../adapters/shared-memory/vitals.ts'
import { SharedSuggestions } from '../adapters/suggestions/shared-suggestions.ts'
import { buildApp } from '../app.ts'
import { Gauge, type Registry } from '../http/prometheus.ts'
import type { IndexSearcher } from '../adapters/embedded/engine-port.ts'
import { createLogger } from './logger.ts'
import { monotonicSeconds } from './thread-watch.ts'
import type { ServingHost, ServingThread } from './serving-calls.ts'
import { servingData } from './serving-worker.ts'
import { sourceReadings } from './source-readings.ts'
import type { HostCalls, ThreadCalls } from './shared-thread.ts'

const IDLE_SWEEP_MS = 50
const BEAT_MS = 250
const ANSWERS_SWEEP_MS = 10_000

/**
 * The body of a serving thread: takes connections (SO_REUSEPORT: the kernel spreads them over the
 * threads), searches the shared segments in place, reads documents from its own read-only view of
 * the file, and sends writes to the writer. It holds no state that another thread could miss.
 */
export async function serve(createSearcher: () => IndexSearcher): Promise<void> {
  const data = await servingData()
  const host = new PortCalls<HostCalls<ServingHost>>()

  const logger = await createLogger({
    level: data.logLevel,
    format: data.logFormat,
    base: { thread: data.slot },
  })
  const environment = openEnvironment(data.documents, { readOnly: true })
  const rows = new DocumentRows(environment, (catalog, message) =>
    logger.error({ catalog }, message),
  )
  const replica = new Replica(data.publications, data.generation, createSearcher, () => {
    // A read transaction sees the file as it was at its beginning, so begin a new one.
    environment.root.resetReadTxn()
  })

  const vitals = new ThreadVitals(data.vitals, data.slot, monotonicSeconds)
  setInterval(() => vitals.beat(), BEAT_MS).unref()
  const room = new SharedDiskRoom(data.diskRoom)
  const commands = new CommandClient(data.commands, data.pressure, data.slot, room)

  const tracer =
    data.tracing === undefined
      ? undefined
      : await createTracer(data.tracing, data.version, (message) =>
          logger.warn({ reason: message }, 'Spans cannot be sent'),
        )
  const events = new EventLogClient(room)
  const garbage = new SharedGarbage()
  const answers = new SharedAnswerCache(data.answers.channel, data.answers.bytesMax, (bytes) =>
    garbage.passed(bytes),
  )
  const sweeping = setInterval(() => answers.sweep(Date.now()), ANSWERS_SWEEP_MS).unref()
  const suggestions = new SharedSuggestions((bytes) => garbage.passed(bytes))
  const reports = new ReportClient()
  const embedders: EmbedderClient = new EmbedderClient(data.embedders, (...answer) =>
    app.metrics.addQueryVector(...answer),
  )
  const demoPages = openBuiltPages(data.demoPages)
  const unreadMaxBytes = data.unreadAnswersMegabytes * 1_000_000
  const limiterOf = (perSecond: number): SharedRateLimiter | undefined =>
    perSecond > 0 ? new SharedRateLimiter(data.rateLimits, perSecond, monotonicMicros) : undefined
  const app = buildApp({
    ...replicaPorts(replica),
    reader: new LmdbDocumentReader(rows, {
      catalogOf: (storeId) => replica.store(storeId)?.catalog,
      knownCatalogOf: (storeId, content) => replica.knownCatalog(storeId, content),
    }),
    writer: commands.writer,
    edits: commands.edits,
    snapshots: commands.snapshots,
    snapshotReader: new FolderSnapshotReader(commands.snapshots),
    room,
    access: commands.access,
    activity: commands.activity,
    audit: new LmdbAuditReader(environment.root, (message) => logger.error(message)),
    backend: new EmbeddedSearchBackend(replica, {
      findKey: (catalog, id) => rows.findKey(catalog, id),
      openIndex: (storeId) => commands.writer.openIndex(storeId),
      clock: { now: () => Date.now() },
    }),
    clock: { now: () => Date.now() },
    events,
    answers,
    tracer,
    pages: openBuiltPages(data.pages),
    documentation: openDocumentation(openBuiltPages(data.docsPages)),
    demoPages,
    drawDemo: openPageRenderer(demoPages),
    watch: vitals,
    rateLimiter: limiterOf(data.rateLimit),
    pageRateLimiter: limiterOf(data.pageRateLimit),
    connections: {
      counts: new SharedConnectionCounts(data.connections, data.slot),
      perNetworkMax: data.connectionsPerAddress,
    },
    slots: new SharedStreamSlots(data.streamSlots, data.slot),
    answerMemory: new SharedAnswerMemory(data.answerMemory, data.slot, unreadMaxBytes),
    suggestions,
    reports,
    embedders,
    queryVectors: embedders,
    addressKey: data.addressKey,
    sources: sourceReadings(data.sourceNetworks),
    mail: mailOf(data.mailServer),
    publicUrl: data.publicUrl,
    version: data.version,
    health: () => {
      const { printed, others } = readPendingParts(data.progress)
      const awaited = [...replica.starting(), ...printed]
      return {
        ok: awaited.length === 0,
        starting: [...awaited, ...others],
        progress: readStartProgress(data.progress),
      }
    },
    options: {
      trustProxy: data.trustProxy,
      ingestAliases: data.ingestAliases,
      mcp: data.mcp,
      metricsStores: data.metricsStores,
      imageHosts: data.imageHosts,
      searchTimeoutMaxMs: data.searchTimeoutMaxMs,
      patience: { unreadAnswersBytes: unreadMaxBytes },
      logger,
      // Memory and event loop of the process are counted once, by the main thread.
      processMetrics: false,
    },
    collectMetrics: () => host.call('host', 'collectMetrics', []),
  })
  registerThreadGauges(app.metrics.registry, answers, events, embedders)
  events.onOffersLost = (count) => app.metrics.searchEventsDropped.inc(count)

  const stop = async (): Promise<void> => {
    // A connection that was busy when closing began would stay open, idle, until its client let go.
    const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS)
    await app.close()
    clearInterval(sweep)
    await events.flush()
    // A closed channel cannot be read: the sweep would end the thread while it stops.
    clearInterval(sweeping)
    answers.close()
    await tracer?.close().catch(() => undefined)
    logger.flush()
    await environment.root.close()
  }

  const listen = async (): Promise<number> => {
    // The doorway answers until then, because here a store would be unknown and its secrets wrong.
    await replica.announced
    try {
      // `exclusive: false` keeps a cluster out of it; the port is shared by the kernel.
      await app.listen({
        host: data.host,
        port: data.port,
        reusePort: true,
        backlog: CONNECTIONS_WAITING_MAX,
      } as object)
    } catch (error) {
      throw new ApiError('internal', (error as Error).message)
    }
    const address = app.server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  }

  // This runs in the turn that creates its target: earlier messages have waited for a listener.
  host.connect(parentPort!)
  const thread: ServingThread = {
    listen,
    stop,
    metrics: () => app.metrics.registry.getMetricsAsJSON(),
    useEvents: (port) => events.connect(port),
    useSuggestions: (port) => suggestions.connect(port),
    useReports: (port) => reports.connect(port),
    useEmbedders: (port) => embedders.connect(port),
  }
  serveCalls<ThreadCalls<ServingThread>>(parentPort!, { thread }, endThread)
}

/** The same clock for all threads of the machine; it is never set back. */
function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}

/** Metrics that only this thread can report. */
function registerThreadGauges(
  registry: Registry,
  answers: SharedAnswerCache,
  events: EventLogClient,
  embedders: EmbedderClient,
): void {
  const gauge = (
    name: string,
    help: string,
    aggregator: 'sum' | 'max',
    read: () => number,
  ): Gauge =>
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  // Every thread holds the same answers, so a sum would count them several times.
  gauge(
    'aisle_search_cache_bytes',
    'Responses cached for cache_results, in bytes',
    'max',
    () => answers.figures().bytes,
  )
  gauge(
    'aisle_search_cache_entries',
    'Responses cached for cache_results',
    'max',
    () => answers.figures().entries,
  )
  gauge('aisle_query_vector_cache_bytes', 'Cached query vectors, in bytes', 'sum', () => {
    return embedders.cacheBytes
  })
  gauge('aisle_ingest_queue_depth', 'Event requests waiting for the log', 'sum', () => {
    return events.waiting().count
  })
  gauge('aisle_ingest_lag_seconds', 'How long the oldest of them has waited', 'max', () => {
    return events.waiting().oldestMs / 1_000
  })
}

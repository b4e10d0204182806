import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SERVING_HANG_MAX_MS } from '@aisle/contract'
import type { IndexHost } from '../adapters/embedded/engine-port.ts'
import { createGeneration } from '../adapters/embedded/generation.ts'
import { createPressure } from '../adapters/embedded/pressure.ts'
import { Publisher } from '../adapters/embedded/publisher.ts'
import { GRACE_MS } from '../adapters/embedded/reaper.ts'
import type { AddIndexJob, IndexDisk } from '../adapters/embedded/index-host.ts'
import { SearchUsageKeeper } from '../adapters/embedded/search-usage-keeper.ts'
import { EmbeddedWriter } from '../adapters/embedded/writer.ts'
import { LmdbAccessStore } from '../adapters/lmdb/access-store.ts'
import { Committer } from '../adapters/lmdb/committer.ts'
import { compactWhenWorthwhile } from '../adapters/lmdb/compaction.ts'
import { openDataFolder } from '../adapters/lmdb/data-folder.ts'
import type { DataFolder } from '../adapters/lmdb/data-folder.ts'
import { LmdbDocumentStore } from '../adapters/lmdb/document-store.ts'
import { openEnvironment } from '../adapters/lmdb/environment.ts'
import type { Environment } from '../adapters/lmdb/environment.ts'
import { checkDocuments } from '../adapters/lmdb/full-check.ts'
import { Settings } from '../adapters/lmdb/settings.ts'
import { SnapshotFolder } from '../adapters/lmdb/snapshot-folder.ts'
import { createAnswerChannel } from '../adapters/shared-memory/answer-cache.ts'
import { createConnectionCounts } from '../adapters/shared-memory/connection-counts.ts'
import { createDiskRoom } from '../adapters/shared-memory/disk-room.ts'
import { createStreamSlots } from '../adapters/shared-memory/stream-slots.ts'
import { createVitals } from '../adapters/shared-memory/vitals.ts'
import { createRateLimitMemory } from '../adapters/shared-memory/rate-limiter.ts'
import { finishWhenReady, StartProgress } from '../adapters/embedded/start-progress.ts'
import type { Config } from '../config.ts'
import { digestOf, newFirstRunSecret } from '../domain/access/store-keys.ts'
import { openAdminToken } from '../services/access/admin-token.ts'
import { openSecrets } from '../adapters/lmdb/secrets-file.ts'
import type { DocumentStore } from '../ports/document-store.ts'
import { AccessControl } from '../services/access/access-control.ts'
import { DiskWatch } from '../adapters/shared-memory/disk-watch.ts'
import { Registry } from '../http/prometheus.ts'
import type { Doorway } from './doorway.ts'
import { EventsHost } from './thread-hosts.ts'
import type { ReplicaThreadHost } from './follow-replica.ts'
import { ActivityBook } from './activity-book.ts'
import { connectReplica } from './thread-hosts.ts'
import { PostponedWork } from './postponed-work.ts'
import {
  collectMetrics,
  completeProcessMetrics,
  registerProcessMetrics,
} from './process-metrics.ts'
import { ReportsHost } from './thread-hosts.ts'
import type { Log } from './logger.ts'
import { livingLogs } from '../services/events/living-logs.ts'
import { servingOptions } from './serving-options.ts'
import { readPages } from './page-folders.ts'
import { ServingPool } from './serving-pool.ts'
import type { ServingWorker } from './serving-worker.ts'
import { StallWatch } from './stall-watch.ts'
import { SuggestionsHost } from './thread-hosts.ts'

type ReplicaSuggestions = SuggestionsHost<ReplicaThreadHost>

export interface ServiceParts {
  readonly version: string
  readonly log: Log
  /** Answers until serving threads do; it is closed then. */
  readonly doorway: Doorway
  /** Serving threads are about to be started. */
  readonly beforeServing: () => void
  readonly createIndexHost: (
    folder: string,
    disk: IndexDisk,
    addJob: AddIndexJob,
  ) => Promise<IndexHost & { close(): Promise<void> }>
  /** Entry file of a serving thread. */
  readonly servingEntry: URL
  /** The first one, when it is loading its code already. */
  readonly firstServing?: ServingWorker
  /** Entry file of the thread that makes suggestions. */
  readonly suggestionsEntry: URL
  /** The writer cannot go on: end the process. */
  readonly onCrash: (error: unknown) => void
}

/**
 * Everything that runs, put together. The thread that starts it (the main thread) is the writer:
 * the only one that changes documents, and never ended while the process lives. The doorway answers
 * first, then serving threads do, while stores are loaded.
 */
export class Service {
  readonly port: number
  readonly writer: EmbeddedWriter
  readonly documents: DocumentStore
  readonly settings: Settings
  /** Made in this start, to be shown once; absent when it was given or made earlier. */
  readonly newAdminToken: string | undefined
  /** Of the link with which the first owner is made; undefined: there are users. */
  readonly firstRunSecret: string | undefined
  /** Resolves when every store is searchable. */
  readonly ready: Promise<void>
  readonly #config: Config
  readonly #pool: ServingPool
  readonly #indexes: IndexHost & { close(): Promise<void> }
  readonly #events: EventsHost
  readonly #access: AccessControl
  readonly #suggestions: ReplicaSuggestions
  readonly #reports: ReportsHost
  readonly #environment: Environment
  readonly #folder: DataFolder
  readonly #reaping: NodeJS.Timeout
  readonly #resting: NodeJS.Timeout
  readonly #sweeping: NodeJS.Timeout
  readonly #expiring: NodeJS.Timeout
  readonly #snapshotting: NodeJS.Timeout
  readonly #usage: SearchUsageKeeper
  readonly #disk: DiskWatch
  readonly #counting: NodeJS.Timeout
  readonly #stalls: StallWatch

  /** Throws DataFolderError or another Error with one clear line. */
  static async start(config: Config, parts: ServiceParts): Promise<Service> {
    const { log, onCrash, doorway } = parts
    const folder = openDataFolder(config.dataDir)
    const diskRoom = createDiskRoom()
    const disk = new DiskWatch({
      folder: config.dataDir,
      reserveBytes: config.diskReserveBytes,
      room: diskRoom,
      log,
    })
    await disk.start()
    const registry = new Registry()
    const postponed = new PostponedWork(registry, log)
    const warnings = [
      ...folder.warnings,
      ...(await checkDocuments(folder.documents, config.check === 'full')),
    ]
    for (const warning of warnings) log('warn', warning)
    await giveBackUnused(folder.documents, disk, postponed, log)
    const environment = openEnvironment(folder.documents, { readOnly: false })
    const committer = new Committer(environment, (message) => log('error', message), parts.onCrash)
    const documents = new LmdbDocumentStore(environment, committer, (catalog, message) =>
      log('error', message, { catalog }),
    )
    const settings = new Settings(environment, committer)
    const admin = await openAdminToken(config.adminToken, settings, (message) =>
      log('warn', message),
    )
    const secrets = await openSecrets(folder.secrets, settings)
    const clock = { now: () => Date.now() }
    const activity = new ActivityBook(clock, () => [
      { name: 'main', performance },
      ...pool.threads,
      ...[events, reports, suggestions].flatMap(({ threads }) => threads),
    ])
    const indexes = await parts.createIndexHost(
      folder.index,
      {
        roomBytes: () => disk.backgroundRoomBytes,
        onPostponed: (detail) => postponed.note('index files', detail),
      },
      (kind, index) => activity.add(kind, writer.storeOfIndex(index)),
    )
    const usage = new SearchUsageKeeper(settings)
    const publisher = new Publisher(createGeneration(), (store) => usage.counterOf(store))
    const writer: EmbeddedWriter = new EmbeddedWriter({
      documents,
      indexes,
      publisher,
      clock,
      progress: new StartProgress(doorway.progress),
      smallStoresBytes: config.smallStoresMegabytes * 1e6,
      log,
      onCrash,
    })
    const snapshots = new SnapshotFolder({
      environment,
      roomBytesIn: (path) => disk.roomBytesIn(path),
      folder: config.snapshotDir ?? folder.snapshots,
      events: folder.events,
      version: parts.version,
      keep: config.snapshotKeep,
      clock,
      log,
      jobs: activity,
    })
    const accessStore = new LmdbAccessStore(environment, committer, (message) =>
      log('error', message),
    )
    const firstRunSecret = accessStore.users().length === 0 ? newFirstRunSecret() : undefined
    const access = new AccessControl({
      store: accessStore,
      firstRunDigest: firstRunSecret === undefined ? undefined : digestOf(firstRunSecret),
      clock,
      publish: (change) => {
        publisher.add({ kind: 'access', change })
        publisher.advance()
      },
      auditDays: config.auditDays,
      adminToken: admin,
      deviceKey: secrets.deviceKey,
    })
    registerProcessMetrics(registry, writer, publisher, disk)
    const stalls = new StallWatch(registry, log)
    const { promise: startAfter, resolve: startOthers } = Promise.withResolvers<void>()
    const events = new EventsHost({
      folder: folder.events,
      living: () => livingLogs(documents),
      log,
      startAfter,
      onReplaced: () => {
        pool.reconnect('useEvents')
        suggestions.reconnectEvents()
        reports.reconnectEvents()
      },
    })
    const suggestions: ReplicaSuggestions = new SuggestionsHost({
      entry: parts.suggestionsEntry,
      thread: { events: folder.events, folder: folder.suggestions, diskRoom },
      connectEvents: () => events.connect(),
      connectCatalog: () => connectReplica(publisher, folder.documents),
      catalog: { openIndex: (storeId) => writer.openIndex(storeId) },
      log,
      startAfter,
      onReplaced: () => pool.reconnect('useSuggestions'),
    })
    const reports: ReportsHost = new ReportsHost({
      thread: {
        events: folder.events,
        folder: folder.reports,
        memoryBytes: config.reportsMemoryMb * 1e6,
        diskRoom,
      },
      connectEvents: () => events.connect(),
      log,
      startAfter,
      onRewritten: (name) => suggestions.rebuild(name),
      onReplaced: () => pool.reconnect('useReports'),
    })
    const pool: ServingPool = new ServingPool({
      threadCount: config.threads,
      publisher,
      writer,
      snapshots,
      access,
      activity,
      log,
      connectEvents: () => events.connect(),
      connectSuggestions: () => suggestions.connect(),
      connectReports: () => reports.connect(),
      entry: parts.servingEntry,
      ...(parts.firstServing === undefined ? {} : { first: parts.firstServing }),
      hangMaxMs: Math.max(SERVING_HANG_MAX_MS, 3 * config.searchTimeoutMaxMs),
      collectMetrics: () => collectMetrics(pool, registry),
      onServing: () => void doorway.close(),
      thread: {
        ...servingOptions(config),
        documents: folder.documents,
        ...readPages(config),
        version: parts.version,
        rateLimits: createRateLimitMemory(randomInt(2 ** 31)),
        answers: { channel: createAnswerChannel(), bytesMax: config.cacheMegabytes * 1_000_000 },
        addressKey: secrets.addressKey,
        generation: publisher.generation,
        progress: doorway.progress,
        pressure: createPressure(config.threads),
        vitals: createVitals(config.threads),
        streamSlots: createStreamSlots(randomInt(2 ** 31)),
        connections: createConnectionCounts(config.threads, randomInt(2 ** 31)),
        diskRoom,
      },
    })
    parts.beforeServing()
    // The writer opens indexes while the first serving thread loads its code.
    const listening = pool.start(doorway.port)
    const ready = writer.open()
    ready.catch(() => undefined)
    // What no search waits for leaves the processors to what is searched with.
    const isSearchable = Promise.all([ready, listening])
    const start = (): void => {
      startOthers()
      completeProcessMetrics(registry)
    }
    void Promise.race([isSearchable, sleep(OTHERS_WAIT_MAX_MS)]).then(start, start)
    finishWhenReady(doorway.progress, { events, suggestions, reports })
    // Threads listen when they know the stores: if these cannot be read, they never will.
    const port = await Promise.race([listening, ready.then(() => listening)])
    return new Service({
      config,
      folder,
      environment,
      documents,
      settings,
      indexes,
      events,
      suggestions,
      reports,
      writer,
      access,
      snapshots,
      usage,
      disk,
      pool,
      port,
      ready,
      stalls,
      newAdminToken: admin.newToken,
      firstRunSecret,
    })
  }

  private constructor(started: {
    config: Config
    folder: DataFolder
    environment: Environment
    documents: DocumentStore
    settings: Settings
    indexes: IndexHost & { close(): Promise<void> }
    events: EventsHost
    suggestions: ReplicaSuggestions
    reports: ReportsHost
    writer: EmbeddedWriter
    access: AccessControl
    snapshots: SnapshotFolder
    usage: SearchUsageKeeper
    disk: DiskWatch
    pool: ServingPool
    port: number
    ready: Promise<void>
    stalls: StallWatch
    newAdminToken: string | undefined
    firstRunSecret: string | undefined
  }) {
    this.port = started.port
    this.writer = started.writer
    this.documents = started.documents
    this.settings = started.settings
    this.newAdminToken = started.newAdminToken
    this.firstRunSecret = started.firstRunSecret
    this.ready = started.ready
    this.#stalls = started.stalls
    this.#config = started.config
    this.#pool = started.pool
    this.#indexes = started.indexes
    this.#events = started.events
    this.#access = started.access
    this.#suggestions = started.suggestions
    this.#reports = started.reports
    this.#environment = started.environment
    this.#folder = started.folder
    this.#reaping = setInterval(() => {
      // Refused while the disk refuses writes: the next pass tries again.
      this.writer.reap().catch(() => undefined)
    }, GRACE_MS)
    this.#reaping.unref()
    this.#resting = setInterval(() => {
      this.writer.rest().catch((error: unknown) => {
        process.emitWarning(error instanceof Error ? error : String(error))
      })
    }, RESTING_MS)
    this.#resting.unref()
    this.#events.sweep(livingLogs(this.documents))
    this.#sweeping = setInterval(() => this.#sweepEvents(), EVENTS_SWEEP_MS)
    this.#sweeping.unref()
    this.#expiring = setInterval(() => this.#sweepAccess(), ACCESS_SWEEP_MS)
    this.#expiring.unref()
    this.#sweepAccess()
    const { snapshotEveryHours } = started.config
    this.#snapshotting = setInterval(() => {
      // What went wrong is in the log; the next minute tries again.
      if (snapshotEveryHours > 0) {
        started.snapshots.createWhenDue(snapshotEveryHours).catch(() => undefined)
      }
    }, SNAPSHOT_CHECK_MS)
    this.#snapshotting.unref()
    this.#usage = started.usage
    this.#disk = started.disk
    this.#counting = setInterval(() => {
      // Refused while the disk refuses writes: the next time has it all.
      this.#saveUsage().catch(() => undefined)
    }, USAGE_SAVE_MS)
    this.#counting.unref()
  }

  /** Finishes what is in flight, up to the drain deadline, and closes the files. */
  async stop(): Promise<void> {
    clearInterval(this.#reaping)
    clearInterval(this.#resting)
    clearInterval(this.#sweeping)
    clearInterval(this.#expiring)
    clearInterval(this.#snapshotting)
    clearInterval(this.#counting)
    this.#disk.stop()
    this.#stalls.stop()
    await this.#pool.stop(this.#config.drainSeconds * 1_000)
    await Promise.all([this.#suggestions.close(), this.#reports.close()])
    await this.#events.close()
    await this.#saveUsage().catch(() => undefined)
    await this.writer.close()
    await this.#access.close()
    await this.#indexes.close()
    await this.#environment.root.close()
    this.#folder.release()
  }

  /** Sessions that have run out go, and old entries of the audit log. */
  #sweepAccess(): void {
    // Refused while the disk refuses writes: the next pass tries again.
    this.#access.sweep().catch(() => undefined)
  }

  #saveUsage(): Promise<void> {
    return this.#usage.save((storeId) => this.writer.has(storeId))
  }

  /**
   * Event logs and reports of deleted stores go; those of resting stores give their memory back.
   */
  #sweepEvents(): void {
    const living = livingLogs(this.documents)
    this.#events.sweep(living)
    this.#reports.sweep(living)
  }
}

/** Stores that have to be made searchable anew must not keep events waiting. */
const OTHERS_WAIT_MAX_MS = 2_000
const EVENTS_SWEEP_MS = 30_000
const RESTING_MS = 5_000
const ACCESS_SWEEP_MS = 600_000
/** A crash forgets the searches of this time at most. */
const USAGE_SAVE_MS = 2_000
const SNAPSHOT_CHECK_MS = 60_000

/** Without it the service runs as well, on a larger disk. */
async function giveBackUnused(
  folder: string,
  disk: DiskWatch,
  postponed: PostponedWork,
  log: Log,
): Promise<void> {
  try {
    const outcome = await compactWhenWorthwhile(folder, disk.backgroundRoomBytes)
    if (outcome?.kind === 'compacted') log('info', 'The document file was compacted', outcome.use)
    if (outcome?.kind === 'no room') postponed.note('compaction', outcome.use)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log('warn', 'The document file could not be compacted and is used as it is', { error: reason })
  }
}

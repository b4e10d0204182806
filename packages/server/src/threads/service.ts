import { setTimeout as sleep } from 'node:timers/promises'
import { SERVING_HANG_MAX_MS } from '@aisle/contract'
import type { IndexHost } from '../adapters/embedded/engine-port.ts'
import { createGeneration } from '../adapters/embedded/generation.ts'
import type { AddIndexJob, IndexDisk } from '../adapters/embedded/index-host.ts'
import { createPressure } from '../adapters/embedded/pressure.ts'
import { Publisher } from '../adapters/embedded/publisher.ts'
import { GRACE_MS } from '../adapters/embedded/reaper.ts'
import { SearchUsageKeeper } from '../adapters/embedded/search-usage-keeper.ts'
import { finishWhenReady, StartProgress } from '../adapters/embedded/start-progress.ts'
import { EmbeddedWriter } from '../adapters/embedded/writer.ts'
import { LmdbAccessStore } from '../adapters/lmdb/access-store.ts'
import { Committer } from '../adapters/lmdb/committer.ts'
import { openDataFolder, type DataFolder } from '../adapters/lmdb/data-folder.ts'
import { LmdbDocumentStore } from '../adapters/lmdb/document-store.ts'
import { LmdbEditJournal } from '../adapters/lmdb/edit-journal.ts'
import { openEnvironment, type Environment } from '../adapters/lmdb/environment.ts'
import { checkDocuments } from '../adapters/lmdb/full-check.ts'
import { openSecrets } from '../adapters/lmdb/secrets-file.ts'
import { Settings } from '../adapters/lmdb/settings.ts'
import { SnapshotFolder } from '../adapters/lmdb/snapshot-folder.ts'
import { createAnswerChannel } from '../adapters/shared-memory/answer-cache.ts'
import { createDiskRoom, type DiskRoomMemory } from '../adapters/shared-memory/disk-room.ts'
import { DiskWatch } from '../adapters/shared-memory/disk-watch.ts'
import { createVitals } from '../adapters/shared-memory/vitals.ts'
import type { Config } from '../config.ts'
import { digestOf, newFirstRunSecret } from '../domain/access/store-keys.ts'
import { Registry } from '../http/prometheus.ts'
import type { Clock } from '../ports/host/clock.ts'
import type { DocumentStore } from '../ports/catalog/document-store.ts'
import { infoOf } from '../ports/search/embedder-config.ts'
import { AccessControl } from '../services/access/access-control.ts'
import { openAdminToken } from '../services/access/admin-token.ts'
import { logLimits } from '../services/events/log-limits.ts'
import { ActivityBook } from './activity-book.ts'
import type { Doorway } from './doorway.ts'
import type { ReplicaThreadHost } from './follow-replica.ts'
import { checkEmbedders } from './check-embedders.ts'
import { giveBackUnused } from './give-back-unused.ts'
import type { Log } from './logger.ts'
import { readPages } from './page-folders.ts'
import { createSharedLimits } from './shared-limits.ts'
import { startParts, type PartTable } from './parts.ts'
import { PostponedWork } from './postponed-work.ts'
import {
  collectMetrics,
  completeProcessMetrics,
  registerProcessMetrics,
} from './process-metrics.ts'
import { servingOptions } from './serving-options.ts'
import { ServingPool } from './serving-pool.ts'
import type { ServingWorker } from './serving-worker.ts'
import { StallWatch } from './stall-watch.ts'
import {
  connectReplica,
  EmbeddingHost,
  EventsHost,
  ReportsHost,
  SuggestionsHost,
} from './hosted-threads.ts'

export interface ServiceOptions {
  readonly version: string
  readonly log: Log
  /** Responds until serving threads do; it is closed then. */
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
  /** The first serving thread, if it is already loading its code. */
  readonly firstServing?: ServingWorker
  /** Entry file of the thread that builds suggestions. */
  readonly suggestionsEntry: URL
  /** Called when the writer cannot continue: end the process. */
  readonly onCrash: (error: unknown) => void
}

/** The parts that run in the main thread, or are started by it. */
interface Parts {
  readonly config: Config
  readonly options: ServiceOptions
  readonly clock: Clock
  /** Resolves when searches are answered: background work leaves them the processors. */
  readonly startAfter: Promise<void>
  readonly folder: DataFolder
  readonly diskRoom: DiskRoomMemory
  readonly disk: DiskWatch
  readonly metrics: Registry
  readonly postponed: PostponedWork
  readonly environment: Environment
  readonly committer: Committer
  readonly documents: DocumentStore
  readonly edits: LmdbEditJournal
  readonly settings: Settings
  readonly admin: Awaited<ReturnType<typeof openAdminToken>>
  readonly secrets: Awaited<ReturnType<typeof openSecrets>>
  readonly activity: ActivityBook
  readonly indexes: Awaited<ReturnType<ServiceOptions['createIndexHost']>>
  readonly publisher: Publisher
  readonly accessStore: LmdbAccessStore
  readonly firstRunSecret: string | undefined
  readonly access: AccessControl
  readonly writer: EmbeddedWriter
  readonly usage: SearchUsageKeeper
  readonly snapshots: SnapshotFolder
  readonly events: EventsHost
  readonly followers: Followers
  readonly embedders: EmbeddingHost
  readonly pool: ServingPool
  readonly stalls: StallWatch
}

/** Threads that follow the event logs. */
interface Followers {
  readonly suggestions: SuggestionsHost<ReplicaThreadHost>
  readonly reports: ReportsHost
}

/** Parts start from the top, each from those that it names, and stop from the bottom. */
const PARTS: PartTable<Parts, 'config' | 'options' | 'clock' | 'startAfter'> = {
  folder: {
    start: ({ config }) => openDataFolder(config.dataDir),
    stop: (folder) => folder.release(),
  },
  diskRoom: { start: createDiskRoom },
  disk: {
    async start({ config, options: { log }, diskRoom: room }) {
      const { dataDir: folder, diskReserveBytes: reserveBytes } = config
      const disk = new DiskWatch({ folder, reserveBytes, room, log })
      await disk.start()
      return disk
    },
    stop: (disk) => disk.stop(),
  },
  metrics: { start: () => new Registry() },
  postponed: { start: ({ metrics, options }) => new PostponedWork(metrics, options.log) },
  environment: {
    async start({ config, options: { log }, folder, disk, postponed }) {
      const faults = await checkDocuments(folder.documents, config.check === 'full')
      for (const warning of [...folder.warnings, ...faults]) log('warn', warning)
      await giveBackUnused(folder.documents, disk, postponed, log)
      return openEnvironment(folder.documents, { readOnly: false })
    },
    stop: (environment) => environment.root.close(),
  },
  committer: {
    start: ({ environment, options: { log, onCrash } }) =>
      new Committer(environment, (message) => log('error', message), onCrash),
  },
  documents: {
    start: ({ environment, committer, options: { log } }) =>
      new LmdbDocumentStore(environment, committer, (catalog, message) =>
        log('error', message, { catalog }),
      ),
  },
  edits: {
    start: ({ environment, committer, options: { log } }) =>
      new LmdbEditJournal(environment, committer, (message) => log('error', message)),
  },
  settings: { start: ({ environment, committer }) => new Settings(environment, committer) },
  admin: {
    start: ({ config, settings, options: { log } }) =>
      openAdminToken(config.adminToken, settings, (message) => log('warn', message)),
  },
  secrets: { start: ({ folder, settings }) => openSecrets(folder.secrets, settings) },
  activity: {
    start: (parts) =>
      new ActivityBook(parts.clock, () => {
        const { events, followers, embedders, pool } = parts
        const hosts = [pool, events, followers.reports, followers.suggestions, embedders]
        return [{ name: 'main', performance }, ...hosts.flatMap(({ threads }) => threads)]
      }),
  },
  indexes: {
    start(parts) {
      const { options, folder, disk, postponed, activity } = parts
      const space: IndexDisk = {
        roomBytes: () => disk.backgroundRoomBytes,
        onPostponed: (detail) => postponed.note('index files', detail),
      }
      return options.createIndexHost(folder.index, space, (kind, index) =>
        activity.add(kind, parts.writer.storeOfIndex(index)),
      )
    },
    stop: (indexes) => indexes.close(),
  },
  publisher: {
    start: (parts) => new Publisher(createGeneration(), (store) => parts.usage.counterOf(store)),
  },
  accessStore: {
    start: ({ environment, committer, options: { log } }) =>
      new LmdbAccessStore(environment, committer, (message) => log('error', message)),
  },
  firstRunSecret: {
    start: ({ accessStore }) =>
      accessStore.users().length === 0 ? newFirstRunSecret() : undefined,
  },
  access: {
    start: ({ accessStore, firstRunSecret, clock, publisher, config, admin, secrets }) =>
      new AccessControl({
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
      }),
    stop: (access) => access.close(),
  },
  embedders: {
    start: (parts) =>
      new EmbeddingHost({
        embedders: checkEmbedders(parts.config, parts.options.log),
        log: parts.options.log,
        startAfter: parts.startAfter,
        onReplaced: () => parts.pool.reconnect('useEmbedders'),
      }),
    stop: (embedders) => embedders.close(),
  },
  writer: {
    start: ({ documents, indexes, publisher, clock, config, options, embedders }) =>
      new EmbeddedWriter({
        documents,
        embedders: embedders.client,
        indexes,
        publisher,
        clock,
        progress: new StartProgress(options.doorway.progress),
        smallStoresBytes: config.smallStoresMegabytes * 1e6,
        log: options.log,
        onCrash: options.onCrash,
      }),
    stop: (writer) => writer.close(),
  },
  usage: {
    start: ({ settings }) => new SearchUsageKeeper(settings),
    stop: (_, parts) => saveUsage(parts).catch(() => undefined),
  },
  snapshots: {
    start: ({ environment, disk, config, folder, options, clock, activity }) =>
      new SnapshotFolder({
        environment,
        roomBytesIn: (path) => disk.roomBytesIn(path),
        folder: config.snapshotDir ?? folder.snapshots,
        events: folder.events,
        version: options.version,
        keep: config.snapshotKeep,
        clock,
        log: options.log,
        jobs: activity,
      }),
  },
  events: {
    start: (parts) =>
      new EventsHost({
        folder: parts.folder.events,
        living: () => logLimits(parts.documents),
        log: parts.options.log,
        startAfter: parts.startAfter,
        onReplaced: () => {
          parts.pool.reconnect('useEvents')
          parts.followers.suggestions.reconnectEvents()
          parts.followers.reports.reconnectEvents()
        },
      }),
    stop: (events) => events.close(),
  },
  followers: {
    start: startFollowers,
    stop: ({ suggestions, reports }) => Promise.all([suggestions.close(), reports.close()]),
  },
  pool: {
    start: createPool,
    stop: (pool, { config }) => pool.stop(config.drainSeconds * 1_000),
  },
  stalls: {
    start: ({ metrics, options }) => new StallWatch(metrics, options.log),
    stop: (stalls) => stalls.stop(),
  },
}

function startFollowers(parts: Parts): Followers {
  const { config, options, folder, diskRoom, events, startAfter } = parts
  const shared = { log: options.log, startAfter, connectEvents: () => events.connect() }
  const thread = { events: folder.events, diskRoom }
  const suggestions = new SuggestionsHost<ReplicaThreadHost>({
    ...shared,
    entry: options.suggestionsEntry,
    thread: { ...thread, folder: folder.suggestions },
    connectCatalog: () => connectReplica(parts.publisher, folder.documents),
    catalog: { openIndex: (storeId) => parts.writer.openIndex(storeId) },
    jobs: parts.activity,
    onReplaced: () => parts.pool.reconnect('useSuggestions'),
  })
  const memoryBytes = config.reportsMemoryMb * 1e6
  const reports = new ReportsHost({
    ...shared,
    thread: { ...thread, folder: folder.reports, memoryBytes },
    onRewritten: (name) => suggestions.rebuild(name),
    onReplaced: () => parts.pool.reconnect('useReports'),
  })
  return { suggestions, reports }
}

function createPool(parts: Parts): ServingPool {
  const { config, folder, publisher, writer } = parts
  const { version, log, doorway, servingEntry: entry, firstServing: first } = parts.options
  return new ServingPool({
    threadCount: config.threads,
    publisher,
    writer,
    edits: parts.edits,
    snapshots: parts.snapshots,
    access: parts.access,
    activity: parts.activity,
    log,
    connectEvents: () => parts.events.connect(),
    connectSuggestions: () => parts.followers.suggestions.connect(),
    connectReports: () => parts.followers.reports.connect(),
    connectEmbedders: () => parts.embedders.connectIfNeeded(),
    entry,
    ...(first && { first }),
    hangMaxMs: Math.max(SERVING_HANG_MAX_MS, 3 * config.searchTimeoutMaxMs),
    collectMetrics: () => collectMetrics(parts.pool, parts.metrics),
    onServing: () => void doorway.close(),
    thread: {
      ...servingOptions(config),
      embedders: config.embedders.map(infoOf),
      documents: folder.documents,
      ...readPages(config),
      version,
      answers: { channel: createAnswerChannel(), bytesMax: config.cacheMegabytes * 1_000_000 },
      addressKey: parts.secrets.addressKey,
      generation: publisher.generation,
      progress: doorway.progress,
      pressure: createPressure(config.threads),
      vitals: createVitals(config.threads),
      ...createSharedLimits(config.threads),
      diskRoom: parts.diskRoom,
    },
  })
}

/** Periodic work. If a full disk refuses some of it, the next run does it. */
const CHORES: readonly {
  readonly everyMs: number
  readonly run: (parts: Parts) => Promise<unknown> | undefined
}[] = [
  { everyMs: GRACE_MS, run: ({ writer }) => writer.reap() },
  {
    everyMs: 5_000,
    run: ({ writer }) =>
      writer.rest().catch((error: unknown) => {
        process.emitWarning(error instanceof Error ? error : String(error))
      }),
  },
  // Logs and reports of deleted stores are removed, those of resting stores free their memory.
  {
    everyMs: 30_000,
    run({ documents, events, followers }) {
      const living = logLimits(documents)
      events.sweep(living)
      followers.reports.sweep(living)
      return undefined
    },
  },
  // Expired sessions, and old entries of the audit log.
  { everyMs: 600_000, run: ({ access }) => access.sweep() },
  {
    everyMs: 60_000,
    // The error is in the log.
    run: ({ snapshots, config: { snapshotEveryHours: hours } }) =>
      hours > 0 ? snapshots.createWhenDue(hours) : undefined,
  },
  // A crash loses the counts of this interval at most.
  { everyMs: 2_000, run: saveUsage },
]

function saveUsage({ usage, writer }: Pick<Parts, 'usage' | 'writer'>): Promise<void> {
  return usage.save((storeId) => writer.has(storeId))
}

/** The running service. */
export interface Service {
  readonly port: number
  readonly writer: EmbeddedWriter
  readonly documents: DocumentStore
  readonly settings: Settings
  /** Generated in this start, to be shown once; absent if configured or generated earlier. */
  readonly newAdminToken: string | undefined
  /** Secret of the link that creates the first owner; undefined if there are users. */
  readonly firstRunSecret: string | undefined
  /** Resolves when every store is searchable. */
  readonly ready: Promise<void>
  /** Finishes what is in flight, up to the drain deadline, and closes the files. */
  stop(): Promise<void>
}

/**
 * Starts the service. The calling thread becomes the writer: the only one that changes documents,
 * which runs as long as the process. The doorway responds first, then serving threads do, while
 * stores are loaded.
 *
 * @throws DataFolderError or another Error with a one-line message
 */
export async function openService(config: Config, options: ServiceOptions): Promise<Service> {
  const { promise: startAfter, resolve: startOthers } = Promise.withResolvers<void>()
  const given = { config, options, clock: { now: () => Date.now() }, startAfter }
  const { parts, stack } = await startParts(given, PARTS)
  const { writer, pool, metrics, access, events, followers } = parts
  const { doorway } = options
  registerProcessMetrics(metrics, parts)
  options.beforeServing()
  // The writer opens indexes while the first serving thread loads its code.
  const listening = pool.start(doorway.port)
  const ready = writer.open()
  ready.catch(() => undefined)
  const start = (): void => {
    startOthers()
    completeProcessMetrics(metrics)
  }
  const isSearchable = Promise.all([ready, listening])
  void Promise.race([isSearchable, sleep(OTHERS_WAIT_MAX_MS)]).then(start, start)
  finishWhenReady(doorway.progress, { events, ...followers })
  // Threads listen once they know the stores; if the stores cannot be read, they never will.
  const port = await Promise.race([listening, ready.then(() => listening)])
  for (const { everyMs, run } of CHORES) {
    const chore = setInterval(() => void run(parts)?.catch(() => undefined), everyMs).unref()
    stack.defer(() => clearInterval(chore))
  }
  void access.sweep().catch(() => undefined)
  const { documents, settings, firstRunSecret } = parts
  const { newToken: newAdminToken } = parts.admin
  const stop = () => stack.disposeAsync()
  return { port, writer, documents, settings, newAdminToken, firstRunSecret, ready, stop }
}

/** Loading stores must not keep events waiting. */
const OTHERS_WAIT_MAX_MS = 2_000

import { randomInt, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { ClusterConnection, ClusterError, ControlIndex } from '@aisle/opensearch'
import { absentPort } from '../adapters/opensearch/absent-ports.ts'
import { OpenSearchAccessStore } from '../adapters/opensearch/access-store.ts'
import { CLUSTER_FORMAT } from '../adapters/opensearch/cluster-format.ts'
import { ClusterDocuments } from '../adapters/opensearch/cluster-documents.ts'
import { DocumentKeeper } from '../adapters/opensearch/document-keeper.ts'
import { ClusterSettings } from '../adapters/opensearch/cluster-settings.ts'
import { ClusterStores } from '../adapters/opensearch/cluster-stores.ts'
import { ClusterUsage } from '../adapters/opensearch/cluster-usage.ts'
import { clusterWriter } from '../adapters/opensearch/cluster-writer.ts'
import { Leases } from '../adapters/opensearch/leases.ts'
import { LiveNodes } from '../adapters/opensearch/live-nodes.ts'
import { ClusterSearchBackend } from '../adapters/opensearch/search/cluster-search-backend.ts'
import { openBuiltPages, readBuiltPages } from '../adapters/pages/built-pages.ts'
import { createAnswerChannel, SharedAnswerCache } from '../adapters/shared-memory/answer-cache.ts'
import {
  createConnectionCounts,
  SharedConnectionCounts,
} from '../adapters/shared-memory/connection-counts.ts'
import { createRateLimitMemory, SharedRateLimiter } from '../adapters/shared-memory/rate-limiter.ts'
import { createStreamSlots, SharedStreamSlots } from '../adapters/shared-memory/stream-slots.ts'
import { createTracer } from '../adapters/opentelemetry/tracer.ts'
import { buildApp } from '../app.ts'
import type { ClusterConfig } from '../config-cluster.ts'
import type { Config } from '../config.ts'
import { AccessTable } from '../domain/access/access-table.ts'
import { digestOf } from '../domain/access/store-keys.ts'
import { AccessControl } from '../services/access/access-control.ts'
import { ADMIN_DIGEST, openAdminToken } from '../services/access/admin-token.ts'
import { ActivityBook } from './activity-book.ts'
import { ClusterEvents } from './cluster-events.ts'

/** Where packages/dashboard/build puts it, in a checkout and in an image alike. */
const DASHBOARD = new URL('../../../dashboard/dist/', import.meta.url)
const ANSWERS_SWEEP_MS = 10_000
const ACCESS_SWEEP_MS = 600_000
const ACCESS_SWEEP_JOB = 'sweep of the audit log'
const IDLE_SWEEP_MS = 50

interface Parts {
  readonly app: FastifyInstance
  readonly port: number
  readonly newAdminToken: string | undefined
  readonly firstRunSecret: string | undefined
  /** In this order, at the end. */
  readonly closing: readonly (() => unknown)[]
}

/**
 * An API node of a cluster, put together: the same application as that of one process, over ports
 * whose data is in OpenSearch. It has no data folder; any number of nodes do the same.
 */
export class ClusterService {
  readonly port: number
  /** Made by this node in this start, to be shown once. */
  readonly newAdminToken: string | undefined
  /** Of the link with which the first owner is made; undefined: there are users. */
  readonly firstRunSecret: string | undefined
  readonly #parts: Parts

  private constructor(parts: Parts) {
    this.#parts = parts
    this.port = parts.port
    this.newAdminToken = parts.newAdminToken
    this.firstRunSecret = parts.firstRunSecret
  }

  /** Throws ClusterError or another Error with one clear line. */
  static async start(
    config: Config,
    address: ClusterConfig,
    { version, logger }: { readonly version: string; readonly logger: Logger },
  ): Promise<ClusterService> {
    const cluster = new ClusterConnection(address)
    const engine = await cluster.check().catch((error: unknown) => {
      // Nothing is left of it when it cannot be used.
      void cluster.close()
      throw unfit(error, address)
    })
    const index = await ControlIndex.open(cluster, `${address.prefix}-control-v1`)
    const clock = { now: () => Date.now() }
    const nodeId = randomUUID()
    const nowMs = (): number => performance.now()
    const onFailure = (error: unknown): void =>
      logger.warn({ reason: messageOf(error) }, 'The cluster did not answer; it is asked again')

    const settings = await ClusterSettings.open(index, onFailure)
    await refuseNewerFormat(settings)
    const admin = await openAdminToken(config.adminToken, settings, (text) => logger.warn(text))
    const [deviceKey, addressKey] = [
      await settings.key('deviceKey'),
      await settings.key('addressKey'),
    ]
    const accessStore = await OpenSearchAccessStore.open(index, onFailure)
    const isFirstRun = accessStore.users().length === 0
    const firstRunSecret = isFirstRun ? await settings.firstRunSecret() : undefined
    if (!isFirstRun) await settings.endFirstRun()
    const directory = new AccessTable()
    const access = new AccessControl({
      store: accessStore,
      firstRunDigest: firstRunSecret === undefined ? undefined : digestOf(firstRunSecret),
      claimFirstOwner: (login) => settings.claimFirstOwner(login),
      clock,
      publish: (change) => directory.apply(change),
      auditDays: config.auditDays,
      adminToken: admin,
      deviceKey,
    })
    settings.onChange(() => {
      const digest = settings.get(ADMIN_DIGEST)
      // Another node has made a new admin token.
      if (config.adminToken === undefined && typeof digest === 'string') {
        directory.apply({ adminTokenDigest: digest })
      }
    })
    const stores = await ClusterStores.open(index, clock, onFailure)
    const documents = await ClusterDocuments.open({
      cluster,
      index,
      stores,
      clock,
      prefix: address.prefix,
      onFailure,
    })
    const clusterEvents = await ClusterEvents.open({
      cluster,
      control: index,
      stores,
      prefix: address.prefix,
      reportsMemoryBytes: config.reportsMemoryMb * 1e6,
      log: (level, message, detail) => logger[level](detail ?? {}, message),
    })
    const usage = await ClusterUsage.open(index, {
      nodeId,
      storeOf: (storeId) => stores.find(storeId),
      onFailure,
    })
    const nodes = await LiveNodes.open(index, { nodeId, version, nowMs, onFailure })
    const leases = new Leases(index, { nodeId, nowMs })
    const keeper = new DocumentKeeper({ documents, cluster, leases, clock, onFailure })
    keeper.start()
    const answers = new SharedAnswerCache(
      createAnswerChannel(),
      config.cacheMegabytes * 1_000_000,
      () => undefined,
    )
    const sweepAnswers = setInterval(() => answers.sweep(Date.now()), ANSWERS_SWEEP_MS).unref()
    const sweepAccess = setInterval(() => {
      // What fails is tried again at the next one.
      void sweep(leases, access).catch(() => undefined)
    }, ACCESS_SWEEP_MS).unref()
    const tracer =
      config.tracing === undefined
        ? undefined
        : await createTracer(config.tracing, version, (reason) =>
            logger.warn({ reason }, 'Spans cannot be sent'),
          )
    const app = buildApp({
      registry: {
        find: (storeId) => stores.find(storeId),
        list: () => stores.list(),
        statistics: (storeId) => documents.statistics(storeId),
      },
      resources: stores,
      reader: documents,
      writer: clusterWriter(stores, documents),
      backend: new ClusterSearchBackend(cluster, documents, stores),
      events: clusterEvents.events,
      reports: clusterEvents.reports,
      suggestions: { of: async () => undefined, popularity: () => undefined },
      snapshots: absentPort('Snapshots are not made'),
      access,
      directory,
      audit: accessStore,
      activity: new ActivityBook(clock, () => [{ name: 'main', performance }]),
      clock,
      answers,
      usage,
      tracer,
      pages: openBuiltPages(readBuiltPages(fileURLToPath(DASHBOARD))),
      rateLimiter:
        config.rateLimit > 0
          ? new SharedRateLimiter(
              createRateLimitMemory(randomInt(2 ** 31)),
              // A proxy spreads the requests of a client over all nodes.
              () => config.rateLimit / nodes.list().length,
              monotonicMicros,
            )
          : undefined,
      connections: {
        counts: new SharedConnectionCounts(createConnectionCounts(1, randomInt(2 ** 31)), 0),
        perNetworkMax: config.connectionsPerAddress,
      },
      slots: new SharedStreamSlots(createStreamSlots(randomInt(2 ** 31)), 0),
      addressKey,
      version,
      health: () =>
        nodes.isHeard()
          ? { ok: true, starting: [] }
          : { ok: false, starting: ['the cluster behind the service does not answer'] },
      options: {
        trustProxy: config.trustProxy,
        ingestAliases: config.ingestAliases,
        mcp: config.mcp,
        metricsStores: config.metricsStores,
        imageHosts: config.imageHosts,
        searchTimeoutMaxMs: config.searchTimeoutMaxMs,
        logger,
      },
    })
    await app.listen({ host: config.host, port: config.port })
    logger.info({ engine, nodes: nodes.list().length }, 'The cluster is in use')
    const listening = app.server.address()
    return new ClusterService({
      app,
      port: typeof listening === 'object' ? (listening?.port ?? 0) : 0,
      newAdminToken: admin.newToken,
      firstRunSecret,
      closing: [
        () => clearInterval(sweepAnswers),
        () => clearInterval(sweepAccess),
        () => answers.close(),
        () => access.close(),
        () => usage.close(),
        () => nodes.close(),
        () => clusterEvents.close(),
        () => keeper.close(),
        () => documents.close(),
        () => stores.close(),
        () => accessStore.close(),
        () => settings.close(),
        () => tracer?.close(),
        () => cluster.close(),
      ],
    })
  }

  /** Finishes what is in flight, then lets the other nodes know. */
  async stop(): Promise<void> {
    const { app, closing } = this.#parts
    // A connection that was busy when closing began would stay open, idle, until its client let go.
    const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS)
    await app.close()
    clearInterval(idle)
    // One that fails, because the cluster is away, must not keep the others from being closed.
    for (const close of closing) await Promise.resolve(close()).catch(() => undefined)
  }
}

/** The reason for not starting, in one line. */
function unfit(error: unknown, { urls }: ClusterConfig): unknown {
  if (!(error instanceof ClusterError) || error.kind !== 'unreachable') return error
  return new Error(`Cannot reach the cluster at ${urls.join(', ')}: ${error.message}`)
}

/** @throws Error when a newer version has written what this one does not know */
async function refuseNewerFormat(settings: ClusterSettings): Promise<void> {
  const format = Number(await settings.setFirst('format', CLUSTER_FORMAT))
  if (format <= CLUSTER_FORMAT) return
  throw new Error(
    `Cannot use this cluster: its control documents have format ${format}, and this version knows formats up to ${CLUSTER_FORMAT}`,
  )
}

/** One node at a time removes what is over. */
async function sweep(leases: Leases, access: AccessControl): Promise<void> {
  const lease = await leases.take(ACCESS_SWEEP_JOB, ACCESS_SWEEP_MS)
  if (lease === undefined) return
  try {
    await access.sweep()
  } finally {
    await lease.end()
  }
}

/** The same clock for the whole process; it is never set back. */
function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

import { randomInt, randomUUID } from 'node:crypto'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { ClusterError } from '../opensearch/cluster-error.ts'
import { ControlIndex } from '../opensearch/control-index.ts'
import { SnapshotRepository } from '../opensearch/snapshot-repository.ts'
import { OpenSearchAccessStore } from '../access/access-store.ts'
import { CLUSTER_FORMAT, ClusterFormat } from '../control/cluster-format.ts'
import { ClusterDocuments } from '../documents/cluster-documents.ts'
import { DocumentKeeper } from '../documents/document-keeper.ts'
import { ClusterSettings } from '../control/cluster-settings.ts'
import { ClusterSnapshots } from '../stores/cluster-snapshots.ts'
import { ClusterStores } from '../stores/cluster-stores.ts'
import { ClusterUsage } from '../stores/cluster-usage.ts'
import { clusterWriter } from '../documents/cluster-writer.ts'
import { FollowedCluster } from '../documents/followed-cluster.ts'
import { refuseUnfinishedImport } from '../transfer/import-progress.ts'
import { Leases } from '../control/leases.ts'
import { LiveNodes } from '../control/live-nodes.ts'
import { ClusterSearchBackend } from '../search/cluster-search-backend.ts'
import {
  ADMIN_DIGEST,
  AccessControl,
  ActivityBook,
  SharedAnswerCache,
  SharedConnectionCounts,
  SharedRateLimiter,
  SharedStreamSlots,
  brandNames,
  createAnswerChannel,
  createConnectionCounts,
  createRateLimitMemory,
  createStreamSlots,
  openAdminToken,
  openBuiltPages,
  openDocumentation,
  openPageRenderer,
  readPages,
  spellQueries,
} from '@aisle/server/parts'
import type { ClusterConfig } from '@aisle/server'
import type { AppDependencies, Config, Log } from '@aisle/server/parts'
import { AccessTable, digestOf } from '@aisle/server/domain'
import type { PasswordCost } from '@aisle/server/domain'
import type { Clock } from '@aisle/server/ports'
import { ClusterEvents } from './cluster-events.ts'

/** Where packages/dashboard/build puts it, in a checkout and in an image alike. */
const ANSWERS_SWEEP_MS = 10_000
const ACCESS_SWEEP_MS = 600_000
const ACCESS_SWEEP_JOB = 'sweep of the audit log'

export interface ApiNodeOptions {
  readonly version: string
  readonly log: Log
  readonly clock: Clock
  /** Newer nodes have taken over the cluster: this one must end. */
  readonly onUnfit: (reason: Error) => void
  /** Tests use a cheap one. */
  readonly passwordCost?: PasswordCost
  /** Of control documents; tests are nodes of another version. */
  readonly format?: number
}

/** What an API node has open: the ports of the application, over a cluster. */
export interface ApiNode {
  readonly ports: Omit<AppDependencies, 'options'>
  /** Name and version of the cluster's software. */
  readonly engine: Awaited<ReturnType<ClusterConnection['check']>>
  readonly access: AccessControl
  readonly directory: AccessTable
  readonly clusterEvents: ClusterEvents
  /** Made by this node in this start, to be shown once. */
  readonly newAdminToken: string | undefined
  /** Of the link with which the first owner is made; undefined: there are users. */
  readonly firstRunSecret: string | undefined
  /** Nodes that live, this one too. */
  nodeCount(): number
  /** After the application is closed. */
  close(): Promise<void>
}

/** Opens the ports of an API node. @throws ClusterError or another Error with one clear line */
export async function openApiNode(
  config: Config,
  address: ClusterConfig,
  { version, log, clock, onUnfit, passwordCost, format = CLUSTER_FORMAT }: ApiNodeOptions,
): Promise<ApiNode> {
  const cluster = new ClusterConnection(address)
  const engine = await cluster.check().catch((error: unknown) => {
    // Nothing is left of it when it cannot be used.
    void cluster.close()
    throw unfit(error, address)
  })
  const index = await ControlIndex.open(cluster, `${address.prefix}-control-v1`)
  await refuseUnfinishedImport(index)
  const nodeId = randomUUID()
  const nowMs = (): number => performance.now()
  const onFailure = (error: unknown): void =>
    log('warn', 'The cluster did not answer; it is asked again', { reason: messageOf(error) })

  const settings = await ClusterSettings.open(index, onFailure)
  const known = await ClusterFormat.open(settings, format)
  const admin = await openAdminToken(config.adminToken, settings, (text) => log('warn', text))
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
    ...(passwordCost === undefined ? {} : { passwordCost }),
  })
  let isClosing = false
  settings.onChange(() => {
    const digest = settings.get(ADMIN_DIGEST)
    // Another node has made a new admin token.
    if (config.adminToken === undefined && typeof digest === 'string') {
      directory.apply({ adminTokenDigest: digest })
    }
    // The others may raise it as soon as this node has said that it ends.
    if (!isClosing && !known.isKnown()) onUnfit(known.error())
  })
  const stores = await ClusterStores.open(index, clock, onFailure, () => known.inForce)
  // Opened last: others are heard of from then on.
  const live: { nodes?: LiveNodes } = {}
  const documents = await ClusterDocuments.open({
    cluster,
    index,
    stores,
    clock,
    prefix: address.prefix,
    areNodesAlike: () => live.nodes?.areAlike() === true,
    onFailure,
  })
  const backend = new ClusterSearchBackend(cluster, documents, stores)
  const followed = new FollowedCluster(stores, documents)
  const clusterEvents = await ClusterEvents.open({
    cluster,
    control: index,
    stores,
    clock,
    prefix: address.prefix,
    reportsMemoryBytes: config.reportsMemoryMb * 1e6,
    catalog: {
      stores: () => followed.stores(),
      areKnown: () => followed.areKnown(),
      stamp: (storeId) => followed.stamp(storeId),
      contentOf: (storeId) => followed.contentOf(storeId),
      docKeys: (storeId, ids) => followed.docKeys(storeId, ids),
      namesOf: (storeId) => brandNames(backend, storeId),
      spell: (storeId, texts) => spellQueries(backend, storeId, texts),
    },
    log,
  })
  const usage = await ClusterUsage.open(index, {
    nodeId,
    storeOf: (storeId) => stores.find(storeId),
    onFailure,
  })
  const nodes = await LiveNodes.open(index, { nodeId, version, format, nowMs, onFailure })
  live.nodes = nodes
  known.follow(nodes, onFailure)
  const leases = new Leases(index, { nodeId, nowMs })
  const keeper = new DocumentKeeper({ documents, cluster, leases, clock, onFailure })
  keeper.start()
  const answers = new SharedAnswerCache(
    createAnswerChannel(),
    config.cacheMegabytes * 1_000_000,
    () => undefined,
  )
  const sweepAnswers = setInterval(() => answers.sweep(clock.now()), ANSWERS_SWEEP_MS).unref()
  const sweepAccess = setInterval(() => {
    // What fails is tried again at the next one.
    void sweep(leases, access).catch(() => undefined)
  }, ACCESS_SWEEP_MS).unref()
  const { pages, demoPages, docsPages } = readPages(config)
  const demoFiles = openBuiltPages(demoPages)
  const ports: ApiNode['ports'] = {
    registry: {
      find: (storeId) => stores.find(storeId),
      list: () => stores.list(),
      statistics: (storeId) => documents.statistics(storeId),
    },
    resources: stores,
    reader: documents,
    writer: clusterWriter(stores, documents),
    backend,
    events: clusterEvents.events,
    reports: clusterEvents.reports,
    suggestions: clusterEvents.suggestions,
    snapshots: snapshotsOf(cluster, address, { version, clock, stores, documents }),
    access,
    directory,
    audit: accessStore,
    activity: new ActivityBook(clock, () => [{ name: 'main', performance }]),
    clock,
    answers,
    usage,
    pages: openBuiltPages(pages),
    documentation: openDocumentation(openBuiltPages(docsPages)),
    demoPages: demoFiles,
    drawDemo: openPageRenderer(demoFiles),
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
      nodes.isHeard() && known.isKnown()
        ? { ok: true, starting: [] }
        : { ok: false, starting: ['the cluster behind the service does not answer'] },
  }
  const closing = [
    () => clearInterval(sweepAnswers),
    () => clearInterval(sweepAccess),
    () => answers.close(),
    () => access.close(),
    () => usage.close(),
    () => known.close(),
    () => clusterEvents.close(),
    () => keeper.close(),
    () => documents.close(),
    () => stores.close(),
    () => accessStore.close(),
    // From here on the others may raise the format.
    () => nodes.close(),
    () => settings.close(),
    () => cluster.close(),
  ]
  return {
    ports,
    engine,
    access,
    directory,
    clusterEvents,
    newAdminToken: admin.newToken,
    firstRunSecret,
    nodeCount: () => nodes.list().length,
    async close() {
      isClosing = true
      // One that fails, because the cluster is away, must not keep the others from being closed.
      for (const close of closing) await Promise.resolve(close()).catch(() => undefined)
    },
  }
}

function snapshotsOf(
  cluster: ClusterConnection,
  { prefix, snapshotRepository: name }: ClusterConfig,
  {
    version,
    clock,
    stores,
    documents,
  }: Pick<ApiNodeOptions, 'version' | 'clock'> & {
    readonly stores: ClusterStores
    readonly documents: ClusterDocuments
  },
): ClusterSnapshots {
  return new ClusterSnapshots({
    repository: name === undefined ? undefined : new SnapshotRepository(cluster, name),
    prefix,
    version,
    clock,
    async count() {
      const list = stores.list()
      let sum = 0
      for (const { storeId } of list) sum += await documents.docCount(storeId)
      return { stores: list.length, documents: sum }
    },
  })
}

/** The reason for not starting, in one line. */
function unfit(error: unknown, { urls }: ClusterConfig): unknown {
  if (!(error instanceof ClusterError) || error.kind !== 'unreachable') return error
  const isUntrusted = /certificate/.test(error.message)
  const hint = isUntrusted ? '. --opensearch-ca-file names the authority of its certificates' : ''
  return new Error(`Cannot reach the cluster at ${urls.join(', ')}: ${error.message}${hint}`)
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

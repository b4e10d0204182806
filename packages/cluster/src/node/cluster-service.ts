import { buildApp, createTracer } from '@aisle/server/parts'
import type { ClusterConfig } from '@aisle/server'
import type { Config, mainLogger } from '@aisle/server/parts'
import { openApiNode } from './api-node.ts'
import type { ApiNode } from './api-node.ts'

const IDLE_SWEEP_MS = 50

export interface ClusterServiceOptions {
  readonly version: string
  readonly logger: Awaited<ReturnType<typeof mainLogger>>
  /** Newer nodes have taken over the cluster: the process is to end. */
  readonly onUnfit: (reason: Error) => void
}

interface Parts {
  readonly app: ReturnType<typeof buildApp>
  readonly node: ApiNode
  readonly port: number
  readonly closeTracer: () => unknown
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
    this.newAdminToken = parts.node.newAdminToken
    this.firstRunSecret = parts.node.firstRunSecret
  }

  /** Throws ClusterError or another Error with one clear line. */
  static async start(
    config: Config,
    address: ClusterConfig,
    { version, logger, onUnfit }: ClusterServiceOptions,
  ): Promise<ClusterService> {
    const node = await openApiNode(config, address, {
      version,
      log: (level, message, detail) => logger[level](detail ?? {}, message),
      clock: { now: () => Date.now() },
      onUnfit,
    })
    const tracer =
      config.tracing === undefined
        ? undefined
        : await createTracer(config.tracing, version, (reason) =>
            logger.warn({ reason }, 'Spans cannot be sent'),
          )
    const app = buildApp({
      ...node.ports,
      tracer,
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
    logger.info({ engine: node.engine, nodes: node.nodeCount() }, 'The cluster is in use')
    const listening = app.server.address()
    return new ClusterService({
      app,
      node,
      port: typeof listening === 'object' ? (listening?.port ?? 0) : 0,
      closeTracer: () => tracer?.close(),
    })
  }

  /** Finishes what is in flight, then lets the other nodes know. */
  async stop(): Promise<void> {
    const { app, node, closeTracer } = this.#parts
    // A connection that was busy when closing began would stay open, idle, until its client let go.
    const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS)
    await app.close()
    clearInterval(idle)
    await node.close()
    await Promise.resolve(closeTracer()).catch(() => undefined)
  }
}

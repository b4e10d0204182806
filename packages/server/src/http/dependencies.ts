import type { HealthResponse } from '@aisle/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { AccessDirectory, AuditReader } from '../ports/access-directory.ts'
import type { AccessKeeper } from '../ports/access-keeper.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { ConnectionLimits } from './plugins/connection-limit.ts'
import type { Patience } from './plugins/patience.ts'
import type { RequestWatch } from '../ports/request-watch.ts'
import type { PageFiles } from '../ports/page-files.ts'
import type { StreamSlots } from '../ports/stream-slots.ts'
import type { RequestTracer } from '../ports/request-tracer.ts'
import type { SnapshotKeeper } from '../ports/snapshot-keeper.ts'
import type { UseNotes } from '../services/access/use-notes.ts'
import type { ServicePorts } from '../services/service-ports.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** When keys and sessions were used, until it is written down. */
    readonly uses: UseNotes
  }
}

/** What the application is built from. Nothing here is opened or read by the application itself. */
export interface AppDependencies extends ServicePorts {
  readonly snapshots: SnapshotKeeper
  readonly access: AccessKeeper
  readonly directory: AccessDirectory
  readonly audit: AuditReader
  readonly health: () => Health
  readonly options: AppOptions
  /** Of each client address in each store; absent: no limit. */
  readonly rateLimiter?: RateLimiter | undefined
  /** Of each store; absent: no limit. */
  readonly slots?: StreamSlots | undefined
  /** Absent: a network may have any number of connections. */
  readonly connections?: ConnectionLimits | undefined
  /** The dashboard; absent: it was not built. */
  readonly pages?: PageFiles | undefined
  readonly tracer?: RequestTracer | undefined
  /** Absent: no search is refused for what it did to other threads. */
  readonly watch?: RequestWatch | undefined
  /** Key of the hashes that stand for client addresses in events. */
  readonly addressKey: string
  /** Version of the service, for `/openapi.json` and `/metrics`. */
  readonly version: string
  /**
   * The text of `/metrics`. Several serving threads answer for all of them with this; by default
   * the application answers for itself (see `metricsRegistry` of the instance).
   */
  readonly collectMetrics?: () => Promise<string>
}

export interface Health {
  /** Every store is searchable. */
  readonly ok: boolean
  /** What is not ready yet, in words. */
  readonly starting: readonly string[]
  readonly progress?: HealthResponse['progress']
}

export interface AppOptions {
  /** What `search_timeout_ms` may be at most. Default: `SEARCH_TIMEOUT_DEFAULT_MS`. */
  readonly searchTimeoutMaxMs?: number
  /** Which peers may say for whom they speak (`x-forwarded-for`); false = none. */
  readonly trustProxy: boolean | string | readonly string[]
  /** Further paths of the ingest, for clients whose path cannot be set. Default: none. */
  readonly ingestAliases?: boolean
  /** Metrics name stores. Default: they do not, `store` is `all`. */
  readonly metricsStores?: boolean
  /** One line per request goes here; false = none. */
  readonly logger: FastifyBaseLogger | false
  /** How long slow peers are waited for; the default is good, tests have less. */
  readonly patience?: Partial<Patience>
  /** Count memory, garbage collection and event loop of the process too. Default: true. */
  readonly processMetrics?: boolean
}

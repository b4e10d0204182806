import type { HealthResponse } from '@aisle/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { AccessDirectory, AuditReader } from '../ports/access/access-directory.ts'
import type { AccessKeeper } from '../ports/access/access-keeper.ts'
import type { ActivityKeeper } from '../ports/host/activity-keeper.ts'
import type { AnswerMemory } from '../ports/host/answer-memory.ts'
import type { RateLimiter } from '../ports/host/rate-limiter.ts'
import type { ConnectionLimits } from './plugins/connection-limit.ts'
import type { Patience } from './plugins/patience.ts'
import type { RequestWatch } from '../ports/host/request-watch.ts'
import type { Documentation } from '../ports/search/documentation.ts'
import type { Mail } from '../ports/host/mail.ts'
import type { PageFiles, PageRenderer } from '../ports/host/page-files.ts'
import type { StreamSlots } from '../ports/host/stream-slots.ts'
import type { RequestTracer } from '../ports/host/request-tracer.ts'
import type { SourceReadings } from '../ports/catalog/source-readings.ts'
import type { SnapshotKeeper } from '../ports/catalog/snapshot-keeper.ts'
import type { SnapshotReader } from '../ports/catalog/snapshot-reader.ts'
import type { DiskRoom } from '../ports/host/disk-room.ts'
import type { UseNotes } from '../services/access/use-notes.ts'
import type { ServicePorts } from '../services/service-ports.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Records when keys and sessions are used. */
    readonly uses: UseNotes
  }
}

/** The ports and options of the application. It opens and reads nothing itself. */
export interface AppDependencies extends ServicePorts {
  readonly snapshots: SnapshotKeeper
  readonly snapshotReader: SnapshotReader
  /** Room on the disk for restores; absent: unlimited. */
  readonly room?: DiskRoom | undefined
  readonly access: AccessKeeper
  readonly activity: ActivityKeeper
  readonly directory: AccessDirectory
  readonly audit: AuditReader
  readonly health: () => Health
  /**
   * Resolves when this node knows everything but documents that other nodes had answered before, or
   * after a second. Never rejects. Absent: there are no other nodes.
   */
  readonly catchUp?: (() => Promise<void>) | undefined
  readonly options: AppOptions
  /** Limits each client address in each store; absent: no limit. */
  readonly rateLimiter?: RateLimiter | undefined
  /** Limits each client address on routes without a key, and with wrong ones; absent: no limit. */
  readonly pageRateLimiter?: RateLimiter | undefined
  /** Limits streams per store; absent: no limit. */
  readonly slots?: StreamSlots | undefined
  /** Limits the memory of responses that wait for their readers; absent: no limit. */
  readonly answerMemory?: AnswerMemory | undefined
  /** Limits connections per network; absent: no limit. */
  readonly connections?: ConnectionLimits | undefined
  /** The dashboard; absent: it was not built. */
  readonly pages?: PageFiles | undefined
  /** The demo shop, and the renderer of its first page; absent: not built, or not enabled. */
  readonly demoPages?: PageFiles | undefined
  readonly drawDemo?: PageRenderer | undefined
  /** The site of docs/; absent: it was not built. */
  readonly documentation?: Documentation | undefined
  readonly tracer?: RequestTracer | undefined
  /** Refuses searches that have ended other threads; absent: none is refused. */
  readonly watch?: RequestWatch | undefined
  readonly sources: SourceReadings
  /** Absent: the service sends no e-mail. */
  readonly mail?: Mail | undefined
  /** Address of the dashboard, for links in e-mails; absent: there are none. */
  readonly publicUrl?: string | undefined
  /** Key for hashing client addresses in events; one for secrets of sources is derived from it. */
  readonly addressKey: string
  /** Version of the service, for `/openapi.json` and `/metrics`. */
  readonly version: string
  /**
   * The text of `/metrics`. With several serving threads it covers all of them; by default only
   * this application (see `metricsRegistry` of the instance).
   */
  readonly collectMetrics?: () => Promise<string>
}

export interface Health {
  /** Every store is searchable, and the start has printed all its lines. */
  readonly ok: boolean
  /**
   * Names the parts that are not ready yet, for people; a service that is `ok` may still be
   * starting some.
   */
  readonly starting: readonly string[]
  readonly progress?: HealthResponse['progress']
}

export interface AppOptions {
  /** Maximum of `search_timeout_ms`. Default: `SEARCH_TIMEOUT_DEFAULT_MS`. */
  readonly searchTimeoutMaxMs?: number
  /** Limit of a search that names none, whatever the maximum. Only tests set it. */
  readonly searchTimeoutDefaultMs?: number
  /** Length of a turn of a request; only tests set it. */
  readonly turnMaxMs?: number
  /** Peers whose `x-forwarded-for` is trusted; false = none. */
  readonly trustProxy: boolean | string | readonly string[]
  /** Further paths of the ingest, for clients with a fixed path. Default: none. */
  readonly ingestAliases?: boolean
  /** Tools for assistants at `/mcp`. Default: none. */
  readonly mcp?: boolean
  /** Whether metrics name stores. Default: no, `store` is `all`. */
  readonly metricsStores?: boolean
  /** Origins from which the dashboard may load pictures. Default: only its own. */
  readonly imageHosts?: readonly string[]
  /** Receives one line per request; false = no log. */
  readonly logger: FastifyBaseLogger | false
  /** Time limits for slow peers; tests use shorter ones. */
  readonly patience?: Partial<Patience>
  /**
   * Whether to report memory, garbage collection and event loop of the process too. Default: true.
   */
  readonly processMetrics?: boolean
}

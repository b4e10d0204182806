import type { MessagePort } from 'node:worker_threads'
import type { Generation } from '../adapters/embedded/generation.ts'
import type { LogFormat } from '../config.ts'
import type { MailServer } from '../ports/host/mail.ts'
import type { TracingOptions } from '../ports/host/request-tracer.ts'
import type { EmbedderInfo } from '../ports/search/embedder-config.ts'
import type { AnswerChannel } from '../adapters/shared-memory/answer-cache.ts'
import type { AnswerMemoryCounts } from '../adapters/shared-memory/answer-memory.ts'
import type { ConnectionCountMemory } from '../adapters/shared-memory/connection-counts.ts'
import type { DiskRoomMemory } from '../adapters/shared-memory/disk-room.ts'
import type { StreamSlotMemory } from '../adapters/shared-memory/stream-slots.ts'
import type { Vitals } from '../adapters/shared-memory/vitals.ts'
import type { RateLimitMemory } from '../adapters/shared-memory/rate-limiter.ts'
import type { StartProgressMemory } from '../adapters/embedded/start-progress.ts'
import type { Pressure } from '../adapters/embedded/pressure.ts'
import type { Pages } from './page-folders.ts'

/** The start data of a serving thread. */
export interface ServingThreadData extends Pages {
  /** This thread's place among the serving threads, from 0; a replacement takes the same. */
  readonly slot: number
  readonly host: string
  readonly port: number
  /** Folder of the document file. */
  readonly documents: string
  readonly version: string
  /** Requests per second of one client address in one store; 0 = no limit. */
  readonly rateLimit: number
  /** Requests per second of one client address to routes without a key; 0 = no limit. */
  readonly pageRateLimit: number
  readonly rateLimits: RateLimitMemory
  /** Absent: nothing is traced. */
  readonly tracing: TracingOptions | undefined
  /**
   * The channel on which the threads share cached answers, and the bytes of answers that each
   * thread tracks.
   */
  readonly answers: { readonly channel: AnswerChannel; readonly bytesMax: number }
  readonly trustProxy: boolean | readonly string[]
  readonly logLevel: string
  readonly logFormat: LogFormat
  readonly generation: Generation
  readonly progress: StartProgressMemory
  readonly pressure: Pressure
  readonly vitals: Vitals
  readonly diskRoom: DiskRoomMemory
  readonly streamSlots: StreamSlotMemory
  readonly connections: ConnectionCountMemory
  readonly answerMemory: AnswerMemoryCounts
  readonly unreadAnswersMegabytes: number
  /** 0 = no limit. */
  readonly connectionsPerAddress: number
  readonly publications: MessagePort
  readonly commands: MessagePort
  readonly addressKey: string
  readonly ingestAliases: boolean
  readonly mcp: boolean
  readonly metricsStores: boolean
  readonly imageHosts: readonly string[]
  readonly sourceNetworks: readonly string[]
  readonly mailServer: MailServer | undefined
  readonly publicUrl: string | undefined
  /** Without their keys. */
  readonly embedders: readonly EmbedderInfo[]
  readonly searchTimeoutMaxMs: number
}

/** The calls of the pool to a serving thread. */
export interface ServingThread {
  /** Resolves with the port when requests are answered on it. Throws when it cannot listen. */
  listen(): Promise<number>
  /** Stops accepting, and finishes what is in flight. */
  stop(): Promise<void>
  /** The metrics of the thread, as prom-client writes them. */
  metrics(): Promise<readonly object[]>
  /** Connects it to the event logs, at the start and when their thread was replaced. */
  useEvents(port: MessagePort): void
  /** Connects it to the suggestions in the same way. */
  useSuggestions(port: MessagePort): void
  /** Connects it to the reports in the same way. */
  useReports(port: MessagePort): void
  /** Connects it to the embedders in the same way. */
  useEmbedders(port: MessagePort): void
}

/** The calls of a serving thread to the pool. */
export interface ServingHost {
  /** The metrics of all threads as text. */
  collectMetrics(): Promise<string>
}

import type { MessagePort } from 'node:worker_threads'
import type { Generation } from '../adapters/embedded/generation.ts'
import type { LogFormat } from '../config.ts'
import type { BuiltPages } from '../adapters/pages/built-pages.ts'
import type { TracingOptions } from '../ports/request-tracer.ts'
import type { ConnectionCountMemory } from '../adapters/shared-memory/connection-counts.ts'
import type { DiskRoomMemory } from '../adapters/shared-memory/disk-room.ts'
import type { StreamSlotMemory } from '../adapters/shared-memory/stream-slots.ts'
import type { Vitals } from '../adapters/shared-memory/vitals.ts'
import type { RateLimitMemory } from '../adapters/shared-memory/rate-limiter.ts'
import type { StartProgressMemory } from '../adapters/embedded/start-progress.ts'
import type { Pressure } from '../adapters/embedded/pressure.ts'

/** What a serving thread is started with. */
export interface ServingThreadData {
  /** This thread's place among the serving threads, from 0; a replacement takes the same. */
  readonly slot: number
  readonly host: string
  readonly port: number
  /** Folder of the document file. */
  readonly documents: string
  /** Absent: no dashboard was built. */
  readonly pages: BuiltPages | undefined
  readonly version: string
  /** Requests per second of one client address in one store; 0 = no limit. */
  readonly rateLimit: number
  readonly rateLimits: RateLimitMemory
  /** Absent: nothing is traced. */
  readonly tracing: TracingOptions | undefined
  /**
   * Name of the channel on which the threads share answers, and bytes of them that each keeps in
   * sight.
   */
  readonly answers: { readonly channel: string; readonly bytesMax: number }
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
  /** 0 = no limit. */
  readonly connectionsPerAddress: number
  readonly publications: MessagePort
  readonly commands: MessagePort
  readonly addressKey: string
  readonly ingestAliases: boolean
  readonly metricsStores: boolean
  readonly imageHosts: readonly string[]
  readonly searchTimeoutMaxMs: number
}

export type ToServingThread =
  /** Stop accepting, finish what is in flight, then `stopped`. */
  | { readonly kind: 'stop' }
  /** The way to the event logs: at the start, and again when their thread was replaced. */
  | { readonly kind: 'events'; readonly port: MessagePort }
  /** Where suggestions come from: at the start, and again when their thread was replaced. */
  | { readonly kind: 'suggestions'; readonly port: MessagePort }
  /** The way to the reports, in the same way. */
  | { readonly kind: 'reports'; readonly port: MessagePort }
  /** Answer with `metrics`. */
  | { readonly kind: 'readMetrics'; readonly callId: number }
  /** Answer to `collectMetrics`. */
  | { readonly kind: 'metricsText'; readonly callId: number; readonly text: string }

export type FromServingThread =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'metrics'; readonly callId: number; readonly metrics: readonly object[] }
  /** Wants the figures of all threads. */
  | { readonly kind: 'collectMetrics'; readonly callId: number }

/**
 * `@aisle/server/parts`: the parts that a single machine and a node of a cluster share. A node is
 * the same application over other adapters.
 */
export { SharedGarbage } from '../adapters/embedded/shared-garbage.ts'
export { EventLogClient } from '../adapters/event-log/event-log-client.ts'
export { EventLogServer } from '../adapters/event-log/event-log-server.ts'
export { PortCalls } from '../adapters/message-port/port-calls.ts'
export { createTracer } from '../adapters/opentelemetry/tracer.ts'
export { openBuiltPages } from '../adapters/pages/built-pages.ts'
export { openDocumentation } from '../adapters/pages/documentation.ts'
export { openPageRenderer } from '../adapters/pages/page-renderer.ts'
export { ReportClient } from '../adapters/report-thread/report-client.ts'
export type { ReportCalls } from '../adapters/report-thread/report-server.ts'
export { SharedAnswerCache, createAnswerChannel } from '../adapters/shared-memory/answer-cache.ts'
export {
  SharedConnectionCounts,
  createConnectionCounts,
} from '../adapters/shared-memory/connection-counts.ts'
export { SharedAnswerMemory, createAnswerMemory } from '../adapters/shared-memory/answer-memory.ts'
export { createDiskRoom } from '../adapters/shared-memory/disk-room.ts'
export { SharedRateLimiter, createRateLimitMemory } from '../adapters/shared-memory/rate-limiter.ts'
export { SharedStreamSlots, createStreamSlots } from '../adapters/shared-memory/stream-slots.ts'
export { SharedSuggestions } from '../adapters/suggestions/shared-suggestions.ts'
export { buildApp } from '../app.ts'
export type { Config } from '../config.ts'
export type { AppDependencies } from '../http/dependencies.ts'
export { AccessControl } from '../services/access/access-control.ts'
export { ADMIN_DIGEST, openAdminToken } from '../services/access/admin-token.ts'
export { logLimitsOf } from '../services/events/log-limits.ts'
export { spellQueries } from '../services/search/spell-queries.ts'
export { brandNames } from '../services/suggestions/brand-names.ts'
export { ActivityBook } from '../threads/activity-book.ts'
export type { Log } from '../threads/logger.ts'
export { readPages } from '../threads/page-folders.ts'
export { mailOf } from '../adapters/mail/smtp-mail.ts'
export { sourceReadings } from '../threads/source-readings.ts'
export { checkEmbedders } from '../threads/check-embedders.ts'
export { EmbeddingHost, ReportsHost, SuggestionsHost } from '../threads/hosted-threads.ts'
export { registerEmbedderMetrics } from '../threads/embedder-metrics.ts'
export {
  describe,
  mainLogger,
  showSecrets,
  stopService,
  versionOf,
} from '../threads/run-service.ts'
export type { StopSignals } from '../threads/stop-signals.ts'

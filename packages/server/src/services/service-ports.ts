import type { AnswerCache } from '../ports/answer-cache.ts'
import type { CatalogWriter } from '../ports/catalog-writer.ts'
import type { Clock } from '../ports/clock.ts'
import type { DocumentReader } from '../ports/document-reader.ts'
import type { ResourceReader } from '../ports/resource-reader.ts'
import type { SearchBackend } from '../ports/search-backend.ts'
import type { SearchUsage } from '../ports/search-usage.ts'
import type { EventLog } from '../ports/event-log.ts'
import type { Reports } from '../ports/reports.ts'
import type { StoreRegistry } from '../ports/store-registry.ts'
import type { SuggestionSource } from '../ports/suggestion-source.ts'

/** Everything that a use case may access: the ports, and nothing behind them. */
export interface ServicePorts {
  readonly registry: StoreRegistry
  readonly reader: DocumentReader
  readonly resources: ResourceReader
  readonly writer: CatalogWriter
  readonly backend: SearchBackend
  readonly clock: Clock
  readonly events: EventLog
  readonly answers: AnswerCache
  readonly usage: SearchUsage
  readonly suggestions: SuggestionSource
  readonly reports: Reports
}

import type { AnswerCache } from '../ports/search/answer-cache.ts'
import type { CatalogWriter } from '../ports/catalog/catalog-writer.ts'
import type { Clock } from '../ports/host/clock.ts'
import type { DocumentReader } from '../ports/catalog/document-reader.ts'
import type { Embedders } from '../ports/search/embedder.ts'
import type { EditJournal } from '../ports/catalog/edit-journal.ts'
import type { QueryVectors } from '../ports/search/query-vectors.ts'
import type { ResourceReader } from '../ports/catalog/resource-reader.ts'
import type { SearchBackend } from '../ports/search/search-backend.ts'
import type { SearchUsage } from '../ports/search/search-usage.ts'
import type { EventLog } from '../ports/events/event-log.ts'
import type { Reports } from '../ports/events/reports.ts'
import type { StoreRegistry } from '../ports/catalog/store-registry.ts'
import type { SuggestionSource } from '../ports/suggestions/suggestion-source.ts'

/** Everything that a use case may access: only the ports, not their adapters. */
export interface ServicePorts {
  readonly registry: StoreRegistry
  readonly reader: DocumentReader
  readonly resources: ResourceReader
  readonly writer: CatalogWriter
  readonly edits: EditJournal
  readonly backend: SearchBackend
  readonly clock: Clock
  readonly events: EventLog
  readonly answers: AnswerCache
  readonly usage: SearchUsage
  readonly suggestions: SuggestionSource
  readonly reports: Reports
  readonly embedders: Embedders
  readonly queryVectors: QueryVectors
}

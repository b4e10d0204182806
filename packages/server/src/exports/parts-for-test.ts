/** `@aisle/server/test`: the conformance tests of the ports, with their fixtures. */
export { ReportDatabase } from '../adapters/duckdb/report-database.ts'
export { readConfig } from '../config.ts'
export type { Config } from '../config.ts'
export { ADMIN_TOKEN, CHEAP_PASSWORDS, readEntries } from '../http/test/test-backend.ts'
export type { TestBackend, TestLogs } from '../http/test/test-backend.ts'
export { TestSuggestions } from '../http/test/test-suggestions.ts'
export { accessConformance } from '../ports/access/access.conformance.ts'
export type { AccessPorts } from '../ports/access/access.conformance.ts'
export { STORE, filled, idsOf, textOf, upsert, write } from '../ports/catalog/catalog-fixture.ts'
export type { CatalogPorts } from '../ports/catalog/catalog-fixture.ts'
export { catalogConformance } from '../ports/catalog/catalog.conformance.ts'
export { editJournalConformance } from '../ports/catalog/edit-journal.conformance.ts'
export { eventLogConformance } from '../ports/events/event-log.conformance.ts'
export { languageConformance } from '../ports/catalog/language.conformance.ts'
export { keptInsertionConformance } from '../ports/catalog/insertion.conformance.ts'
export { redefinitionConformance } from '../ports/catalog/redefinition.conformance.ts'
export {
  HISTORY_END_MS,
  HISTORY_START_MS,
  arbitraryHistory,
} from '../ports/events/report-history-fixture.ts'
export { reportsConformance } from '../ports/events/reports.conformance.ts'
export { resourceConformance } from '../ports/catalog/resources.conformance.ts'
export { embeddingConformance } from '../ports/search/embedding.conformance.ts'
export { embeddersOf, WordEmbedder } from '../ports/search/word-embedder-for-test.ts'
export { searchUsageConformance } from '../ports/search/search-usage.conformance.ts'
export { snapshotKeeperConformance } from '../ports/catalog/snapshot-keeper.conformance.ts'
export { accessOver } from '../services/access/access-for-test.ts'

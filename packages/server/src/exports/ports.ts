/** `@aisle/server/ports`: what another storage or search backend implements. */
export type { AuditEntries, AuditPageRequest } from '../ports/access-directory.ts'
export { StaleAccessError } from '../ports/access-store.ts'
export type {
  AccessStore,
  AuditRow,
  OtherNodes,
  StoredAccessChange,
  UserRow,
} from '../ports/access-store.ts'
export type {
  CatalogWriter,
  CreatedStore,
  DeclaredField,
  DocumentVersion,
  DocumentWrite,
  KeyKind,
  KeyUse,
  SchemaChange,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../ports/catalog-writer.ts'
export type { Clock } from '../ports/clock.ts'
export type {
  DocumentReader,
  DocumentScan,
  FetchedDocuments,
  StoredDocument,
} from '../ports/document-reader.ts'
export type { LogOwner } from '../ports/event-log.ts'
export type { FollowedStore, FollowedStores } from '../ports/followed-stores.ts'
export type { InstallationSettings } from '../ports/installation-settings.ts'
export type { LogKeeper } from '../ports/log-keeper.ts'
export type { ResourceReader } from '../ports/resource-reader.ts'
export type { SearchBackend, SearchView } from '../ports/search-backend.ts'
export type { SearchUsage } from '../ports/search-usage.ts'
export type { Snapshot, SnapshotKeeper } from '../ports/snapshot-keeper.ts'
export type { StoreRecord, StoreRegistry, StoreStatistics } from '../ports/store-registry.ts'
export type { SuggestionSource } from '../ports/suggestion-source.ts'

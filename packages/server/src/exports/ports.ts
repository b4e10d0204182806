/** `@aisle/server/ports`: the interfaces that another storage or search backend implements. */
export type { AuditEntries, AuditPageRequest } from '../ports/access/access-directory.ts'
export { StaleAccessError } from '../ports/access/access-store.ts'
export type {
  AccessStore,
  AuditRow,
  OtherNodes,
  StoredAccessChange,
  UserRow,
} from '../ports/access/access-store.ts'
export type {
  CatalogWriter,
  CreatedStore,
  DeclaredField,
  DocumentVersion,
  DocumentWrite,
  KeyKind,
  KeyUse,
  FieldsChange,
  SchemaChange,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../ports/catalog/catalog-writer.ts'
export type { EditJournal, EditRow, StoredEdit } from '../ports/catalog/edit-journal.ts'
export type { Clock } from '../ports/host/clock.ts'
export type {
  DocumentReader,
  DocumentScan,
  FetchedDocuments,
  StoredDocument,
  WalkPlace,
} from '../ports/catalog/document-reader.ts'
export type { LogOwner } from '../ports/events/event-log.ts'
export type { FollowedStore, FollowedStores } from '../ports/suggestions/followed-stores.ts'
export type { InstallationSettings } from '../ports/host/installation-settings.ts'
export type { LogKeeper } from '../ports/events/log-keeper.ts'
export type { ResourceReader } from '../ports/catalog/resource-reader.ts'
export { EmbedderUnavailable, NO_EMBEDDERS } from '../ports/search/embedder.ts'
export type { Embedder, Embedders } from '../ports/search/embedder.ts'
export type { SearchBackend, SearchView } from '../ports/search/search-backend.ts'
export { ONE_TURN, restIfDue, type Turns } from '../ports/search/turns.ts'
export type { SearchUsage } from '../ports/search/search-usage.ts'
export type { Snapshot, SnapshotKeeper } from '../ports/catalog/snapshot-keeper.ts'
export type { SnapshotReader } from '../ports/catalog/snapshot-reader.ts'
export type {
  EmbeddingStatus,
  StoreRecord,
  StoreRegistry,
  StoreStatistics,
} from '../ports/catalog/store-registry.ts'

/** The HTTP interface as typed calls, for Node and browsers. */
export { AisleClient } from './aisle-client.ts'
export { MissingSecretError, RefusedError, UnreachableError } from './errors.ts'
export type { Secret } from './errors.ts'
export { isExactNumber, parseExactly } from './exact-json.ts'
export { chunksOf, linesOf } from './ndjson.ts'
export type {
  DocumentExport,
  NamedResource,
  ResourceKind,
  ResourceValue,
  StoreClient,
  VisitorIds,
} from './store-client.ts'
export { settingsToSet } from './settings-to-set.ts'
export type { Call, ClientOptions } from './transport.ts'
export type {
  AuditEntry,
  AuditQuery,
  BackgroundJob,
  BulkResponse,
  ChangeSchemaRequest,
  CurrentSession,
  PreviewRuleRequest,
  RulePreview,
  ReportAnswer,
  ReportName,
  JourneyEvent,
  VisitorJourney,
  ReportParameters,
  Refusals,
  SchemaFieldRequest,
  SearchHit,
  SearchParameters,
  SearchResponse,
  ServiceActivity,
  Session,
  SlowSearch,
  Snapshot,
  StoreKey,
  StoreSchema,
  StoreSuggestionsConfig,
  StoreSummary,
  SuggestionParameters,
  SynonymItem,
  SynonymSuggestion,
  User,
} from '@aisle/contract'

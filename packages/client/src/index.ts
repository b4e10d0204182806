/** The HTTP interface as typed calls, for Node, browsers and every other runtime with `fetch`. */
export { AisleClient } from './aisle-client.ts'
export type { Call, ClientOptions, Visitor } from './call.ts'
export { MissingSecretError, RefusedError, TimedOutError, UnreachableError } from './errors.ts'
export type { Secret } from './errors.ts'
export { exactNumber, isExactNumber, parseExactly } from './exact-json.ts'
export type {
  Documents,
  ImportOptions,
  ImportProgress,
  ImportSummary,
  RefusedDocument,
} from './import-documents.ts'
export { arrangedFacets, arrangedValues } from './arranged-facets.ts'
export { latest } from './latest.ts'
export { chunksOf, linesOf } from './ndjson.ts'
export { makeScopedToken } from './scoped-token.ts'
export { SearchClient } from './search-client.ts'
export type { SearchClientOptions } from './search-client.ts'
export type { StoreClient } from './store-client.ts'
export type {
  DocumentExport,
  NamedResource,
  ResourceKind,
  ResourceValue,
  Tagged,
  Written,
  VisitorIds,
} from './store-values.ts'
export type {
  AnswerOf,
  AnyDocument,
  DocumentOf,
  FlatAnswerOf,
  HitOf,
  RecommendationsOf,
  SearchOptions,
} from './store-search.ts'
export { similarityCut } from './similarity-cut.ts'
export type { JudgedPair, SimilarityCut } from './similarity-cut.ts'
export { settingsToSet } from './settings-to-set.ts'
/** Every type of the interface. */
export type * from '@aisle/contract'

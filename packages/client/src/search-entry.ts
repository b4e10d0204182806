/** The entry `@aisle/client/search`: only the search calls, for a shop's pages. */
export { SearchClient } from './search-client.ts'
export type { SearchClientOptions } from './search-client.ts'
export type { Visitor } from './call.ts'
export { MissingSecretError, RefusedError, TimedOutError, UnreachableError } from './errors.ts'
export { arrangedFacets, arrangedValues } from './arranged-facets.ts'
export { latest } from './latest.ts'
export type {
  AnswerOf,
  AnyDocument,
  DocumentOf,
  FlatAnswerOf,
  HitOf,
  RecommendationsOf,
  SearchOptions,
} from './store-search.ts'
export type {
  ErrorCode,
  FacetCounts,
  FacetMap,
  FacetValueDisplay,
  FilteredTab,
  FiltersRequest,
  FiltersResponse,
  FlatHit,
  MultiSearchRequest,
  MultiSearchResponse,
  RecommendationParameters,
  RecommendationsResponse,
  RecommendedHit,
  SearchHit,
  SearchParameters,
  SearchResponse,
  ShownFacets,
  SuggestionParameters,
  SuggestionsResponse,
} from '@aisle/contract'

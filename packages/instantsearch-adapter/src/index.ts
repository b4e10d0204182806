/** InstantSearch on Aisle: the search client and the insights client. */
export { insightsClient } from './insights-client.ts'
export type { InsightsClient, TrackedEvents } from './insights-client.ts'
export { instantSearchClient } from './instant-search-client.ts'
export type {
  InstantSearchClient,
  InstantSearchClientOptions,
  ShownEvents,
} from './instant-search-client.ts'
export type { RecommendResult } from './recommendations.ts'
export type { AlgoliaHit, AlgoliaResult, FacetValuesResult } from './algolia-types.ts'

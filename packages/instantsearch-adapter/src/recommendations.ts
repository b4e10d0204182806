import type { RecommendationParameters, RecommendationsResponse } from '@aisle/client/search'
import type { AlgoliaHit, AlgoliaParameters } from './algolia-types.ts'
import { allOf, conditionsOf } from './filters.ts'
import { highlightTree } from './marks.ts'
import type { Condition } from './refusals.ts'

/** Aisle's kinds by Algolia's models. */
const KINDS: Readonly<Record<string, RecommendationParameters['kind']>> = {
  'related-products': 'related',
  'looking-similar': 'related',
  'bought-together': 'bought_together',
  'trending-items': 'trending',
}
/** Default number of products in a row. */
const HITS_MAX = 10

/** A row of products that a widget requests. */
export interface RecommendRequest {
  readonly indexName: string
  readonly model: string
  readonly objectID?: string
  readonly maxRecommendations?: number
  /** For `trending-items`: only products with this value. */
  readonly facetName?: string
  readonly facetValue?: string
  readonly queryParameters?: AlgoliaParameters
}

export interface RecommendResult {
  readonly hits: readonly AlgoliaHit[]
  readonly nbHits: number
  readonly processingTimeMS: number
}

/** @throws Error for a model that recommends no products */
export function recommendationParameters(request: RecommendRequest): RecommendationParameters {
  const { model, objectID, maxRecommendations } = request
  const kind = KINDS[model]
  if (kind === undefined) throw new Error(`Recommendation model "${model}" is not supported`)
  const filter = allOf(recommendationConditions(request))
  return {
    kind,
    per_page: maxRecommendations || HITS_MAX,
    ...(objectID !== undefined && { ids: [objectID] }),
    ...(filter !== '' && { filter_by: filter }),
  }
}

/** The conditions of `filter_by`. */
export function recommendationConditions(request: RecommendRequest): Condition[] {
  const { facetName, facetValue, queryParameters = {} } = request
  const facet = facetName === undefined ? [] : [`${facetName}:${facetValue}`]
  return [...conditionsOf({ facetFilters: facet }), ...conditionsOf(queryParameters)]
}

export function recommendResult(answer: RecommendationsResponse): RecommendResult {
  const hits = answer.hits.map(({ id, document, source }) => ({
    ...document,
    objectID: id,
    _highlightResult: highlightTree(document, {}, { pre: '', post: '' }, () => true),
    _source: source,
  }))
  return { hits, nbHits: hits.length, processingTimeMS: Math.ceil(answer.search_time_ms) }
}

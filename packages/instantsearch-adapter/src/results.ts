import type { SearchHit, SearchResponse, ShownFacets } from '@aisle/client/search'
import type {
  AlgoliaHit,
  AlgoliaParameters,
  AlgoliaRequest,
  AlgoliaResult,
  FacetValuesResult,
} from './algolia-types.ts'
import { listOf } from './filters.ts'
import { highlighted, highlightTree, type Tags } from './marks.ts'
import { isListed, paramsOf } from './parameters.ts'
import { geolocOf, PLACE_FIELD } from './places.ts'

/**
 * Converts the answer to a search for InstantSearch.
 * @param placeField the geopoint field
 */
export function resultOf(
  request: AlgoliaRequest,
  answer: SearchResponse,
  placeField = PLACE_FIELD,
): AlgoliaResult {
  const params = paramsOf(request)
  const { found, page, per_page: perPage, search_id: queryID, applied_rules: rules } = answer
  const [facets, stats] = facetsOf(answer)
  return {
    index: request.indexName,
    query: typeof params['query'] === 'string' ? params['query'] : '',
    params: '',
    hits: answer.hits.map((hit) => hitOf(hit as SearchHit, params, placeField)),
    // Of grouped documents, only the shown ones count, as at Algolia.
    nbHits: answer.found_groups ?? found,
    page: page - 1,
    nbPages: answer.total_pages,
    hitsPerPage: perPage,
    processingTimeMS: Math.ceil(answer.search_time_ms),
    exhaustiveNbHits: answer.search_cutoff !== true,
    exhaustiveFacetsCount: answer.search_cutoff !== true,
    facets,
    facets_stats: stats,
    queryID,
    userData: userData(answer),
    renderingContent: renderingContent(answer, listOf(params['facets']).includes('*')),
    ...(rules !== undefined && { appliedRules: rules.map((objectID) => ({ objectID })) }),
    aisle: {
      matched_terms: answer.matched_terms,
      corrected_query: answer.corrected_query,
      did_you_mean: answer.did_you_mean,
      rewritten_query: answer.rewritten_query,
      interpretation: answer.interpretation,
      metadata: answer.metadata,
    },
  }
}

/** Converts the answer to a search inside a facet. */
export function facetValuesOf(request: AlgoliaRequest, answer: SearchResponse): FacetValuesResult {
  const tags = tagsOf(paramsOf(request))
  const counts = answer.facet_counts?.[0]?.counts ?? []
  return {
    facetHits: counts.map(({ value, count, highlighted: html }) => ({
      value,
      count,
      highlighted: html === undefined ? value : highlighted(html, tags).value,
    })),
    exhaustiveFacetsCount: true,
    processingTimeMS: Math.ceil(answer.search_time_ms),
  }
}

function hitOf(hit: SearchHit, params: AlgoliaParameters, placeField: string): AlgoliaHit {
  const { id, document, highlight = {}, snippets, text_match_score: score } = hit
  const tags = tagsOf(params)
  const { attributesToHighlight } = params
  // A document contains its `id`, which is not text of the shop.
  const { id: _, ...fields } = document
  const place = document[placeField]
  const distance = hit.geo_distance_meters?.[placeField]
  return {
    ...document,
    objectID: id,
    _highlightResult: highlightTree(fields, highlight, tags, (field) =>
      isListed(attributesToHighlight, field),
    ),
    ...(snippets !== undefined && {
      _snippetResult: highlightTree({}, snippets, tags, () => true),
    }),
    _rankingScore: score,
    ...(place !== undefined && place !== null && { _geoloc: geolocOf(place) }),
    ...(params['getRankingInfo'] === true &&
      distance !== undefined && { _rankingInfo: { geoDistance: distance } }),
  }
}

function tagsOf({ highlightPreTag, highlightPostTag }: AlgoliaParameters): Tags {
  return {
    pre: typeof highlightPreTag === 'string' ? highlightPreTag : '<em>',
    post: typeof highlightPostTag === 'string' ? highlightPostTag : '</em>',
  }
}

type CountsByField = Record<string, Record<string, number>>

function facetsOf({ facet_counts: all = [] }: SearchResponse): [CountsByField, CountsByField] {
  const facets: CountsByField = {}
  const stats: CountsByField = {}
  for (const { field, counts, stats: ofNumbers } of all) {
    facets[field] = Object.fromEntries(counts.map(({ value, count }) => [value, count]))
    if (ofNumbers !== undefined) stats[field] = ofNumbers
  }
  return [facets, stats]
}

/** Data of rules for the page: their banners, then their other members and redirects. */
function userData({ metadata }: SearchResponse): unknown[] {
  const { banner: _, banners = [], redirect, ...members } = metadata ?? {}
  const rest = { ...members, ...(redirect !== undefined && { redirect: redirect.url }) }
  return Object.keys(rest).length > 0 ? [...banners, rest] : banners
}

/** The order of facets and their values, which the widgets follow. */
function facetOrdering({ order, facets }: ShownFacets): object {
  const values = Object.entries(facets).map(([field, { sort = 'count', pin = [], hide = [] }]) => [
    field,
    { order: pin, sortRemainingBy: sort === 'pinned' ? 'hidden' : sort, hide },
  ])
  return { facets: { order }, values: Object.fromEntries(values) as object }
}

/** @param isOrdered whether the page asked for the order of facets: widgets follow it */
function renderingContent(answer: SearchResponse, isOrdered: boolean): object {
  const { banners = [], redirect } = answer.metadata ?? {}
  const pictures = banners.flatMap(pictureOf)
  const order = answer.facet_counts?.map(({ field }) => field) ?? []
  const shown = answer.facet_display ?? (isOrdered ? { order, facets: {} } : undefined)
  return {
    ...(shown !== undefined && { facetOrdering: facetOrdering(shown) }),
    ...(redirect !== undefined && { redirect: { url: redirect.url } }),
    ...(pictures.length > 0 && { widgets: { banners: pictures } }),
  }
}

/** The widget of hits shows banners with a picture. */
function pictureOf(banner: unknown): object[] {
  if (typeof banner !== 'object' || banner === null) return []
  const { image, title, link } = banner as Readonly<Record<string, unknown>>
  if (typeof image !== 'string') return []
  return [
    {
      image: { urls: [{ url: image }], ...(typeof title === 'string' && { title }) },
      ...(typeof link === 'string' && { link: { url: link } }),
    },
  ]
}

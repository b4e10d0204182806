import type { SearchParameters } from '@aisle/client/search'
import type { AlgoliaParameters, AlgoliaRequest } from './algolia-types.ts'
import { allOf, conditionsOf, filteredFields, listOf, quoted, type HasField } from './filters.ts'
import { isByPlace, PLACE_FIELD, placeConditions, placeOrder } from './places.ts'
import type { Condition } from './refusals.ts'

/** Default of hits per page, as at Algolia. */
const HITS_PER_PAGE = 20
/** Default of words per snippet, as at Algolia. */
const SNIPPET_WORDS = 10
/** Default of values for a search inside a facet, as at Algolia. */
const FACET_HITS = 10
/** Delimiter between store id and sort order in an index name: `lamps/sort/price:asc`. */
const SORT = '/sort/'

/** Parameters without effect here that deserve a warning. */
const WITHOUT_EFFECT = [
  'tagFilters',
  'optionalFilters',
  'optionalWords',
  'similarQuery',
  'minimumAroundRadius',
  'offset',
  'length',
] as const

/** The parts of an index name. */
export function targetOf(indexName: string): { storeId: string; sortBy: string | undefined } {
  const at = indexName.indexOf(SORT)
  if (at < 0) return { storeId: indexName, sortBy: undefined }
  return { storeId: indexName.slice(0, at), sortBy: indexName.slice(at + SORT.length) }
}

/** Names of the parameters of a query that are ignored. */
export function withoutEffect(params: AlgoliaParameters): readonly string[] {
  const names: string[] = WITHOUT_EFFECT.filter(
    (name) => listOf(params[name]).length > 0 && params[name] !== false,
  )
  // The number shown per group is a setting of the store.
  if ((numberOf(params['distinct']) ?? 0) > 1) names.push('the number of distinct')
  return names
}

/**
 * Converts a query of InstantSearch to one of Aisle. Parameters that only Aisle has
 * (`min_relevance`) pass unchanged.
 *
 * @param hasField a query may name fields that the store lacks, as widgets of one index inherit
 * those of another; such facets have no values, and filters by such fields match nothing
 * @param placeField the geopoint field
 * @throws Error for a search by the visitor's IP address, which the service cannot locate
 */
export function searchParameters(
  request: AlgoliaRequest,
  hasField: HasField = () => true,
  placeField = PLACE_FIELD,
): SearchParameters {
  const params = paramsOf(request)
  if (params['aroundLatLngViaIP'] === true) {
    throw new Error(
      'Aisle cannot locate an IP address: set aroundLatLng instead of aroundLatLngViaIP',
    )
  }
  const perPage = numberOf(params['hitsPerPage']) ?? HITS_PER_PAGE
  return defined({
    ...matching(params, hasField, placeField),
    sort_by:
      targetOf(request.indexName).sortBy ??
      (hasField(placeField) ? placeOrder(params, placeField) : undefined),
    group_by: isOff(params['distinct']) ? [] : undefined,
    page: (numberOf(params['page']) ?? 0) + 1,
    per_page: perPage,
    facet_by: facetBy(params, hasField),
    max_values: numberOf(params['maxValuesPerFacet']),
    personalize: params['enablePersonalization'] === false ? false : undefined,
    analytics: params['analytics'],
    analytics_tags: params['analyticsTags'],
    ...(perPage === 0 ? { highlight: false } : shown(params, hasField)),
    ...ours(params),
  })
}

/**
 * A search among the values of a facet. Ignores the facet's own filter, so that other values can be
 * chosen.
 */
export function facetValuesParameters(
  request: AlgoliaRequest,
  facet: string,
  placeField = PLACE_FIELD,
): SearchParameters {
  const params = paramsOf(request)
  const limit = numberOf(params['maxFacetHits']) ?? FACET_HITS
  const order = params['sortFacetValuesBy'] === 'alpha' ? 'alpha' : 'count'
  const query = params['facetQuery']
  return defined({
    ...matching(params, () => true, placeField),
    per_page: 0,
    highlight: false,
    analytics: false,
    facet_mode: 'disjunctive',
    facet_by: [`${quoted(facet)}(limit:${limit},sort:${order})`],
    facet_query:
      typeof query === 'string' && query !== '' ? `${quoted(facet)}:${query}` : undefined,
    ...ours(params),
  })
}

/** Moves the query into the parameters, from wherever the request has it. */
export function paramsOf({ params = {}, query }: AlgoliaRequest): AlgoliaParameters {
  return query === undefined ? params : { query, ...params }
}

/**
 * Whether a list such as `attributesToHighlight` includes a field: absent or with `*`, it includes
 * all.
 */
export function isListed(list: unknown, field: string): boolean {
  if (list === undefined) return true
  const names = listOf(list)
  return names.includes(field) || (names.includes('*') && !names.includes(`-${field}`))
}

/** The conditions of `filter_by`. */
export function conditionsIn(
  params: AlgoliaParameters,
  hasField: HasField,
  placeField = PLACE_FIELD,
): Condition[] {
  return [...conditionsOf(params, hasField), ...placeConditions(params, placeField, hasField)]
}

/** Parameters that decide which documents match. */
function matching(params: AlgoliaParameters, hasField: HasField, placeField: string): object {
  const { query, queryType, typoTolerance } = params
  const only = params['restrictSearchableAttributes']
  const searchFields = only === undefined ? undefined : listOf(only)
  const withoutTypos = typoTolerance === false || typoTolerance === 'false'
  return {
    q: typeof query === 'string' && query.trim() !== '' ? query : '*',
    filter_by: allOf(conditionsIn(params, hasField, placeField)) || undefined,
    search_fields: searchFields?.filter((field) => hasField(String(field))),
    typo_max: withoutTypos ? 0 : undefined,
    typo_min_len_1: params['minWordSizefor1Typo'],
    typo_min_len_2: params['minWordSizefor2Typos'],
    typo_numbers: params['allowTyposOnNumericTokens'],
    prefix_mode: queryType === 'prefixNone' ? 'off' : undefined,
    require_all_terms: params['removeWordsIfNoResults'] === 'none' ? true : undefined,
    apply_rules: params['enableRules'],
    rule_contexts: params['ruleContexts'],
    synonym_sets: params['synonyms'] === false ? [] : undefined,
  }
}

/** Parameters that decide what a hit contains. */
function shown(params: AlgoliaParameters, hasField: HasField): object {
  const { attributesToRetrieve: fields, attributesToHighlight: marked } = params
  const names = listOf(fields).map(String)
  const omitted = names.filter((name) => name.startsWith('-')).map((name) => name.slice(1))
  const snippets = snippetsOf(params).filter(({ field }) => field === '*' || hasField(field))
  const snippetFields = snippets.map(({ field }) => field)
  return {
    return_fields:
      fields === undefined || names.includes('*') ? undefined : [...new Set(['id', ...names])],
    omit_fields: omitted.length > 0 ? omitted : undefined,
    highlight: marked === undefined || listOf(marked).length > 0,
    ...(snippets.length > 0 && {
      include_snippets: true,
      snippet_fields: snippetFields.includes('*') ? undefined : snippetFields,
      snippet_token_limit: Math.max(...snippets.map(({ words }) => words)),
    }),
  }
}

/** Fields that a query names and that the service would reject if unknown. */
export function fieldsOf(request: AlgoliaRequest, placeField = PLACE_FIELD): string[] {
  const params = paramsOf(request)
  const named = [
    ...(isByPlace(params) ? [placeField] : []),
    ...listOf(params['facets']),
    ...listOf(params['restrictSearchableAttributes']),
    ...snippetsOf(params).map(({ field }) => field),
    ...filteredFields(params),
  ].map(String)
  return Array.from(new Set(named)).filter((field) => field !== '*')
}

/** `description:20` means at most 20 words of the description. */
function snippetsOf(params: AlgoliaParameters): { field: string; words: number }[] {
  return listOf(params['attributesToSnippet']).map((one) => snippetOf(String(one)))
}

function snippetOf(attribute: string): { field: string; words: number } {
  const colon = attribute.lastIndexOf(':')
  const words = Number(attribute.slice(colon + 1))
  if (colon < 0 || !Number.isInteger(words)) return { field: attribute, words: SNIPPET_WORDS }
  return { field: attribute.slice(0, colon), words: Math.max(words, 1) }
}

function facetBy({ facets }: AlgoliaParameters, hasField: HasField): string | string[] | undefined {
  if (listOf(facets).includes('*')) return '*'
  const names = listOf(facets).map(String).filter(hasField)
  return names.length > 0 ? names.map(quoted) : undefined
}

/**
 * Aisle's names have underscores, Algolia's do not. `marks.ts` needs the default marks, even if
 * these parameters or their preset set others: it replaces them with the tags of the page.
 */
function ours(params: AlgoliaParameters): object {
  const own = Object.entries(params).filter(([name]) => /^[a-z]+_/.test(name))
  const mayMark = own.some(([name]) => name === 'preset_name' || Object.hasOwn(MARKS, name))
  return { ...Object.fromEntries(own), ...(mayMark ? MARKS : {}) }
}

const MARKS = {
  highlight_prefix: '<mark>',
  highlight_suffix: '</mark>',
  snippet_prefix: '<mark>',
  snippet_suffix: '</mark>',
} as const

/** Grouping from `distinct`: the groups of the store's setting `distinct`, or none. */
function isOff(distinct: unknown): boolean {
  return distinct === false || distinct === 'false' || numberOf(distinct) === 0
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function defined(parameters: object): SearchParameters {
  const entries = Object.entries(parameters).filter(
    ([, value]) => (value ?? undefined) !== undefined,
  )
  return Object.fromEntries(entries) as unknown as SearchParameters
}

import {
  ApiError,
  SUGGESTED_GROUPS_DEFAULT,
  SuggestionParameters,
  SUGGESTIONS_PER_PAGE_DEFAULT,
  type FilteredTab,
  type StoreSuggestionsConfig,
} from '@aisle/contract'
import { parameterReader, unknownParameters } from '@aisle/contract/check'
import { TIME_RANGES, type TimeRange } from '@aisle/suggestions'

/** A request for suggestions, with the defaults and limits of its store. */
export interface SuggestionRequest {
  /** The query as typed. */
  readonly q: string
  readonly hitsPerPage: number
  readonly page: number
  readonly categories: number | undefined
  readonly facets: number | undefined
  readonly recommendations: boolean
  readonly productList: boolean
  readonly emptyQuery: boolean
  readonly minPopularity: number
  readonly timeRange: TimeRange
  readonly beginningOnly: boolean
  readonly tags: readonly string[]
  readonly allTags: boolean
  /** Undefined for the plain response. */
  readonly tabs: readonly FilteredTab[] | undefined
  readonly warnings: readonly string[]
}

const readParameters = parameterReader<SuggestionParameters>(SuggestionParameters)
const WARNINGS_MAX = 20
const DEFAULT_RANGE: TimeRange = '30d'

/** Names in the alternative spelling. */
const ALIASES = new Map(
  Object.keys(SuggestionParameters.properties).flatMap((name) => {
    const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return [snake, camel].filter((other) => other !== name).map((other) => [other, name] as const)
  }),
)

/**
 * Converts both spellings of names into one; if both are given, the first spelling wins. `null`
 * counts as absent.
 */
export function canonicalNames(parameters: unknown): unknown {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    return parameters
  }
  // Not copied: refusing thousands of unknown parameters must stay cheap.
  const isCanonical = Object.entries(parameters).every(
    ([name, value]) => value !== null && !ALIASES.has(name),
  )
  if (isCanonical) return parameters
  const entries = Object.entries(parameters).filter(([, value]) => value !== null)
  const renamed = entries.map(([name, value]) => [ALIASES.get(name) ?? name, value] as const)
  return Object.fromEntries([...renamed, ...entries.filter(([name]) => !ALIASES.has(name))])
}

/** @param parameters as sent @throws ApiError */
export function readSuggestionRequest(
  parameters: unknown,
  config: StoreSuggestionsConfig,
): SuggestionRequest {
  const given = readParameters(canonicalNames(parameters))
  const warnings = unknownParameters(SuggestionParameters, given)
    .slice(0, WARNINGS_MAX)
    .map((name) => `Unknown parameter \`${name.slice(0, 100).toWellFormed()}\` is ignored`)
  if (given.q !== undefined && given.query !== undefined && given.q !== given.query) {
    warnings.push('`q` and `query` differ: `q` is used')
  }
  const tabs = given.filtered_tabs ?? []
  const withTabs = tabs.length > 0 && given.include_filtered_tabs !== false
  const categories = boundedBy(
    config.max_categories,
    'max_categories',
    given.max_categories,
    SUGGESTED_GROUPS_DEFAULT,
  )
  const facets = boundedBy(
    config.max_facets,
    'max_facets',
    given.max_facets,
    SUGGESTED_GROUPS_DEFAULT,
  )
  return {
    q: given.q ?? given.query ?? '',
    hitsPerPage: boundedBy(
      config.max_suggestions,
      'hitsPerPage',
      given.hitsPerPage,
      SUGGESTIONS_PER_PAGE_DEFAULT,
    ),
    page: given.page ?? 0,
    categories: given.include_categories === true ? categories : undefined,
    facets: given.include_facets === true ? facets : undefined,
    recommendations: given.include_dropdown_recommendations ?? false,
    productList: given.include_dropdown_product_list ?? true,
    emptyQuery: given.include_empty_query_recommendations ?? false,
    minPopularity: given.min_popularity ?? 0,
    timeRange: rangeOf(given.time_range, config),
    beginningOnly: given.disable_typo_tolerance ?? false,
    tags: given.analytics_tags ?? [],
    allTags: given.tags_match_mode === 'all',
    tabs: withTabs ? tabs.filter(({ enabled }) => enabled !== false) : undefined,
    warnings,
  }
}

/**
 * Reads a count with a limit of the store: a default is lowered to it, a larger request is
 * rejected.
 */
function boundedBy(
  maximum: number,
  param: string,
  asked: number | undefined,
  byDefault: number,
): number {
  if (asked === undefined) return Math.min(byDefault, maximum)
  if (asked <= maximum) return asked
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`${param}\` must be an integer from 0 to ${maximum} in this store, received ${asked}`,
    { param },
  )
}

/** The requested range; by default 30 days, or the longest range that the store offers. */
function rangeOf(
  asked: TimeRange | undefined,
  { supported_time_ranges: supported }: StoreSuggestionsConfig,
): TimeRange {
  if (asked === undefined) {
    if (supported.includes(DEFAULT_RANGE)) return DEFAULT_RANGE
    return TIME_RANGES.findLast((range) => supported.includes(range)) ?? DEFAULT_RANGE
  }
  if (supported.includes(asked)) return asked
  const offered = supported.map((range) => `\`${range}\``).join(', ')
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`time_range\` must be one of ${offered} in this store, received "${asked}"`,
    { param: 'time_range' },
  )
}

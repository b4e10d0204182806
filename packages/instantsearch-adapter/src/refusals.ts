import { RefusedError } from '@aisle/client/search'

/** A condition of `filter_by`, with the parameter of InstantSearch that it comes from. */
export interface Condition {
  /** `filters`, or the parameter with the filter in question: `facetFilters "brand:A"`. */
  readonly from: string
  readonly expression: string
}

/** Names of InstantSearch, by those of the service. */
const NAMES: Readonly<Record<string, string>> = {
  sort_by: 'the index name',
  per_page: 'hitsPerPage',
  facet_by: 'facets',
  facet_query: 'facetQuery',
  max_values: 'maxValuesPerFacet',
  search_fields: 'restrictSearchableAttributes',
  snippet_fields: 'attributesToSnippet',
  typo_min_len_1: 'minWordSizefor1Typo',
  typo_min_len_2: 'minWordSizefor2Typos',
  rule_contexts: 'ruleContexts',
  analytics_tags: 'analyticsTags',
}

/** What a message of the service begins with. */
const START = /^(?:\w+(?:\[\d+\])?(?:, column (\d+))?: |Parameter `[^`]+` )/

/**
 * Says in the words of InstantSearch which parameter the service refused.
 *
 * @param conditions those of `filter_by`, in their order
 * @param isOwn whether the page itself set a parameter of the service
 * @returns other errors unchanged
 */
export function retold(
  error: unknown,
  conditions: readonly Condition[],
  isOwn: (param: string) => boolean,
): unknown {
  if (!(error instanceof RefusedError) || error.param === undefined) return error
  const param = error.param.replace(/\[\d+\]$/, '')
  const [start = '', column] = START.exec(error.message) ?? []
  const name = param === 'filter_by' ? originOf(conditions, column) : NAMES[param]
  if (name === undefined || isOwn(param)) return error
  const message = `${name}: ${error.message.slice(start.length)}`
  const { status, code, details, requestId, retryAfterMs } = error
  const body = { error: message, param: name.split(' "')[0]!, details: [...details] }
  return Object.assign(new RefusedError(status, body, message, retryAfterMs), { code, requestId })
}

/** The condition at a column (from 1) of the conditions, as `allOf` joins them. */
function originOf(
  conditions: readonly Condition[],
  column: string | undefined,
): string | undefined {
  let end = 0
  for (const { from, expression } of conditions) {
    end += expression.length + ' && '.length
    if (Number(column) <= end) return from
  }
  return conditions.at(-1)?.from
}

import { hash } from 'node:crypto'
import { SearchParameters } from '@aisle/contract'
import { canonicalJson } from '../json/canonical-json.ts'

/**
 * Parameters that do not affect the response: how it is obtained, how it is counted, how long it
 * may take (a response that was cut off is not cached), and whether it is personal (then it is not
 * cached either). The parameters of a preset are already
 * in the request.
 */
const UNDECIDING: ReadonlySet<string> = new Set<keyof SearchParameters>([
  'cache_results',
  'preset_name',
  'analytics_tags',
  'analytics',
  'search_timeout_ms',
  'personalize',
  'personalize_as_of',
])

/**
 * Parameters whose empty value means the same as an absent one. Not `facet_by`: it adds `facets`.
 */
const EMPTY: ReadonlyMap<string, string> = new Map<keyof SearchParameters, string>([
  ['return_fields', '[]'],
  ['omit_fields', '[]'],
  ['search_fields', '[]'],
  ['field_weights', '{}'],
  ['filter_by', '""'],
  ['filters', '{}'],
  ['facet_query', '""'],
  ['snippet_fields', '[]'],
  ['full_snippet_fields', '[]'],
  ['rule_contexts', '[]'],
  ['interpret_except', '[]'],
])

/**
 * Returns a short string that is equal for all requests with the same response as long as the store
 * does not change. The order of parameters and of keys inside them does not matter, nor whether a
 * default is written out. For unknown parameters only the names count, in their order, because
 * warnings name them.
 *
 * @param besides anything else that affects the response
 */
export function questionKey(
  request: Partial<SearchParameters>,
  besides: readonly string[] = [],
): string {
  // Defaults that depend on other parameters, or that a setting of the store has replaced before.
  const usual = new Map<string, string>([
    ['highlight', String(request.widget_mode !== true)],
    ['snippet_prefix', canonicalJson(request.highlight_prefix ?? MARK_DEFAULTS.prefix)],
    ['snippet_suffix', canonicalJson(request.highlight_suffix ?? MARK_DEFAULTS.suffix)],
    ['min_relevance', '0'],
  ])
  const known: string[] = []
  const unknown: string[] = []
  for (const [name, value] of Object.entries(request)) {
    if (!Object.hasOwn(SearchParameters.properties, name)) unknown.push(name)
    else if (!UNDECIDING.has(name) && value !== undefined) {
      const text = canonicalJson(value)
      const isUsual = text === (usual.get(name) ?? DEFAULTS.get(name)) || text === EMPTY.get(name)
      if (!isUsual) known.push(`${name}=${text}`)
    }
  }
  const text = `${known.toSorted().join('\n')}\n\n${JSON.stringify([unknown, besides])}`
  return hash('sha256', text, 'base64url')
}

const { highlight_prefix: prefix, highlight_suffix: suffix } = SearchParameters.properties
const MARK_DEFAULTS = {
  prefix: (prefix as { default?: string }).default ?? '',
  suffix: (suffix as { default?: string }).default ?? '',
}

/**
 * The meaning of an absent parameter with any other parameters, as canonical texts. A different
 * setting of the store is in the request already.
 */
const DEFAULTS: ReadonlyMap<string, string> = new Map(
  Object.entries(SearchParameters.properties).flatMap(([name, schema]) => {
    const { default: value } = schema as { default?: unknown }
    return value === undefined ? [] : [[name, canonicalJson(value)] as const]
  }),
)

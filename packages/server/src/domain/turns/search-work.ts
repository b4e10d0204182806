import type { SearchParameters } from '@aisle/contract'
import { canonicalJson } from '../json/canonical-json.ts'

/**
 * Parameters that do not affect the cost of a search; they are removed, so that requests with the
 * same work have the same text.
 */
const WEIGHTLESS: ReadonlySet<string> = new Set<keyof SearchParameters>([
  'analytics_tags',
  'cache_results',
  'hit_format',
  'highlight_escape',
  'highlight_prefix',
  'highlight_suffix',
  'preset_name',
  'rule_contexts',
  'search_timeout_ms',
  'snippet_prefix',
  'snippet_suffix',
])

/**
 * The work of a search as a text: equal for requests that differ only in the order of words and
 * parameters, in case and blanks, or in parameters without cost.
 *
 * @param request with the parameters of its preset
 * @param isKnown whether a parameter exists; searches ignore unknown ones, and so does this
 */
export function searchWork(
  storeId: string,
  request: Readonly<Record<string, unknown>>,
  isKnown: (name: string) => boolean,
): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(request)) {
    if (value === undefined || WEIGHTLESS.has(name) || !isKnown(name)) continue
    const isQuery = name === 'q' && typeof value === 'string'
    parts.push(`${name}=${isQuery ? wordsOf(value) : canonicalJson(value)}`)
  }
  return `${storeId}\n${parts.toSorted().join('\n')}`
}

function wordsOf(query: string): string {
  const words = query.toLowerCase().split(' ')
  return words
    .filter((word) => word !== '')
    .toSorted()
    .join(' ')
}

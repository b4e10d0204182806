import type { SearchParameters } from '@aisle/contract'
import { canonicalJson } from '../json/canonical-json.ts'

/**
 * Parameters that have no part in what a search costs: without them, two requests of the same work
 * are the same text.
 */
const WEIGHTLESS: ReadonlySet<string> = new Set<keyof SearchParameters>([
  'analytics_tags',
  'cache_results',
  'hit_format',
  'highlight_escape',
  'preset_name',
  'rule_contexts',
  'search_timeout_ms',
  'snippet_prefix',
  'snippet_suffix',
])

/**
 * The work of a search as a text: the same for requests that differ only in the order of their
 * words and parameters, in case and blanks, or in what costs nothing.
 *
 * @param request with the parameters of its preset
 * @param isKnown whether a parameter is one; others are ignored by a search, and so here
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

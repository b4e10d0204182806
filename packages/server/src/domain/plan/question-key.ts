import { hash } from 'node:crypto'
import { SearchParameters } from '@aisle/contract'
import { canonicalJson } from '../json/canonical-json.ts'

/**
 * Parameters that do not affect the response: how it is obtained, how it is counted, and how long
 * it may take (a response that was cut off is not cached). The parameters of a preset are already
 * in the request.
 */
const UNDECIDING: ReadonlySet<string> = new Set<keyof SearchParameters>([
  'cache_results',
  'preset_name',
  'analytics_tags',
  'analytics',
  'search_timeout_ms',
])

/**
 * A short text that is equal for all requests with the same response as long as the store does not
 * change. The order of parameters and of keys inside them does not matter, nor whether a default is
 * written out. Of unknown parameters only the names count, in their order, because warnings name
 * them.
 *
 * @param besides what else affects the response
 */
export function questionKey(
  request: Partial<SearchParameters>,
  besides: readonly string[] = [],
): string {
  const highlight = String(request.widget_mode !== true)
  const known: string[] = []
  const unknown: string[] = []
  for (const [name, value] of Object.entries(request)) {
    if (!Object.hasOwn(SearchParameters.properties, name)) unknown.push(name)
    else if (!UNDECIDING.has(name) && value !== undefined) {
      const text = canonicalJson(value)
      const usual = name === 'highlight' ? highlight : DEFAULTS.get(name)
      if (text !== usual) known.push(`${name}=${text}`)
    }
  }
  const text = `${known.toSorted().join('\n')}\n\n${JSON.stringify([unknown, besides])}`
  return hash('sha256', text, 'base64url')
}

/**
 * The meaning of an absent parameter, in every store and with any other parameters: values as
 * canonical texts.
 */
const DEFAULTS: ReadonlyMap<string, string> = new Map(
  Object.entries(SearchParameters.properties).flatMap(([name, schema]) => {
    const { default: value } = schema as { default?: unknown }
    return value === undefined ? [] : [[name, canonicalJson(value)] as const]
  }),
)

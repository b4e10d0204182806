import { createHash } from 'node:crypto'
import { SearchParameters } from '@aisle/contract'
import { canonicalJson } from '../json/canonical-json.ts'

/**
 * Parameters that do not decide what the answer is: how it may be come by, what it is counted
 * under, and how long it may take (an answer that was cut off is not kept). The parameters of a
 * preset are in the request by now.
 */
const UNDECIDING: ReadonlySet<string> = new Set<keyof SearchParameters>([
  'cache_results',
  'preset_name',
  'analytics_tags',
  'analytics',
  'search_timeout_ms',
])

/**
 * One short text for all requests that have the same answer as long as the store does not change.
 * Neither the order of parameters, and of keys inside of them, matters, nor whether a default is
 * written out. Of unknown parameters only names count, in their order: warnings name them.
 *
 * @param besides what else decides the answer
 */
export function questionKey(
  request: Partial<SearchParameters>,
  besides: readonly string[] = [],
): string {
  const defaults = new Map(DEFAULTS).set('highlight', String(request.widget_mode !== true))
  const known: string[] = []
  const unknown: string[] = []
  for (const [name, value] of Object.entries(request)) {
    if (!Object.hasOwn(SearchParameters.properties, name)) unknown.push(name)
    else if (!UNDECIDING.has(name) && value !== undefined) {
      const text = canonicalJson(value)
      if (text !== defaults.get(name)) known.push(`${name}=${text}`)
    }
  }
  const text = `${known.toSorted().join('\n')}\n\n${JSON.stringify([unknown, besides])}`
  return createHash('sha256').update(text).digest('base64url')
}

/**
 * What an absent parameter means, in every store and beside any others: values as canonical texts.
 */
const DEFAULTS: ReadonlyMap<string, string> = new Map(
  Object.entries(SearchParameters.properties).flatMap(([name, schema]) => {
    const { default: value } = schema as { default?: unknown }
    return value === undefined ? [] : [[name, canonicalJson(value)] as const]
  }),
)

import { createHash } from 'node:crypto'
import { SearchParameters } from '@aisle/contract'

/**
 * Parameters that do not decide what the answer is: how it may be come by, what it is counted under, and
 * how long it may take (an answer that was cut off is not kept). The parameters of a preset are in the request by now.
 */
const UNDECIDING: ReadonlySet<string> = new Set<keyof SearchParameters>([
  'cache_results',
  'preset_name',
  'analytics_tags',
  'search_timeout_ms',
])

/**
 * One short text for all requests that have the same answer as long as the store does not change: the
 * order of parameters, and of keys inside of them, does not matter. Of unknown parameters only names count, in
 * their order: warnings name them.
 *
 * @param besides what else decides the answer
 */
export function questionKey(request: object, besides: readonly string[] = []): string {
  const known: string[] = []
  const unknown: string[] = []
  for (const [name, value] of Object.entries(request)) {
    if (!Object.hasOwn(SearchParameters.properties, name)) unknown.push(name)
    else if (!UNDECIDING.has(name)) known.push(`${name}=${canonical(value)}`)
  }
  const text = `${known.toSorted().join('\n')}\n\n${JSON.stringify([unknown, besides])}`
  return createHash('sha256').update(text).digest('base64url')
}

/** JSON with the keys of objects in order, and integers beyond 2^53 with all their digits. */
function canonical(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const entries = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`,
  )
  return `{${entries.toSorted().join()}}`
}

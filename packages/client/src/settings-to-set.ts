import type { ResourceValue } from './store-client.ts'

/**
 * What the service computes itself (counts, guesses, dates): shown with the settings, but not
 * settings.
 */
const OF_SERVICE: ReadonlySet<string> = new Set([
  'version',
  'changed_at',
  'guessed',
  'analysis',
  'quota.searches_used',
  'quota.resets_at',
])

/**
 * What of the settings of a store can be given to another: all but what the service computes
 * itself, guessed roles of the product card among it.
 */
export function settingsToSet(settings: ResourceValue): ResourceValue {
  const guessed = Array.isArray(settings['guessed']) ? settings['guessed'] : []
  const left = new Set([...OF_SERVICE, ...guessed.map((role) => `product_card.${role}`)])
  return without(settings, left, '')
}

function without(value: ResourceValue, left: ReadonlySet<string>, path: string): ResourceValue {
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const at = `${path}${name}`
    if (left.has(at)) return []
    const isObject = typeof one === 'object' && one !== null && !Array.isArray(one)
    return [[name, isObject ? without(one as ResourceValue, left, `${at}.`) : one] as const]
  })
  return Object.fromEntries(kept)
}

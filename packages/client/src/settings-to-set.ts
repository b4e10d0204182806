import type { ResourceValue } from './store-values.ts'

/**
 * Members that the service computes (counts, guesses, dates): returned with the settings, but not
 * settings.
 */
const OF_SERVICE: ReadonlySet<string> = new Set([
  'version',
  'changed_at',
  'guessed',
  'analysis',
  'embedders',
  'embedding',
  'quota.searches_used',
  'quota.resets_at',
])

/**
 * The settings of a store that can be copied to another: all but computed members, such as guessed
 * roles of the product card.
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

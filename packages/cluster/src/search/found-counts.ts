import { hash } from 'node:crypto'
import { PAIR_CANDIDATES_MAX } from '@aisle/engine/rescoring'
import type { StoreFacts } from './fact-cache.ts'
import type { Page } from './main-request.ts'
import type { SearchAnswer } from './product-searches.ts'

/** How many documents earlier searches found, by what they match: a guess for the next time. */
export class FoundCounts {
  readonly #facts: StoreFacts
  /** Guesses that this search has acted on, by what is matched. */
  readonly #guesses = new Map<string, boolean>()
  readonly #keys = new WeakMap<object, string>()

  constructor(facts: StoreFacts) {
    this.#facts = facts
  }

  /** Whether a main search is likely to return all matches as candidates. */
  mayBeAll(main: Readonly<Record<string, unknown>>, page: Page): boolean {
    if (page.from > 0 || page.size < PAIR_CANDIDATES_MAX) return false
    const key = this.keyOf(main)
    let guess = this.#guesses.get(key)
    if (guess === undefined) {
      const found = this.#facts.get(key)?.value
      guess = typeof found === 'number' && found <= PAIR_CANDIDATES_MAX
      this.#guesses.set(key, guess)
    }
    return guess
  }

  /** @returns whether all matches are among the candidates */
  learn(main: Readonly<Record<string, unknown>>, { hits }: SearchAnswer): boolean {
    const key = this.keyOf(main)
    const found = hits.total?.value ?? 0
    this.#facts.set(key, found, 0)
    const isAll = found <= PAIR_CANDIDATES_MAX
    this.#guesses.set(key, isAll)
    return isAll
  }

  /** Identifies what a search matches, whatever the order of its hits. */
  keyOf(main: Readonly<Record<string, unknown>>): string {
    let key = this.#keys.get(main)
    if (key === undefined) this.#keys.set(main, (key = keyOf(main)))
    return key
  }
}

function keyOf({ query, post_filter: after }: Readonly<Record<string, unknown>>): string {
  const { filter, must_not } = (query as { bool: Record<string, unknown> }).bool
  return `found ${hash('sha256', JSON.stringify([filter, must_not, after]), 'base64')}`
}

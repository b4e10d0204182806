import type { FilterNode } from '../../query/filter.ts'
import type { FacetOutcome, FacetRequest } from '../../query/plan.ts'
import { filterKey, keyText } from '../filters/filter-key.ts'

/** Values kept at most per view; more, and all are dropped. */
const VALUES_MAX = 65_536

/**
 * Facets of searches without words, each by its filter and its request. They depend on nothing
 * else, so every page and every order of a category, and every visitor of the start page, has the
 * same ones until something is written.
 */
export class BrowseFacets {
  readonly #outcomes = new Map<string, FacetOutcome>()
  #values = 0

  find(filter: FilterNode | undefined, request: FacetRequest): FacetOutcome | undefined {
    const key = keyOf(filter, request)
    return key === null ? undefined : this.#outcomes.get(key)
  }

  keep(filter: FilterNode | undefined, request: FacetRequest, outcome: FacetOutcome): void {
    const key = keyOf(filter, request)
    if (key === null || this.#outcomes.has(key)) return
    // A facet without values takes space too.
    this.#values += 1 + outcome.counts.length
    if (this.#values > VALUES_MAX) {
      this.#outcomes.clear()
      this.#values = 1 + outcome.counts.length
    }
    if (this.#values <= VALUES_MAX) this.#outcomes.set(key, outcome)
    else this.#values = 0
  }
}

/** @returns null when the filter names ids, whose meaning changes */
function keyOf(filter: FilterNode | undefined, request: FacetRequest): string | null {
  const key = filter === undefined ? '' : filterKey(filter)
  return key === null ? null : `${keyText(request)} ${key}`
}

/** By view: what is kept ends with it. */
const kept = new WeakMap<object, BrowseFacets>()

/** @param view of one generation, so that what is kept is never out of date */
export function browseFacetsOf(view: object): BrowseFacets {
  let facets = kept.get(view)
  if (facets === undefined) kept.set(view, (facets = new BrowseFacets()))
  return facets
}

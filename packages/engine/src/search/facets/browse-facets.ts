import type { FilterNode } from '../../query/filter.ts'
import type { FacetOutcome, FacetRequest } from '../../query/plan.ts'
import { filterKey, keyText } from '../filters/filter-key.ts'

/** Maximum number of values cached per view; above it, all are dropped. */
const VALUES_MAX = 65_536

/**
 * Caches facets of searches without words, by filter and request. They depend on nothing else, so
 * every page and sort order of a category, and every visitor of the start page, shares them until
 * the next write.
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
    // A facet without values takes memory too.
    this.#values += 1 + outcome.counts.length
    if (this.#values > VALUES_MAX) {
      this.#outcomes.clear()
      this.#values = 1 + outcome.counts.length
    }
    if (this.#values <= VALUES_MAX) this.#outcomes.set(key, outcome)
    else this.#values = 0
  }
}

/** @returns null if the filter names ids, whose meaning changes */
function keyOf(filter: FilterNode | undefined, request: FacetRequest): string | null {
  const key = filter === undefined ? '' : filterKey(filter)
  return key === null ? null : `${keyText(request)} ${key}`
}

/** By view, which bounds the lifetime of the cache. */
const kept = new WeakMap<object, BrowseFacets>()

/** @param view of one generation, so that the cache is never stale */
export function browseFacetsOf(view: object): BrowseFacets {
  let facets = kept.get(view)
  if (facets === undefined) kept.set(view, (facets = new BrowseFacets()))
  return facets
}

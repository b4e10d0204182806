import { createAnalyzer } from '@aisle/engine'
import type { CompletionOutcome, CompletionRequest, SearchOutcome, SearchPlan } from '@aisle/engine'
import type { SearchBackend, SearchView } from '../../ports/search-backend.ts'
import type { Replica } from './replica.ts'

/** Finds the docKey of an external id, for filters on `id`. */
export type FindKey = (catalog: number, id: string) => number | undefined

/** The embedded engine: searches the shared segments in place, on the calling thread. */
export class EmbeddedSearchBackend implements SearchBackend {
  readonly #replica: Replica
  readonly #findKey: FindKey

  constructor(replica: Replica, findKey: FindKey) {
    this.#replica = replica
    this.#findKey = findKey
  }

  view(storeId: string): SearchView | undefined {
    const store = this.#replica.store(storeId)
    if (store === undefined) return undefined
    const { catalog, language, schema, searcher } = this.#replica.index(store)
    const findKey = this.#findKey
    return {
      schema,
      analyzer: createAnalyzer(language),
      resources: store.resources,
      version: store.version,
      docCount: () => store.statistics.docCount,
      search: (plan: SearchPlan): SearchOutcome =>
        searcher.search(plan, (id) => findKey(catalog, id)),
      complete: (plan: SearchPlan, request: CompletionRequest): CompletionOutcome =>
        searcher.complete(plan, request, (id) => findKey(catalog, id)),
      holds: (stems) => stems.map((stem) => searcher.holds(stem)),
      matchingKeys: (filter) => searcher.matchingKeys(filter, (id) => findKey(catalog, id)),
    }
  }
}

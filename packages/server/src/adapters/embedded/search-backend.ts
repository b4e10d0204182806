import { ApiError } from '@aisle/contract'
import { createAnalyzer, queryAnalyzer, type Analyzer } from '@aisle/engine'
import type { Clock } from '../../ports/clock.ts'
import type { SearchBackend, SearchView } from '../../ports/search-backend.ts'
import type { IndexSearcher } from './engine-port.ts'
import type { Replica, ReplicaIndex, ReplicaStore } from './replica.ts'
import { noteUse } from './search-counter.ts'

/** Finds the docKey of an external id, for filters on `id`. */
type FindKey = (catalog: number, id: string) => number | undefined

/** Asks the writer to open the index of a store. Resolves when this thread can search it. */
type OpenIndex = (storeId: string) => Promise<void>

interface SearchBackendOptions {
  readonly findKey: FindKey
  readonly openIndex: OpenIndex
  readonly clock: Clock
}

type Searching = Pick<SearchView, 'search' | 'complete' | 'holds' | 'matchingKeys'>

/** How long a search waits for an index to be opened, which takes some milliseconds. */
const OPEN_MAX_MS = 3_000

/**
 * The embedded engine: searches the shared segments in place, on the calling thread. An index that
 * nobody asked for in a while is closed; the first search of it waits until it is open again.
 */
export class EmbeddedSearchBackend implements SearchBackend {
  readonly #replica: Replica
  readonly #options: SearchBackendOptions
  /** Indexes that the writer was asked for, by store. */
  readonly #opening = new Map<string, Promise<void>>()
  /** What a view does with a searcher, which is one of one catalog. */
  readonly #searching = new WeakMap<IndexSearcher, Searching>()

  constructor(replica: Replica, options: SearchBackendOptions) {
    this.#replica = replica
    this.#options = options
  }

  view(storeId: string): SearchView | undefined {
    const store = this.#replica.store(storeId)
    if (store === undefined) return undefined
    const index = this.#replica.index(store)
    const { catalog, schema, searcher } = index
    noteUse(store.counter, this.#options.clock.now())
    const { search, complete, holds, matchingKeys } =
      searcher === undefined ? this.#closed(store) : this.#open(searcher, catalog)
    return {
      schema,
      analyzer: analyzerOf(index),
      resources: store.resources,
      version: store.version,
      content: store.content,
      docCount: () => store.statistics.docCount,
      search,
      complete,
      holds,
      matchingKeys,
    }
  }

  #open(searcher: IndexSearcher, catalog: number): Searching {
    const known = this.#searching.get(searcher)
    if (known !== undefined) return known
    const findKey = (id: string): number | undefined => this.#options.findKey(catalog, id)
    const searching: Searching = {
      search: (plan) => searcher.search(plan, findKey),
      complete: (plan, request) => searcher.complete(plan, request, findKey),
      holds: (stems) => stems.map((stem) => searcher.holds(stem)),
      matchingKeys: (filter) => searcher.matchingKeys(filter, findKey),
    }
    this.#searching.set(searcher, searching)
    return searching
  }

  #closed(store: ReplicaStore): Searching {
    const { storeId } = store.record
    const { catalog, content } = store
    const opened = async (): Promise<Searching> => {
      await this.#opened(storeId)
      const now = this.#replica.store(storeId)
      const searcher = now?.index?.searcher
      if (searcher === undefined || now?.catalog !== catalog || now.content !== content)
        throw notNow()
      return this.#open(searcher, catalog)
    }
    return {
      search: async (plan) => (await opened()).search(plan),
      complete: async (plan, request) => (await opened()).complete(plan, request),
      holds: async (stems) => (await opened()).holds(stems),
      matchingKeys: async (filter) => (await opened()).matchingKeys(filter),
    }
  }

  async #opened(storeId: string): Promise<void> {
    let opening = this.#opening.get(storeId)
    if (opening === undefined) {
      opening = this.#options.openIndex(storeId).finally(() => this.#opening.delete(storeId))
      opening.catch(() => undefined)
      this.#opening.set(storeId, opening)
    }
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(notNow()), OPEN_MAX_MS)
    try {
      await Promise.race([opening, late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Of queries. It is looked for once while the index is the same. */
const analyzers = new WeakMap<ReplicaIndex, Analyzer>()

function analyzerOf(index: ReplicaIndex): Analyzer {
  let analyzer = analyzers.get(index)
  if (analyzer === undefined) {
    analyzer = queryAnalyzer(createAnalyzer(index.language), index.schema)
    analyzers.set(index, analyzer)
  }
  return analyzer
}

function notNow(): ApiError {
  return new ApiError('unavailable', 'The index of the store is being opened', {
    retryAfterSeconds: 1,
  })
}

import { ApiError } from '@aisle/contract'
import { createAnalyzer, queryAnalyzer, type Analyzer } from '@aisle/engine'
import type { Awaitable } from '../../ports/awaitable.ts'
import type { Clock } from '../../ports/host/clock.ts'
import type { SearchBackend, SearchView } from '../../ports/search/search-backend.ts'
import { inTurns, ONE_TURN, type Turns } from '../../ports/search/turns.ts'
import type { IndexSearcher, SnapshotSearcher } from './engine-port.ts'
import type { Replica, ReplicaIndex } from './replica.ts'
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

/** How long a search waits for an index to be opened, which takes some milliseconds. */
const OPEN_MAX_MS = 3_000

/**
 * The embedded engine: searches the shared segments in place, on the calling thread, in the turns
 * of its request. An index that was not used for a while is closed; its next search waits until it
 * is open again.
 */
export class EmbeddedSearchBackend implements SearchBackend {
  readonly #replica: Replica
  readonly #options: SearchBackendOptions
  /** Indexes that the writer is opening, by store. */
  readonly #opening = new Map<string, Promise<void>>()

  constructor(replica: Replica, options: SearchBackendOptions) {
    this.#replica = replica
    this.#options = options
  }

  view(storeId: string, turns: Turns = ONE_TURN): SearchView | undefined {
    const store = this.#replica.store(storeId)
    if (store === undefined) return undefined
    const index = this.#replica.index(store)
    const { catalog, searcher } = index
    const { content } = store
    noteUse(store.counter, this.#options.clock.now())
    const findKey = (id: string): number | undefined => this.#options.findKey(catalog, id)
    // A search that rests continues on the snapshot with which the view was used first.
    let snapshot: SnapshotSearcher | undefined
    const ask = <T>(question: (snapshot: SnapshotSearcher) => Awaitable<T>): Awaitable<T> => {
      snapshot ??= searcher?.current()
      if (snapshot !== undefined) return question(snapshot)
      return this.#opened(storeId, catalog, content).then((opened) =>
        question((snapshot ??= opened.current())),
      )
    }
    return {
      schema: index.schema,
      analyzer: analyzerOf(index),
      resources: store.resources,
      version: store.version,
      content,
      docCount: () => store.statistics.docCount,
      search: (plan) => ask((one) => inTurns(one.steps(plan, findKey, turns.isDue), turns)),
      complete: (plan, request) =>
        ask((one) => inTurns(one.completionSteps(plan, request, findKey, turns.isDue), turns)),
      holds: (stems) => ask((one) => stems.map((stem) => one.holds(stem))),
      matchingKeys: (filter, deadlineMs) =>
        ask((one) =>
          inTurns(one.matchingKeySteps(filter, findKey, turns.isDue, deadlineMs), turns),
        ),
    }
  }

  /** Opens the closed index of a store. @throws ApiError unavailable if that takes long */
  async #opened(storeId: string, catalog: number, content: string): Promise<IndexSearcher> {
    await this.#open(storeId)
    const now = this.#replica.store(storeId)
    const searcher = now?.index?.searcher
    if (searcher === undefined || now?.catalog !== catalog || now.content !== content)
      throw notNow()
    return searcher
  }

  async #open(storeId: string): Promise<void> {
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

/** The word finder for queries, looked up once per index. */
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
  return new ApiError('unavailable', 'The index of the store is being opened: try again', {
    retryAfterSeconds: 1,
  })
}

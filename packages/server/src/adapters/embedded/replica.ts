import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import type { Schema, SearchOutcome } from '@aisle/engine'
import { AccessTable } from '../../domain/access/access-table.ts'
import { ResourceTable } from '../../domain/store/resource.ts'
import type { StoreRecord, StoreStatistics } from '../../ports/catalog/store-registry.ts'
import type { IndexSearcher } from './engine-port.ts'
import { currentGeneration, isBehind, type Generation } from './generation.ts'
import type { Publication, PublishedIndex } from './publication.ts'
import type { SearchCounter } from './search-counter.ts'

/** The state of one store on a serving thread. */
export interface ReplicaStore {
  record: StoreRecord
  statistics: StoreStatistics
  resources: ResourceTable
  /** The catalog of its documents. */
  catalog: number
  /** See `SearchView.content`. */
  content: string
  /** Version of everything that decides its results; see publication.ts. */
  version: number
  readonly counter: SearchCounter
  /** `undefined` while the index is being loaded. */
  index: ReplicaIndex | undefined
}

export interface ReplicaIndex {
  readonly catalog: number
  /** Number of the index; absent without a schema. */
  readonly index?: number
  readonly language: string
  readonly schema: Schema | undefined
  /** Absent while the index is closed. */
  readonly searcher: IndexSearcher | undefined
}

/**
 * A serving thread's copy of the registry and its handles on the shared indexes. `sync` is called
 * before every access: it costs an atomic load unless something changed.
 */
export class Replica {
  readonly #port: MessagePort
  readonly #generation: Generation
  readonly #createSearcher: () => IndexSearcher
  readonly #onApplied: () => void
  readonly #stores = new Map<string, ReplicaStore>()
  readonly #access = new AccessTable()
  #applied: number
  /** Resolves when every store is known, searchable or not. */
  readonly announced: Promise<void>
  readonly #announce: () => void
  #isAnnounced = false

  /** @param onApplied called after a round was applied: time to renew the view of the documents */
  constructor(
    port: MessagePort,
    generation: Generation,
    createSearcher: () => IndexSearcher,
    onApplied: () => void,
  ) {
    this.#port = port
    this.#generation = generation
    this.#createSearcher = createSearcher
    this.#onApplied = onApplied
    this.#applied = currentGeneration(generation) - 1
    const { promise, resolve } = Promise.withResolvers<void>()
    this.announced = promise
    this.#announce = resolve
    // An idle thread must not keep old segments alive, nor let messages pile up.
    port.on('message', (publication: Publication) => this.#apply(publication))
  }

  /** Applies everything acknowledged before this call. */
  sync(): void {
    const current = currentGeneration(this.#generation)
    while (isBehind(this.#applied, current)) {
      const received = receiveMessageOnPort(this.#port)
      // The writer posts before it raises the number, so the messages have arrived.
      if (received === undefined) throw new Error('A generation was announced but not published')
      this.#apply(received.message as Publication)
    }
  }

  /** Returns a store as of the newest acknowledged write. */
  store(storeId: string): ReplicaStore | undefined {
    this.sync()
    return this.#stores.get(storeId)
  }

  /** Returns a store without `sync`, to finish work that began in this turn. */
  knownStore(storeId: string): ReplicaStore | undefined {
    return this.#stores.get(storeId)
  }

  /**
   * Returns the catalog of documents without `sync`: the catalog of the store, unless a swap moved
   * the documents to another store since the view was taken.
   */
  knownCatalog(storeId: string, content?: string): number | undefined {
    const store = this.#stores.get(storeId)
    if (content === undefined || store?.content === content) return store?.catalog
    return this.#stores.values().find((other) => other.content === content)?.catalog
  }

  stores(): ReplicaStore[] {
    this.sync()
    return [...this.#stores.values()]
  }

  /** Returns users and sessions as of the newest acknowledged change. */
  access(): AccessTable {
    this.sync()
    return this.#access
  }

  /** Returns the searchable index of a store. Throws ApiError `unavailable` while there is none. */
  index(store: ReplicaStore): ReplicaIndex {
    if (store.index !== undefined) return store.index
    throw new ApiError('unavailable', 'The store is being loaded: try again', {
      retryAfterSeconds: 2,
    })
  }

  /** Describes what is not searchable yet, in words; empty if everything is. */
  starting(): string[] {
    this.sync()
    if (!this.#isAnnounced) return ['documents']
    return [...this.#stores.values()]
      .filter((store) => store.index === undefined)
      .map((store) => `store ${store.record.storeId}`)
  }

  #apply(publication: Publication): void {
    switch (publication.kind) {
      case 'store':
        this.#applyStore(publication)
        break
      case 'resources':
        this.#applyResources(publication)
        break
      case 'swapped':
        this.#applySwap(publication)
        break
      case 'access':
        this.#access.apply(publication.change)
        break
      case 'removed':
        this.#stores.delete(publication.storeId)
        break
      case 'announced':
        this.#isAnnounced = true
        this.#announce()
        break
      case 'generation':
        this.#applied = publication.generation
        this.#onApplied()
        break
    }
  }

  #applyResources({ storeId, change, version }: Publication & { kind: 'resources' }): void {
    const store = this.#stores.get(storeId)
    if (store === undefined) return
    store.resources = store.resources.after(change)
    if (version !== undefined) store.version = version
  }

  #applySwap({ storeIds, versions }: Publication & { kind: 'swapped' }): void {
    const [a, b] = storeIds.map((storeId) => this.#stores.get(storeId)!) as [
      ReplicaStore,
      ReplicaStore,
    ]
    // The rest belongs to the store: its record and its search counter.
    const { statistics, resources, catalog, content, index } = a
    Object.assign(a, {
      statistics: b.statistics,
      resources: b.resources,
      catalog: b.catalog,
      content: b.content,
      index: b.index,
      version: versions![0],
    } satisfies Partial<ReplicaStore>)
    Object.assign(b, {
      statistics,
      resources,
      catalog,
      content,
      index,
      version: versions![1],
    } satisfies Partial<ReplicaStore>)
  }

  #applyStore(publication: Publication & { kind: 'store' }): void {
    const { storeId, record, statistics, index, content, counter, version } = publication
    let store = this.#stores.get(storeId)
    if (store === undefined) {
      if (record === undefined || index === undefined || counter === undefined) {
        throw new Error(`Store "${storeId}" was published only in part`)
      }
      store = {
        record,
        statistics: NO_STATISTICS,
        resources: ResourceTable.empty,
        catalog: index.catalog,
        content: '',
        version: 0,
        counter,
        index: undefined,
      }
      this.#stores.set(storeId, store)
    }
    if (record !== undefined) store.record = record
    if (statistics !== undefined) store.statistics = statistics
    if (version !== undefined) store.version = version
    if (content !== undefined) store.content = content
    if (index === undefined) return
    store.catalog = index.catalog
    store.index = this.#applyIndex(store.index, index)
  }

  #applyIndex(
    before: ReplicaIndex | undefined,
    published: PublishedIndex,
  ): ReplicaIndex | undefined {
    switch (published.kind) {
      case 'loading':
        return undefined
      case 'empty':
        return { ...published, schema: undefined, searcher: NO_SEARCHER }
      case 'closed':
        before?.searcher?.release()
        return { ...published, searcher: undefined }
      case 'searchable': {
        const { catalog, index, language, schema, snapshot } = published
        // Caches of the searcher live as long as the index.
        const kept = before?.index === index ? before.searcher : undefined
        const searcher = kept ?? this.#createSearcher()
        searcher.update(snapshot)
        return { catalog, index, language, schema, searcher }
      }
    }
  }
}

const NOTHING_FOUND: SearchOutcome = {
  found: 0,
  hits: [],
  facets: [],
  cutoff: false,
  matchedTerms: 'all',
  expansions: [],
}

// oxlint-disable-next-line require-yield
function* inOneStep<T>(result: T): Generator<void, T> {
  return result
}

/** A store without a schema has no documents. */
const NO_SEARCHER: IndexSearcher = {
  update: () => undefined,
  release: () => undefined,
  current: () => ({
    steps: () => inOneStep(NOTHING_FOUND),
    completionSteps: () => inOneStep({ docCount: 0, completions: [], cutoff: false }),
    holds: () => false,
    matchingKeySteps: () => inOneStep(new Float64Array()),
  }),
}

const NO_STATISTICS: StoreStatistics = {
  docCount: 0,
  indexBytes: 0,
  diskBytes: 0,
  documentBytes: 0,
  segmentCount: 0,
  language: 'en',
}

import { ApiError } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import { ResourceTable, type Resource, type ResourceChange } from '../../domain/store/resource.ts'
import type { DeclaredField } from '../../domain/documents/schema-rules.ts'
import { NO_COUNTERS } from '../../ports/catalog/document-store.ts'
import type { CatalogCounters, StoreRow } from '../../ports/catalog/document-store.ts'
import type { StoreRecord } from '../../ports/catalog/store-registry.ts'
import type { Publication } from './publication.ts'
import type { Reanalysis } from './reanalysis.ts'
import type { Reaper } from './reaper.ts'
import type { RestingIndexes } from './resting-indexes.ts'
import type { StoreLoader } from './store-loader.ts'
import { contentOf, publishedIndexOf, statisticsOf, type StoreState } from './store-state.ts'
import type { WriterOptions } from './writer-options.ts'

/** The writer's table of stores, and every change of a whole store. */
export class StoreTable {
  readonly #options: WriterOptions
  readonly #states = new Map<string, StoreState>()
  readonly #loader: StoreLoader
  readonly #reaper: Reaper
  readonly #reanalysis: Reanalysis
  readonly #resting: RestingIndexes
  #nextStoreNumber = 1
  #nextCatalog = 1

  constructor(
    options: WriterOptions,
    loader: StoreLoader,
    reaper: Reaper,
    reanalysis: Reanalysis,
    resting: RestingIndexes,
  ) {
    this.#options = options
    this.#resting = resting
    this.#loader = loader
    this.#reaper = reaper
    this.#reanalysis = reanalysis
  }

  /** Reads the stores, announces them, loads their indexes. Resolves when all are searchable. */
  async open(): Promise<void> {
    const { documents, indexes } = this.#options
    const rows = documents.stores()
    const catalogs = new Set(rows.map((row) => row.catalog))
    const numbers = new Set(rows.flatMap((row) => [row.index, row.reanalysis?.index ?? row.index]))
    const [keptCatalogs, keptNumbers] = [documents.catalogs(), indexes.numbers()]
    const hasFiles = new Set(keptNumbers)
    const known = [...catalogs, ...numbers, ...keptCatalogs, ...keptNumbers]
    // Numbers are reused only after everything with them is removed.
    this.#nextCatalog = Math.max(0, ...known) + 1
    this.#nextStoreNumber = Math.max(0, ...rows.map((row) => row.storeNumber)) + 1
    for (const one of keptCatalogs) if (!catalogs.has(one)) this.#reaper.abandonCatalog(one)
    for (const one of keptNumbers) if (!numbers.has(one)) await indexes.remove(one)
    for (const row of rows) {
      const counters = documents.counters(row.catalog)
      const state = this.add(row, counters, documents.resources(row.storeNumber))
      // Small stores with files are opened when they are used, or when there is time.
      if (this.#resting.mayRest(state) && hasFiles.has(row.index)) {
        state.closed = { fileBytes: indexes.fileBytes(row.index) }
      } else state.loading = true
    }
    const states = [...this.#states.values()]
    this.#options.progress?.begin(
      states.length,
      states.reduce((sum, { counters }) => sum + counters.docCount, 0),
    )
    for (const state of states) {
      this.#publish(state, { record: true })
      this.publishResources(state, { puts: state.resources.all(), removes: [] })
    }
    this.#options.publisher.add({ kind: 'announced' })
    this.#options.publisher.advance()
    // Small stores first: most of them are searchable within moments.
    states.sort((a, b) => a.counters.docCount - b.counters.docCount)
    for (const { closed, counters } of states) {
      if (closed !== undefined) this.#options.progress?.finishStore(counters.docCount)
    }
    await Promise.all(
      states.map(async (state) => {
        if (state.closed !== undefined) return
        await this.#loader.load(state)
        this.#options.progress?.finishStore(state.counters.docCount)
      }),
    )
    for (const state of states) this.#reanalysis.start(state)
  }

  all(): Iterable<StoreState> {
    return this.#states.values()
  }

  has(storeId: string): boolean {
    return this.#states.has(storeId)
  }

  find(storeId: string): StoreState | undefined {
    return this.#states.get(storeId)
  }

  /** Returns the store whose index, or next index, has this number; undefined if there is none. */
  storeOfIndex(index: number): string | undefined {
    for (const [storeId, { row }] of this.#states) {
      if (row.index === index || row.reanalysis?.index === index) return storeId
    }
    return undefined
  }

  /** Throws `store_not_found`. */
  existing(storeId: string): StoreState {
    const state = this.#states.get(storeId)
    if (state !== undefined) return state
    throw new ApiError('store_not_found', 'There is no store with this id')
  }

  /**
   * Opens the index of a store if it is closed, which a write must wait for.
   *
   * @returns undefined if there is nothing to wait for
   */
  opened(storeId: string): Promise<void> | undefined {
    const state = this.#states.get(storeId)
    const closed = state?.closed
    if (state === undefined || closed === undefined) return undefined
    closed.opening ??= this.#loader.reopen(state).finally(() => {
      closed.opening = undefined
      this.#resting.opened(state)
    })
    return closed.opening
  }

  /** Throws `store_not_found`, or `unavailable` while the store is being loaded. */
  writable(storeId: string): StoreState {
    const state = this.loaded(storeId)
    // The write has waited so long that the index was closed again.
    if (state.closed !== undefined) throw beingLoaded()
    return state
  }

  /** Returns the store even while its index is closed. */
  loaded(storeId: string): StoreState {
    const state = this.existing(storeId)
    if (state.loading || state.closed?.opening !== undefined) throw beingLoaded()
    return state
  }

  /** Returns a number that no catalog and no index ever had. */
  nextCatalog(): number {
    return this.#nextCatalog++
  }

  nextStoreNumber(): number {
    return this.#nextStoreNumber++
  }

  add(row: StoreRow, counters: CatalogCounters, resources: readonly Resource[] = []): StoreState {
    const state: StoreState = {
      row,
      resources: ResourceTable.of(resources),
      counters,
      shown: counters,
      pending: new Map(),
      settledGroup: 0,
      index: undefined,
      closed: undefined,
      loading: false,
      next: undefined,
      reanalysisFailed: false,
    }
    this.#states.set(row.storeId, state)
    return state
  }

  remove(storeId: string): void {
    this.#states.delete(storeId)
  }

  /**
   * Swaps the contents of two stores. Rows and resources are stored under the number of the
   * content, so the two rows swap their owners and nothing else is written.
   */
  async swap(a: StoreState, b: StoreState): Promise<void> {
    const [rowOfA, rowOfB] = [ownedBy(b.row, a.row), ownedBy(a.row, b.row)]
    await this.#options.documents.commit({
      stores: [rowOfA, rowOfB],
      removedStores: [],
      catalogs: [],
    })
    b.row = rowOfA
    a.row = rowOfB
    this.#states.set(rowOfA.storeId, b)
    this.#states.set(rowOfB.storeId, a)
    this.#options.publisher.add({ kind: 'swapped', storeIds: [rowOfA.storeId, rowOfB.storeId] })
    this.#options.publisher.advance()
  }

  /** Commits the row of a store, its counters, or a change of its resources. */
  commit(
    row: StoreRow | undefined,
    also: {
      readonly counters?: CatalogCounters
      readonly of?: Pick<StoreRow, 'storeNumber'>
      readonly change?: ResourceChange
    } = {},
  ): Promise<void> {
    const { counters, of, change } = also
    return this.#options.documents.commit({
      stores: row === undefined ? [] : [row],
      removedStores: [],
      resources:
        of === undefined || change === undefined
          ? []
          : [{ storeNumber: of.storeNumber, ...change }],
      catalogs:
        counters === undefined || row === undefined
          ? []
          : [{ catalog: row.catalog, counters, puts: [], removedIds: [], buried: [], reaped: [] }],
    })
  }

  /**
   * Points the store at a fresh catalog: a reader sees all of the old documents or none. This also
   * completes a re-analysis in progress.
   */
  async switchCatalog(
    state: StoreState,
    schema: Schema | undefined,
    also: { readonly language?: string; readonly resources?: ResourceChange } = {},
  ): Promise<void> {
    const { reanalysis, ...kept } = state.row
    const catalog = this.nextCatalog()
    const language = also.language ?? reanalysis?.language ?? kept.language
    const row: StoreRow = { ...kept, schema, catalog, index: catalog, language }
    // docKeys continue to ascend, so that one of the old catalog never names a document of the new
    // one.
    const counters: CatalogCounters = {
      ...NO_COUNTERS,
      nextDocKey: state.counters.nextDocKey,
      lastWriteMs: this.#options.clock.now(),
    }
    const index = schema === undefined ? undefined : await this.#loader.openIndex(state, row)
    try {
      const { resources: change } = also
      await this.commit(row, { counters, ...(change === undefined ? {} : { of: row, change }) })
    } catch (error) {
      await index?.close()
      await this.#options.indexes.remove(row.index)
      throw error
    }
    const old = { ...state }
    state.row = row
    state.index = index
    state.next = undefined
    state.reanalysisFailed = false
    state.pending.clear()
    state.counters = counters
    state.shown = counters
    this.show(state, {})
    await this.abandon(old)
  }

  /** Starts to re-analyse the documents in a language, or returns to the serving index. */
  changeLanguage(state: StoreState, language: string, change: ResourceChange): Promise<void> {
    return this.#reanalyse(state, { ...state.row.reanalysis, language }, { change })
  }

  /**
   * Starts to re-analyse the documents by other definitions of fields, or returns to the serving
   * index if there are none.
   */
  redefine(
    state: StoreState,
    fields: readonly DeclaredField[] | undefined,
    schema = state.row.schema,
  ): Promise<void> {
    const language = state.row.reanalysis?.language ?? state.row.language
    return this.#reanalyse(state, { language, fields }, { schema })
  }

  async #reanalyse(
    state: StoreState,
    {
      language,
      fields,
    }: { readonly language: string; readonly fields?: readonly DeclaredField[] | undefined },
    { schema = state.row.schema, change }: { schema?: Schema | undefined; change?: ResourceChange },
  ): Promise<void> {
    const { reanalysis: _, ...before } = state.row
    const row = { ...before, schema }
    const changed: StoreRow =
      language === row.language && fields === undefined
        ? row
        : {
            ...row,
            reanalysis: { index: this.nextCatalog(), language, ...(fields && { fields }) },
          }
    await this.commit(changed, change === undefined ? {} : { of: row, change })
    const old = { next: state.next, row: state.row }
    state.row = changed
    state.next = undefined
    if (schema !== undefined) state.index?.setSchema(schema)
    this.show(state, {})
    await this.#reanalysis.drop(old)
    this.#reanalysis.start(state)
  }

  /**
   * Rebuilds the index of a store from its documents, in its current language, because dictionaries
   * only grow: a rebuild is the only way to remove what deleted documents left in them.
   */
  async renew(state: StoreState): Promise<void> {
    const { row } = state
    const isServing = this.#states.get(row.storeId) === state && !state.loading && !state.closed
    if (!isServing || row.reanalysis !== undefined || state.reanalysisFailed) return
    const changed = { ...row, reanalysis: { index: this.nextCatalog(), language: row.language } }
    await this.commit(changed)
    state.row = changed
    this.show(state, {})
    this.#reanalysis.start(state)
  }

  /**
   * Deletes files at once, because threads hold what they need in memory, and rows after the grace
   * time.
   */
  async abandon(state: Pick<StoreState, 'row' | 'index' | 'next'>): Promise<void> {
    await state.index?.close()
    this.#reaper.abandonCatalog(state.row.catalog)
    await this.#options.indexes.remove(state.row.index)
    await this.#reanalysis.drop(state)
  }

  /** Call `advance` of the publisher afterwards. */
  publishResources({ row }: StoreState, change: ResourceChange): void {
    if (change.puts.length + change.removes.length === 0) return
    this.#options.publisher.add({ kind: 'resources', storeId: row.storeId, change })
  }

  /** Publishes a store, and with `record` its name and keys too. */
  show(state: StoreState, parts: { record?: true }): void {
    this.#publish(state, parts)
    this.#options.publisher.advance()
  }

  #publish(state: StoreState, { record }: { record?: true }): void {
    const { storeId } = state.row
    const publication: Publication & { kind: 'store' } = {
      kind: 'store',
      storeId,
      statistics: statisticsOf(state),
      index: publishedIndexOf(state),
      content: contentOf(state.row),
      ...(record === undefined ? {} : { record: recordOf(state.row) }),
    }
    this.#options.publisher.add(publication)
  }
}

function beingLoaded(): ApiError {
  return new ApiError('unavailable', 'Cannot write now: the store is being loaded. Try again', {
    retryAfterSeconds: 2,
  })
}

/** Returns the content of one row as the content of the store of another. */
function ownedBy(content: StoreRow, owner: StoreRow): StoreRow {
  const { storeNumber, catalog, schema, index, language } = content
  const { reanalysis, previousFields, embedding } = content
  return {
    ...recordOf(owner),
    storeNumber,
    catalog,
    schema,
    index,
    language,
    ...(reanalysis === undefined ? {} : { reanalysis }),
    ...(previousFields === undefined ? {} : { previousFields }),
    ...(embedding === undefined ? {} : { embedding }),
  }
}

/** The record of a store that every thread has. */
export function recordOf({
  storeId,
  name,
  createdAt,
  keys,
  readSecret,
  eventsWriteKey,
}: StoreRow): StoreRecord {
  return { storeId, name, createdAt, keys, readSecret, eventsWriteKey }
}

import { ApiError } from '@aisle/contract'
import { createAnalyzer } from '@aisle/engine'
import type { Field, Schema } from '@aisle/engine'
import { ResourceTable } from '../../domain/store/resource.ts'
import type { Resource, ResourceChange } from '../../domain/store/resource.ts'
import { DEFAULT_LANGUAGE } from '../../domain/store/store-settings.ts'
import { mergeSchema } from '../../domain/documents/schema-rules.ts'
import {
  checkStoreId,
  checkStoreName,
  digestOf,
  newKey,
  newStoreId,
  rotateKeys,
  withKeyUses,
} from '../../domain/access/store-keys.ts'
import type { CreatedStore, KeyKind, KeyUse, SchemaChange } from '../../ports/catalog-writer.ts'
import { NO_COUNTERS } from '../../ports/document-store.ts'
import type { CatalogCounters, StoreRow } from '../../ports/document-store.ts'
import type { StoreRecord } from '../../ports/store-registry.ts'
import type { Publication } from './publication.ts'
import type { Reaper } from './reaper.ts'
import type { Reanalysis } from './reanalysis.ts'
import type { StoreLoader } from './store-loader.ts'
import { publishedIndexOf, statisticsOf } from './store-state.ts'
import type { StoreState } from './store-state.ts'
import type { WriterOptions } from './writer-options.ts'

/**
 * Changes of whole stores. Each runs alone on the writer's loop: it decides, commits, and only then
 * changes what is in memory, so that a failed commit needs no undoing.
 */
export class StoreChanges {
  readonly #options: WriterOptions
  readonly #states: Map<string, StoreState>
  readonly #loader: StoreLoader
  readonly #reaper: Reaper
  readonly #reanalysis: Reanalysis
  #nextStoreNumber = 1
  #nextCatalog = 1

  constructor(
    options: WriterOptions,
    states: Map<string, StoreState>,
    loader: StoreLoader,
    reaper: Reaper,
    reanalysis: Reanalysis,
  ) {
    this.#options = options
    this.#states = states
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
    const known = [...catalogs, ...numbers, ...keptCatalogs, ...keptNumbers]
    // Numbers are taken again only after everything that had them is gone.
    this.#nextCatalog = Math.max(0, ...known) + 1
    this.#nextStoreNumber = Math.max(0, ...rows.map((row) => row.storeNumber)) + 1
    for (const one of keptCatalogs) if (!catalogs.has(one)) this.#reaper.abandonCatalog(one)
    for (const one of keptNumbers) if (!numbers.has(one)) await indexes.remove(one)
    for (const row of rows) {
      const counters = documents.counters(row.catalog)
      const state = this.#addState(row, counters, documents.resources(row.storeNumber))
      state.loading = true
    }
    const states = [...this.#states.values()]
    this.#options.progress?.begin(
      states.length,
      states.reduce((sum, { counters }) => sum + counters.docCount, 0),
    )
    for (const state of states) {
      this.#add(state, { record: true })
      this.#addResources(state, { puts: state.resources.all(), removes: [] })
    }
    this.#options.publisher.add({ kind: 'announced' })
    this.#options.publisher.advance()
    // Small stores first: most of them are searchable within moments.
    states.sort((a, b) => a.counters.docCount - b.counters.docCount)
    await Promise.all(
      states.map(async (state) => {
        await this.#loader.load(state)
        this.#options.progress?.finishStore(state.counters.docCount)
      }),
    )
    for (const state of states) this.#reanalysis.start(state)
  }

  /** Throws `store_not_found`, or `unavailable` while the store is being loaded. */
  writable(storeId: string): StoreState {
    const state = this.#existing(storeId)
    if (!state.loading) return state
    throw new ApiError('unavailable', 'Cannot write now: the store is being loaded', {
      retryAfterSeconds: 2,
    })
  }

  async create(name: string, id: string | undefined): Promise<CreatedStore> {
    checkStoreName(name)
    const storeId = id === undefined ? newStoreId() : checkStoreId(id)
    if (this.#states.has(storeId)) {
      throw new ApiError('store_exists', `Cannot create store "${storeId}": it exists`, {
        param: 'id',
      })
    }
    const readSecret = newKey('read')
    const writeSecret = newKey('write')
    const eventsWriteKey = newKey('events')
    const catalog = this.#nextCatalog++
    const createdMs = this.#options.clock.now()
    const row: StoreRow = {
      storeId,
      name,
      createdAt: new Date(createdMs).toISOString(),
      keys: {
        read: [{ digest: digestOf(readSecret), createdMs }],
        write: [{ digest: digestOf(writeSecret), createdMs }],
        events: [{ digest: digestOf(eventsWriteKey), createdMs }],
      },
      storeNumber: this.#nextStoreNumber++,
      catalog,
      index: catalog,
      language: DEFAULT_LANGUAGE,
      schema: undefined,
      readSecret,
      eventsWriteKey,
    }
    await this.#commit(row, { counters: NO_COUNTERS })
    this.#show(this.#addState(row, NO_COUNTERS), { record: true })
    return { storeId, name, readSecret, writeSecret, eventsWriteKey }
  }

  async delete(storeId: string): Promise<void> {
    const state = this.writable(storeId)
    await this.#options.documents.commit({
      stores: [],
      removedStores: [state.row.storeNumber],
      catalogs: [],
    })
    this.#states.delete(storeId)
    this.#options.publisher.add({ kind: 'removed', storeId })
    this.#options.publisher.advance()
    const gone = { ...state }
    // Holders of the state see that nothing is left to do for it.
    const { reanalysis: _, ...row } = gone.row
    state.row = row
    state.next = undefined
    state.loading = true
    await this.#abandon(gone)
  }

  async rename(storeId: string, name: string): Promise<void> {
    checkStoreName(name)
    const state = this.#existing(storeId)
    const row: StoreRow = { ...state.row, name }
    await this.#commit(row)
    state.row = row
    this.#show(state, { record: true })
  }

  async rotateKey(
    storeId: string,
    kind: KeyKind,
    graceSeconds: number,
  ): Promise<{ secret: string; previousValidUntil: string }> {
    const state = this.#existing(storeId)
    const secret = newKey(kind)
    const { keys, previousValidUntil } = rotateKeys(state.row.keys[kind] ?? [], digestOf(secret), {
      secret: kind === 'signing' ? secret : undefined,
      graceSeconds,
      nowMs: this.#options.clock.now(),
    })
    const row: StoreRow = {
      ...state.row,
      keys: { ...state.row.keys, [kind]: keys },
      ...(kind === 'read' ? { readSecret: secret } : {}),
      ...(kind === 'events' ? { eventsWriteKey: secret } : {}),
    }
    await this.#commit(row)
    state.row = row
    this.#show(state, { record: true })
    return { secret, previousValidUntil }
  }

  /** @returns whether there was one */
  async revokePreviousKey(storeId: string, kind: KeyKind): Promise<boolean> {
    const state = this.#existing(storeId)
    const kept = state.row.keys[kind] ?? []
    const current = kept.filter((key) => key.validUntilMs === undefined)
    if (current.length === kept.length) return false
    const row: StoreRow = { ...state.row, keys: { ...state.row.keys, [kind]: current } }
    await this.#commit(row)
    state.row = row
    this.#show(state, { record: true })
    return true
  }

  async noteKeyUses(uses: readonly KeyUse[]): Promise<void> {
    const rows: StoreRow[] = []
    for (const [storeId, ofStore] of Map.groupBy(uses, (use) => use.storeId)) {
      const row = this.#states.get(storeId)?.row
      if (row === undefined) continue
      const keys = withKeyUses(row.keys, ofStore)
      if (keys !== row.keys) rows.push({ ...row, keys })
    }
    if (rows.length === 0) return
    await this.#options.documents.commit({ stores: rows, removedStores: [], catalogs: [] })
    for (const row of rows) {
      this.#existing(row.storeId).row = row
      this.#options.publisher.add({ kind: 'store', storeId: row.storeId, record: recordOf(row) })
    }
    this.#options.publisher.advance()
  }

  /** @returns whether it was done */
  async changeResources(
    storeId: string,
    change: ResourceChange,
    language?: string,
  ): Promise<boolean> {
    const state = language === undefined ? this.#existing(storeId) : this.writable(storeId)
    if (!state.resources.accepts(change)) return false
    const { row } = state
    const wanted = createAnalyzer(language ?? row.language).language
    const isKept =
      language === undefined ||
      (wanted === (row.reanalysis?.language ?? row.language) && !state.reanalysisFailed)
    if (isKept) {
      await this.#commit(undefined, { of: row, change })
    } else if (state.counters.docCount === 0) {
      await this.#switchCatalog(state, row.schema, { language: wanted, resources: change })
    } else {
      await this.#changeLanguage(state, wanted, change)
    }
    state.resources = state.resources.after(change)
    this.#addResources(state, change)
    this.#options.publisher.advance()
    return true
  }

  /** Starts to re-analyse the documents, or returns to the language that still serves. */
  async #changeLanguage(
    state: StoreState,
    language: string,
    change: ResourceChange,
  ): Promise<void> {
    const { reanalysis: _, ...row } = state.row
    const changed: StoreRow =
      language === row.language
        ? row
        : { ...row, reanalysis: { index: this.#nextCatalog++, language } }
    await this.#commit(changed, { of: row, change })
    const old = { next: state.next, row: state.row }
    state.row = changed
    state.next = undefined
    this.#show(state, {})
    await this.#reanalysis.drop(old)
    this.#reanalysis.start(state)
  }

  /**
   * Rebuilds the index of a store from its documents, in its current language: dictionaries are
   * only ever added to, and what documents that are gone have left in them goes in no other way.
   */
  async renew(state: StoreState): Promise<void> {
    const { row } = state
    const isServing = this.#states.get(row.storeId) === state && !state.loading
    if (!isServing || row.reanalysis !== undefined || state.reanalysisFailed) return
    const changed = { ...row, reanalysis: { index: this.#nextCatalog++, language: row.language } }
    await this.#commit(changed)
    state.row = changed
    this.#show(state, {})
    this.#reanalysis.start(state)
  }

  async changeSchema(
    storeId: string,
    mode: 'additive' | 'replace',
    fields: readonly Field[],
  ): Promise<SchemaChange> {
    const state = this.writable(storeId)
    const { schema, change } = mergeSchema(state.row.schema, mode, fields)
    if (mode === 'replace') {
      await this.#switchCatalog(state, schema)
      return change
    }
    if (schema === state.row.schema) return change
    const row = { ...state.row, schema }
    await this.#commit(row)
    state.row = row
    if (state.index === undefined) {
      state.index = await this.#loader.openIndex(state, row)
    } else {
      state.index.setSchema(schema)
      state.next?.index.setSchema(schema)
    }
    this.#show(state, {})
    return change
  }

  /** @returns documents deleted */
  async clear(storeId: string): Promise<number> {
    const state = this.writable(storeId)
    const { docCount } = state.counters
    if (docCount > 0) await this.#switchCatalog(state, state.row.schema)
    return docCount
  }

  /**
   * Points the store at a fresh catalog: a reader sees all of the old documents or none. A change
   * of language that is under way is done with that.
   */
  async #switchCatalog(
    state: StoreState,
    schema: Schema | undefined,
    also: { readonly language?: string; readonly resources?: ResourceChange } = {},
  ): Promise<void> {
    const { reanalysis, ...kept } = state.row
    const catalog = this.#nextCatalog++
    const language = also.language ?? reanalysis?.language ?? kept.language
    const row: StoreRow = { ...kept, schema, catalog, index: catalog, language }
    // docKeys go on ascending, so that one of the old catalog never names a document of the new
    // one.
    const counters: CatalogCounters = {
      ...NO_COUNTERS,
      nextDocKey: state.counters.nextDocKey,
      lastWriteMs: this.#options.clock.now(),
    }
    const index = schema === undefined ? undefined : await this.#loader.openIndex(state, row)
    try {
      const { resources: change } = also
      await this.#commit(row, { counters, ...(change === undefined ? {} : { of: row, change }) })
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
    this.#show(state, {})
    await this.#abandon(old)
  }

  #commit(
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

  #existing(storeId: string): StoreState {
    const state = this.#states.get(storeId)
    if (state !== undefined) return state
    throw new ApiError('store_not_found', 'There is no store of that id')
  }

  #addState(
    row: StoreRow,
    counters: CatalogCounters,
    resources: readonly Resource[] = [],
  ): StoreState {
    const state: StoreState = {
      row,
      resources: ResourceTable.of(resources),
      counters,
      shown: counters,
      pending: new Map(),
      settledGroup: 0,
      index: undefined,
      loading: false,
      next: undefined,
      reanalysisFailed: false,
    }
    this.#states.set(row.storeId, state)
    return state
  }

  /** Rows go after the grace time, files at once: threads have what they need in memory. */
  async #abandon(state: Pick<StoreState, 'row' | 'index' | 'next'>): Promise<void> {
    await state.index?.close()
    this.#reaper.abandonCatalog(state.row.catalog)
    await this.#options.indexes.remove(state.row.index)
    await this.#reanalysis.drop(state)
  }

  #addResources({ row }: StoreState, change: ResourceChange): void {
    if (change.puts.length + change.removes.length === 0) return
    this.#options.publisher.add({ kind: 'resources', storeId: row.storeId, change })
  }

  #show(state: StoreState, parts: { record?: true }): void {
    this.#add(state, parts)
    this.#options.publisher.advance()
  }

  #add(state: StoreState, { record }: { record?: true }): void {
    const { storeId } = state.row
    const publication: Publication & { kind: 'store' } = {
      kind: 'store',
      storeId,
      statistics: statisticsOf(state),
      index: publishedIndexOf(state),
      ...(record === undefined ? {} : { record: recordOf(state.row) }),
    }
    this.#options.publisher.add(publication)
  }
}

/** What every thread knows of a store. */
function recordOf({
  storeId,
  name,
  createdAt,
  keys,
  readSecret,
  eventsWriteKey,
}: StoreRow): StoreRecord {
  return { storeId, name, createdAt, keys, readSecret, eventsWriteKey }
}

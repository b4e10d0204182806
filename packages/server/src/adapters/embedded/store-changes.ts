import { ApiError } from '@aisle/contract'
import type { Field, Schema } from '@aisle/engine'
import { ResourceTable } from '../../domain/resource.ts'
import type { Resource, ResourceChange } from '../../domain/resource.ts'
import { mergeSchema } from '../../domain/schema-rules.ts'
import {
  checkStoreId,
  checkStoreName,
  digestOf,
  newKey,
  newStoreId,
  rotateKeys,
} from '../../domain/store-keys.ts'
import type { CreatedStore, KeyKind, SchemaChange } from '../../ports/catalog-writer.ts'
import { NO_COUNTERS } from '../../ports/document-store.ts'
import type { CatalogCounters, StoreRow } from '../../ports/document-store.ts'
import type { Publication } from './publication.ts'
import type { Reaper } from './reaper.ts'
import type { StoreLoader } from './store-loader.ts'
import { publishedIndexOf, statisticsOf } from './store-state.ts'
import type { StoreState } from './store-state.ts'
import type { WriterOptions } from './writer.ts'

/**
 * Changes of whole stores. Each runs alone on the writer's loop: it decides, commits, and only then
 * changes what is in memory, so that a failed commit needs no undoing.
 */
export class StoreChanges {
  readonly #options: WriterOptions
  readonly #states: Map<string, StoreState>
  readonly #loader: StoreLoader
  readonly #reaper: Reaper
  #nextStoreNumber = 1
  #nextCatalog = 1

  constructor(
    options: WriterOptions,
    states: Map<string, StoreState>,
    loader: StoreLoader,
    reaper: Reaper,
  ) {
    this.#options = options
    this.#states = states
    this.#loader = loader
    this.#reaper = reaper
  }

  /** Reads the stores, announces them, loads their indexes. Resolves when all are searchable. */
  async open(): Promise<void> {
    const { documents, indexes } = this.#options
    const rows = documents.stores()
    const used = new Set(rows.map((row) => row.catalog))
    const known = new Set([...used, ...documents.catalogs(), ...indexes.catalogs()])
    // Numbers are taken again only after everything that had them is gone.
    this.#nextCatalog = Math.max(0, ...known) + 1
    this.#nextStoreNumber = Math.max(0, ...rows.map((row) => row.storeNumber)) + 1
    for (const catalog of known) if (!used.has(catalog)) await this.#abandon(catalog)
    for (const row of rows) {
      const counters = documents.counters(row.catalog)
      const state = this.#addState(row, counters, documents.resources(row.storeNumber))
      state.loading = true
    }
    const states = [...this.#states.values()]
    for (const state of states) {
      this.#add(state, { record: true })
      this.#addResources(state, { puts: state.resources.all(), removes: [] })
    }
    this.#options.publisher.add({ kind: 'announced' })
    this.#options.publisher.advance()
    // Small stores first: most of them are searchable within moments.
    states.sort((a, b) => a.counters.docCount - b.counters.docCount)
    await Promise.all(states.map((state) => this.#loader.load(state)))
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
    const row: StoreRow = {
      storeId,
      name,
      createdAt: new Date(this.#options.clock.now()).toISOString(),
      keys: {
        read: [{ digest: digestOf(readSecret) }],
        write: [{ digest: digestOf(writeSecret) }],
        events: [{ digest: digestOf(eventsWriteKey) }],
      },
      storeNumber: this.#nextStoreNumber++,
      catalog: this.#nextCatalog++,
      schema: undefined,
      readSecret,
      eventsWriteKey,
    }
    await this.#commit(row, NO_COUNTERS)
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
    await this.#dropIndex(state)
    await this.#abandon(state.row.catalog)
  }

  async rotateKey(
    storeId: string,
    kind: KeyKind,
    graceSeconds: number,
  ): Promise<{ secret: string; previousValidUntil: string }> {
    const state = this.#existing(storeId)
    const secret = newKey(kind)
    const { keys, previousValidUntil } = rotateKeys(state.row.keys[kind], digestOf(secret), {
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

  /** @returns whether it was done */
  async changeResources(storeId: string, change: ResourceChange): Promise<boolean> {
    const state = this.#existing(storeId)
    if (!state.resources.accepts(change)) return false
    await this.#options.documents.commit({
      stores: [],
      removedStores: [],
      resources: [{ storeNumber: state.row.storeNumber, ...change }],
      catalogs: [],
    })
    state.resources.apply(change)
    this.#addResources(state, change)
    this.#options.publisher.advance()
    return true
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
      state.index = await this.#loader.openIndex(state, row.catalog, schema)
    } else {
      state.index.setSchema(schema)
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

  /** Points the store at a fresh catalog: a reader sees all of the old documents or none. */
  async #switchCatalog(state: StoreState, schema: Schema | undefined): Promise<void> {
    const row = { ...state.row, schema, catalog: this.#nextCatalog++ }
    // docKeys go on ascending, so that one of the old catalog never names a document of the new one.
    const counters: CatalogCounters = {
      ...NO_COUNTERS,
      nextDocKey: state.counters.nextDocKey,
      lastWriteMs: this.#options.clock.now(),
    }
    const index =
      schema === undefined ? undefined : await this.#loader.openIndex(state, row.catalog, schema)
    try {
      await this.#commit(row, counters)
    } catch (error) {
      await index?.close()
      await this.#options.indexes.remove(row.catalog)
      throw error
    }
    const old = { ...state }
    state.row = row
    state.index = index
    state.pending.clear()
    state.counters = counters
    state.shown = counters
    this.#show(state, {})
    await this.#dropIndex(old)
    await this.#abandon(old.row.catalog)
  }

  #commit(row: StoreRow, counters?: CatalogCounters): Promise<void> {
    const { catalog } = row
    return this.#options.documents.commit({
      stores: [row],
      removedStores: [],
      catalogs:
        counters === undefined
          ? []
          : [{ catalog, counters, puts: [], removedIds: [], buried: [], reaped: [] }],
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
      resources: new ResourceTable(resources),
      counters,
      shown: counters,
      pending: new Map(),
      settledGroup: 0,
      index: undefined,
      loading: false,
    }
    this.#states.set(row.storeId, state)
    return state
  }

  async #dropIndex(state: StoreState): Promise<void> {
    await state.index?.close()
  }

  /** Rows go after the grace time, files at once: threads have what they need in memory. */
  async #abandon(catalog: number): Promise<void> {
    this.#reaper.abandonCatalog(catalog)
    await this.#options.indexes.remove(catalog)
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
    const { storeId, name, createdAt, keys } = state.row
    const publication: Publication & { kind: 'store' } = {
      kind: 'store',
      storeId,
      statistics: statisticsOf(state),
      index: publishedIndexOf(state),
      ...(record === undefined ? {} : { record: { storeId, name, createdAt, keys } }),
    }
    this.#options.publisher.add(publication)
  }
}

import { ApiError } from '@aisle/contract'
import { createAnalyzer } from '@aisle/engine'
import {
  checkStoreId,
  checkStoreName,
  digestOf,
  newKey,
  newStoreId,
  rotateKeys,
  withKeyUses,
} from '../../domain/access/store-keys.ts'
import { mergeSchema } from '../../domain/documents/schema-rules.ts'
import { requireStamp } from '../../domain/documents/schema-state.ts'
import { DEFAULT_LANGUAGE } from '../../domain/values/language-tag.ts'
import type {
  CatalogWriter,
  CreatedStore,
  DeclaredField,
  DocumentVersion,
  DocumentWrite,
  FieldsChange,
  KeyKind,
  KeyUse,
  ResourceChange,
  SchemaChange,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../../ports/catalog/catalog-writer.ts'
import { NO_COUNTERS, type StoreRow } from '../../ports/catalog/document-store.ts'
import { DocumentWrites } from './document-writes.ts'
import { Embedding } from './embedding.ts'
import { LoopTurns } from './loop-turns.ts'
import { Reanalysis } from './reanalysis.ts'
import { Redefinition } from './redefinition.ts'
import { Reaper } from './reaper.ts'
import { RestingIndexes } from './resting-indexes.ts'
import { StoreLoader } from './store-loader.ts'
import { nextSchemaOf, schemaStateOf } from './store-state.ts'
import { recordOf, StoreTable } from './store-table.ts'
import type { WriterOptions } from './writer-options.ts'

/** The writer's own operations take the turns of this name, which no store can have. */
const OWN = ''

/**
 * The only writer. It answers a write after these steps, in this order: the write is decided; it is
 * on disk; it is in the index; the new state is posted to every serving thread; the shared
 * generation is raised. Main thread only.
 *
 * Changes of whole stores run alone on the writer's loop: each decides, commits, and only then
 * changes memory, so that a failed commit needs no undoing.
 */
export class EmbeddedWriter implements CatalogWriter {
  readonly #options: WriterOptions
  readonly #writes: DocumentWrites
  readonly #loader: StoreLoader
  readonly #reaper: Reaper
  readonly #reanalysis: Reanalysis
  readonly #embedding: Embedding
  readonly #table: StoreTable
  readonly #resting: RestingIndexes

  constructor(options: WriterOptions) {
    this.#options = options
    this.#writes = new DocumentWrites(options, {
      writable: (storeId) => this.#table.writable(storeId),
      applied: async (state, batch, turns) => {
        await this.#reanalysis.applied(state, batch, turns)
        this.#embedding.written(state)
      },
      failed: (state) => this.#loader.rebuild(state),
    })
    this.#loader = new StoreLoader(options, {
      changed: (state) => this.#writes.publish(state, { index: 'as before' }),
      // If the disk refuses writes, this is retried later.
      worn: (state) =>
        void this.#writes
          .alone(state.row.storeId, () => this.#table.renew(state))
          .catch(() => undefined),
    })
    this.#reaper = new Reaper(options.documents, () => this.#table.all())
    this.#reanalysis = new Reanalysis(
      options,
      {
        exclusive: (storeId, run) => this.#writes.alone(storeId, run),
        commit: (row) =>
          options.documents.commit({ stores: [row], removedStores: [], catalogs: [] }),
        publish: (state, parts) => {
          this.#writes.publish(state, parts)
          // It may have other fields.
          if (parts !== undefined) void this.#embedding.consider(state)
        },
      },
      this.#loader,
    )
    this.#embedding = new Embedding(options, {
      exclusive: (storeId, run) => this.#opened(storeId, run),
      isCurrent: (state) => this.#table.find(state.row.storeId) === state,
      apply: (state, batch) => this.#writes.apply(state, batch, new LoopTurns()),
      publish: (state, parts) => this.#writes.publish(state, parts),
    })
    this.#resting = new RestingIndexes(options, {
      all: () => this.#table.all(),
      alone: (run) => this.#writes.alone(OWN, run),
      opened: (storeId) => this.#table.opened(storeId),
      publish: (state) => this.#writes.publish(state, { index: 'as before' }),
    })
    this.#table = new StoreTable(
      options,
      this.#loader,
      this.#reaper,
      this.#reanalysis,
      this.#resting,
    )
  }

  /** Announces every store, then makes one after the other searchable. Resolves when all are. */
  async open(): Promise<void> {
    await this.#table.open()
    for (const state of this.#table.all()) void this.#embedding.consider(state)
    void this.#resting.fill()
  }

  /** It does not refuse writes, so call it when no more operations can arrive. */
  async close(): Promise<void> {
    this.#resting.stop()
    this.#loader.stop()
    this.#reanalysis.stop()
    await this.#embedding.stop()
    await this.#writes.drained()
    for (const { index, next } of this.#table.all()) {
      await index?.close()
      await next?.index.close()
    }
  }

  has(storeId: string): boolean {
    return this.#table.has(storeId)
  }

  /** Returns the store whose index, or next index, has this number; undefined if there is none. */
  storeOfIndex(index: number): string | undefined {
    return this.#table.storeOfIndex(index)
  }

  /** Number of waiting operations, for metrics. */
  get waitingCount(): number {
    return this.#writes.waitingCount
  }

  /** Removes rows that nothing can need any longer. Call it every few seconds. */
  async reap(): Promise<void> {
    while (await this.#writes.alone(OWN, () => this.#reaper.step())) {
      // Each step is a separate operation, so that writes are not held up.
    }
  }

  /** Closes unused indexes of small stores. Call it every few seconds. */
  rest(): Promise<void> {
    return this.#resting.rest()
  }

  async openIndex(storeId: string): Promise<void> {
    await this.#table.opened(storeId)
  }

  createStore({
    name,
    id,
  }: {
    readonly name: string
    readonly id?: string | undefined
  }): Promise<CreatedStore> {
    return this.#writes.alone(id ?? OWN, async () => {
      checkStoreName(name)
      const storeId = id === undefined ? newStoreId() : checkStoreId(id)
      if (this.#table.has(storeId)) {
        throw new ApiError('store_exists', `Cannot create store "${storeId}": it already exists`, {
          param: 'id',
        })
      }
      const readSecret = newKey('read')
      const writeSecret = newKey('write')
      const eventsWriteKey = newKey('events')
      const catalog = this.#table.nextCatalog()
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
        storeNumber: this.#table.nextStoreNumber(),
        catalog,
        index: catalog,
        language: DEFAULT_LANGUAGE,
        schema: undefined,
        readSecret,
        eventsWriteKey,
      }
      await this.#table.commit(row, { counters: NO_COUNTERS })
      this.#table.show(this.#table.add(row, NO_COUNTERS), { record: true })
      return { storeId, name, readSecret, writeSecret, eventsWriteKey }
    })
  }

  deleteStore(storeId: string): Promise<void> {
    return this.#opened(storeId, async () => {
      const state = this.#table.writable(storeId)
      await this.#options.documents.commit({
        stores: [],
        removedStores: [state.row.storeNumber],
        catalogs: [],
      })
      this.#table.remove(storeId)
      this.#options.publisher.add({ kind: 'removed', storeId })
      this.#options.publisher.advance()
      const gone = { ...state }
      // Marks the state, so that its holders see that no work is left for it.
      const { reanalysis: _, ...row } = gone.row
      state.row = row
      state.next = undefined
      state.loading = true
      await this.#table.abandon(gone)
    })
  }

  async finishBulkLoad(storeId: string): Promise<boolean> {
    // Every write completes the only copy.
    return this.#table.existing(storeId) !== undefined
  }

  swapStores(storeId: string, otherId: string): Promise<void> {
    return this.#writes.alone(storeId, () =>
      this.#table.swap(this.#table.loaded(storeId), this.#table.loaded(otherId)),
    )
  }

  renameStore(storeId: string, name: string): Promise<void> {
    return this.#writes.alone(storeId, async () => {
      checkStoreName(name)
      const state = this.#table.existing(storeId)
      const row: StoreRow = { ...state.row, name }
      await this.#table.commit(row)
      state.row = row
      this.#table.show(state, { record: true })
    })
  }

  rotateKey(
    storeId: string,
    kind: KeyKind,
    graceSeconds: number,
  ): Promise<{ secret: string; previousValidUntil: string }> {
    return this.#writes.alone(storeId, async () => {
      const state = this.#table.existing(storeId)
      const secret = newKey(kind)
      const nowMs = this.#options.clock.now()
      const signing = kind === 'signing' ? secret : undefined
      const options = { secret: signing, graceSeconds, nowMs }
      const before = state.row.keys[kind] ?? []
      const { keys, previousValidUntil } = rotateKeys(before, digestOf(secret), options)
      const row: StoreRow = {
        ...state.row,
        keys: { ...state.row.keys, [kind]: keys },
        ...(kind === 'read' ? { readSecret: secret } : {}),
        ...(kind === 'events' ? { eventsWriteKey: secret } : {}),
      }
      await this.#table.commit(row)
      state.row = row
      this.#table.show(state, { record: true })
      return { secret, previousValidUntil }
    })
  }

  revokePreviousKey(storeId: string, kind: KeyKind): Promise<boolean> {
    return this.#writes.alone(storeId, async () => {
      const state = this.#table.existing(storeId)
      const { keys } = state.row
      const current = keys[kind]?.filter((key) => key.validUntilMs === undefined)
      if (current === undefined || current.length === keys[kind]?.length) return false
      const row: StoreRow = { ...state.row, keys: { ...keys, [kind]: current } }
      await this.#table.commit(row)
      state.row = row
      this.#table.show(state, { record: true })
      return true
    })
  }

  noteKeyUses(uses: readonly KeyUse[]): Promise<void> {
    return this.#writes.alone(OWN, async () => {
      const rows: StoreRow[] = []
      for (const [storeId, ofStore] of Map.groupBy(uses, (use) => use.storeId)) {
        const row = this.#table.find(storeId)?.row
        if (row === undefined) continue
        const keys = withKeyUses(row.keys, ofStore)
        if (keys !== row.keys) rows.push({ ...row, keys })
      }
      if (rows.length === 0) return
      await this.#options.documents.commit({ stores: rows, removedStores: [], catalogs: [] })
      for (const row of rows) {
        this.#table.existing(row.storeId).row = row
        this.#options.publisher.add({ kind: 'store', storeId: row.storeId, record: recordOf(row) })
      }
      this.#options.publisher.advance()
    })
  }

  changeSchema(
    storeId: string,
    mode: 'additive' | 'replace',
    fields: readonly DeclaredField[],
    expected?: string,
  ): Promise<SchemaChange> {
    return this.#opened(storeId, async () => {
      const state = this.#table.writable(storeId)
      requireStamp(expected, schemaStateOf(state.row))
      const { schema, change } = mergeSchema(state.row.schema, mode, fields)
      if (mode === 'replace') {
        await this.#table.switchCatalog(state, schema)
        void this.#embedding.consider(state)
        return change
      }
      if (schema === state.row.schema) return change
      const row = { ...state.row, schema }
      // Throws if the redefined fields cannot be beside the new ones.
      const nextSchema = nextSchemaOf(row)!
      await this.#table.commit(row)
      state.row = row
      if (state.index === undefined) {
        state.index = await this.#loader.openIndex(state, row)
      } else {
        state.index.setSchema(schema)
        state.next?.index.setSchema(nextSchema)
      }
      this.#table.show(state, {})
      void this.#embedding.consider(state)
      return change
    })
  }

  async redefineFields(
    storeId: string,
    fields: readonly DeclaredField[],
    expected?: string,
  ): Promise<FieldsChange> {
    const { documents } = this.#options
    const redefinition = await this.#opened(storeId, async () => {
      const request = { state: this.#table.writable(storeId), fields, expected }
      return new Redefinition(documents, this.#table, request)
    })
    try {
      for (;;) {
        const change = await this.#opened(storeId, () => redefinition.turn())
        if (change !== undefined) return change
      }
    } finally {
      redefinition.end()
    }
  }

  cancelRedefinition(storeId: string): Promise<boolean> {
    return this.#opened(storeId, async () => {
      const state = this.#table.writable(storeId)
      if (state.row.reanalysis?.fields === undefined) return false
      await this.#table.redefine(state, undefined)
      return true
    })
  }

  async changeResources(
    storeId: string,
    change: ResourceChange,
    language?: string,
  ): Promise<boolean> {
    let embedding: Promise<void> | undefined
    const run = async (): Promise<boolean> => {
      const state =
        language === undefined ? this.#table.existing(storeId) : this.#table.writable(storeId)
      if (!state.resources.accepts(change)) return false
      const { row } = state
      const wanted = createAnalyzer(language ?? row.language).name
      const isKept =
        language === undefined ||
        (wanted === (row.reanalysis?.language ?? row.language) && !state.reanalysisFailed)
      if (isKept) {
        await this.#table.commit(undefined, { of: row, change })
      } else if (state.counters.docCount === 0) {
        const schema = nextSchemaOf(row)
        await this.#table.switchCatalog(state, schema, { language: wanted, resources: change })
      } else {
        await this.#table.changeLanguage(state, wanted, change)
      }
      state.resources = state.resources.after(change)
      this.#table.publishResources(state, change)
      this.#options.publisher.advance()
      if (change.puts.some(({ kind }) => kind === 'settings')) {
        embedding = this.#embedding.consider(state)
      }
      return true
    }
    const isChanged = await (language === undefined
      ? this.#writes.alone(storeId, run)
      : this.#opened(storeId, run))
    // The answer to a change of settings shows what embedding makes of it.
    await embedding
    return isChanged
  }

  clearDocuments(storeId: string): Promise<number> {
    return this.#opened(storeId, async () => {
      const state = this.#table.writable(storeId)
      const { docCount } = state.counters
      if (docCount > 0) await this.#table.switchCatalog(state, nextSchemaOf(state.row))
      return docCount
    })
  }

  writeDocuments(storeId: string, writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    return this.#whenOpen(storeId, () => this.#writes.write(storeId, writes))
  }

  deleteDocument(storeId: string, id: string, ifMatch?: string): Promise<boolean> {
    return this.#whenOpen(storeId, () => this.#writes.delete(storeId, id, ifMatch))
  }

  changeVersions(
    storeId: string,
    versions: readonly DocumentVersion[],
    change: VersionChange,
    content?: string,
  ): Promise<VersionOutcome[]> {
    return this.#whenOpen(storeId, () => this.#writes.change(storeId, versions, change, content))
  }

  /** Runs alone on the writer's loop, with the index of the store open. */
  #opened<T>(storeId: string, run: () => Promise<T>): Promise<T> {
    return this.#whenOpen(storeId, () => this.#writes.alone(storeId, run))
  }

  /** Runs at once unless the index is closed, because writes keep their order of arrival. */
  #whenOpen<T>(storeId: string, begin: () => Promise<T>): Promise<T> {
    const opened = this.#table.opened(storeId)
    return opened === undefined ? begin() : opened.then(begin)
  }
}

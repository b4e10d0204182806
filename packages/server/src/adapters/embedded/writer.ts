import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import type { Field } from '@aisle/engine'
import type {
  CatalogWriter,
  CreatedStore,
  DocumentVersion,
  DocumentWrite,
  KeyKind,
  KeyUse,
  ResourceChange,
  SchemaChange,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../../ports/catalog-writer.ts'
import type { DocumentOperation, Operation } from './operation.ts'
import { Reanalysis } from './reanalysis.ts'
import { Reaper } from './reaper.ts'
import { StoreChanges } from './store-changes.ts'
import { StoreLoader } from './store-loader.ts'
import { publishedIndexOf, statisticsOf } from './store-state.ts'
import type { StoreState } from './store-state.ts'
import { WriteGroup } from './write-group.ts'
import { WriteLoop } from './write-loop.ts'
import type { DecidedGroup } from './write-loop.ts'
import type { WriterOptions } from './writer-options.ts'

/** Whose turns what the writer does for itself takes. No store is named so. */
const OWN = ''

/**
 * The one writer. A write is answered after these steps, in this order: it is decided; it is on
 * disk; it is in the index; the new state is posted to every serving thread; the shared generation
 * is raised. Main thread only.
 */
export class EmbeddedWriter implements CatalogWriter {
  readonly #options: WriterOptions
  readonly #states = new Map<string, StoreState>()
  readonly #loop: WriteLoop
  readonly #loader: StoreLoader
  readonly #reaper: Reaper
  readonly #reanalysis: Reanalysis
  readonly #stores: StoreChanges
  #groupCount = 0

  constructor(options: WriterOptions) {
    this.#options = options
    this.#loop = new WriteLoop((operations) => this.#decide(operations), options.onCrash)
    this.#loader = new StoreLoader(options, {
      changed: (state) => this.#publish(state, { index: true }),
      // On a disk that refuses writes it is said again later.
      worn: (state) =>
        void this.#exclusive(state.row.storeId, () => this.#stores.renew(state)).catch(
          () => undefined,
        ),
    })
    this.#reaper = new Reaper(options.documents, () => this.#states.values())
    this.#reanalysis = new Reanalysis(
      options,
      {
        exclusive: (storeId, run) => this.#exclusive(storeId, run),
        commit: (row) =>
          options.documents.commit({ stores: [row], removedStores: [], catalogs: [] }),
        publish: (state, parts) => this.#publish(state, parts),
      },
      this.#loader,
    )
    this.#stores = new StoreChanges(
      options,
      this.#states,
      this.#loader,
      this.#reaper,
      this.#reanalysis,
    )
  }

  /** Announces every store, then makes one after the other searchable. Resolves when all are. */
  async open(): Promise<void> {
    await this.#stores.open()
  }

  /** Refuses nothing by itself: call it when no more operations can arrive. */
  async close(): Promise<void> {
    this.#loader.stop()
    this.#reanalysis.stop()
    await this.#loop.drained()
    for (const { index, next } of this.#states.values()) {
      await index?.close()
      await next?.index.close()
    }
  }

  /** Operations that wait, for metrics. */
  get waitingCount(): number {
    return this.#loop.length
  }

  /** Removes rows that nobody can need any more. To be called every few seconds. */
  async reap(): Promise<void> {
    while (await this.#exclusive(OWN, () => this.#reaper.step())) {
      // Each step is an operation of its own, so that writes are not held up.
    }
  }

  createStore(request: {
    readonly name: string
    readonly id?: string | undefined
  }): Promise<CreatedStore> {
    return this.#exclusive(request.id ?? OWN, () => this.#stores.create(request.name, request.id))
  }

  deleteStore(storeId: string): Promise<void> {
    return this.#exclusive(storeId, () => this.#stores.delete(storeId))
  }

  renameStore(storeId: string, name: string): Promise<void> {
    return this.#exclusive(storeId, () => this.#stores.rename(storeId, name))
  }

  rotateKey(
    storeId: string,
    kind: KeyKind,
    graceSeconds: number,
  ): Promise<{ secret: string; previousValidUntil: string }> {
    return this.#exclusive(storeId, () => this.#stores.rotateKey(storeId, kind, graceSeconds))
  }

  revokePreviousKey(storeId: string, kind: KeyKind): Promise<boolean> {
    return this.#exclusive(storeId, () => this.#stores.revokePreviousKey(storeId, kind))
  }

  noteKeyUses(uses: readonly KeyUse[]): Promise<void> {
    return this.#exclusive(OWN, () => this.#stores.noteKeyUses(uses))
  }

  changeSchema(
    storeId: string,
    mode: 'additive' | 'replace',
    fields: readonly Field[],
  ): Promise<SchemaChange> {
    return this.#exclusive(storeId, () => this.#stores.changeSchema(storeId, mode, fields))
  }

  changeResources(storeId: string, change: ResourceChange, language?: string): Promise<boolean> {
    return this.#exclusive(storeId, () => this.#stores.changeResources(storeId, change, language))
  }

  clearDocuments(storeId: string): Promise<number> {
    return this.#exclusive(storeId, () => this.#stores.clear(storeId))
  }

  writeDocuments(storeId: string, writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    return this.#add(storeId, (settle) => ({ kind: 'write', storeId, writes, settle }))
  }

  deleteDocument(storeId: string, id: string): Promise<boolean> {
    return this.#add(storeId, (settle) => ({ kind: 'delete', storeId, id, settle }))
  }

  changeVersions(
    storeId: string,
    versions: readonly DocumentVersion[],
    change: VersionChange,
  ): Promise<VersionOutcome[]> {
    return this.#add(storeId, (settle) => ({ kind: 'change', storeId, versions, change, settle }))
  }

  #exclusive<T>(storeId: string, run: () => Promise<T>): Promise<T> {
    return this.#add(storeId, (settle) => ({ kind: 'exclusive', run, settle }))
  }

  #add<T>(storeId: string, operation: (settle: Operation['settle']) => Operation): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#loop.add(
        storeId,
        operation({
          resolve: (value) => resolve(value as T),
          reject: (error) => reject(error as Error),
        }),
      )
    })
  }

  #decide(operations: DocumentOperation[]): DecidedGroup {
    const { documents, clock } = this.#options
    const group = new WriteGroup(++this.#groupCount, documents, clock.now())
    const answers: { operation: DocumentOperation; value: unknown }[] = []
    for (const operation of operations) {
      try {
        const state = this.#stores.writable(operation.storeId)
        answers.push({ operation, value: perform(group, state, operation) })
      } catch (error) {
        operation.settle.reject(error)
        if (error instanceof ApiError) continue
        // A bug half way through an operation: nothing of this group may be kept.
        group.abandon()
        return failedGroup(answers, error)
      }
    }
    const changes = group.changes()
    return {
      commit: () => (changes === undefined ? Promise.resolve() : documents.commit(changes)),
      finish: () => {
        group.settle()
        return this.#finish(group, answers)
      },
      abandon: (error) => {
        group.abandon()
        for (const { operation } of answers) operation.settle.reject(error)
      },
    }
  }

  async #finish(
    group: WriteGroup,
    answers: readonly { operation: DocumentOperation; value: unknown }[],
  ): Promise<void> {
    const byStore = Map.groupBy(answers, ({ operation }) => operation.storeId)
    const answer = (storeId: string): void => {
      for (const { operation, value } of byStore.get(storeId) ?? []) operation.settle.resolve(value)
      byStore.delete(storeId)
    }
    // A store that wrote little does not wait until the writes of others are in their indexes.
    for (const [i, { state, batch }] of group.batches().toSorted(bySize).entries()) {
      if (i > 0) await nextTurn()
      this.#apply(state, batch)
      this.#options.publisher.advance()
      answer(state.row.storeId)
    }
    for (const storeId of byStore.keys()) answer(storeId)
  }

  #apply(state: StoreState, batch: Batch['batch']): void {
    try {
      state.index?.apply(batch)
    } catch (error) {
      // The documents are safe; the index is rebuilt from them.
      this.#options.log('error', 'Indexing failed, the index is being rebuilt', {
        storeId: state.row.storeId,
        error: error instanceof Error ? error.stack : String(error),
      })
      this.#loader.rebuild(state)
    }
    this.#reanalysis.applied(state, batch)
    this.#announce(state)
  }

  #announce(state: StoreState): void {
    this.#options.publisher.add({
      kind: 'store',
      storeId: state.row.storeId,
      statistics: statisticsOf(state),
      index: publishedIndexOf(state),
    })
  }

  #publish(state: StoreState, parts: { readonly index?: true } = {}): void {
    if (parts.index === true) this.#announce(state)
    else {
      const { storeId } = state.row
      this.#options.publisher.add({ kind: 'store', storeId, statistics: statisticsOf(state) })
    }
    this.#options.publisher.advance()
  }
}

type Batch = ReturnType<WriteGroup['batches']>[number]

function bySize({ batch: a }: Batch, { batch: b }: Batch): number {
  return a.added.length + a.removed.length - b.added.length - b.removed.length
}

function perform(group: WriteGroup, state: StoreState, operation: DocumentOperation): unknown {
  switch (operation.kind) {
    case 'write':
      return group.write(state, operation.writes)
    case 'delete':
      return group.delete(state, operation.id)
    case 'change':
      return group.change(state, operation.versions, operation.change)
  }
}

function failedGroup(
  answers: readonly { operation: DocumentOperation }[],
  cause: unknown,
): DecidedGroup {
  const error = new ApiError('internal', 'Cannot write', { cause })
  return {
    commit: () => Promise.reject(error),
    finish: () => undefined,
    abandon: (reason) => {
      for (const { operation } of answers) operation.settle.reject(reason)
    },
  }
}

import { ApiError } from '@aisle/contract'
import type { IndexDocument, Schema } from '@aisle/engine'
import { applyWrite } from '../../domain/documents/apply-write.ts'
import { requireDocumentMatch } from '../../domain/documents/document-tag.ts'
import { requireFit } from '../../domain/documents/schema-conversion.ts'
import type {
  DocumentVersion,
  DocumentWrite,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../../ports/catalog/catalog-writer.ts'
import type {
  CatalogChanges,
  CatalogCounters,
  Changes,
  DocumentStore,
  NewVersion,
  StoreRow,
} from '../../ports/catalog/document-store.ts'
import type { IndexBatch } from './engine-port.ts'
import { toIndexDocument } from '../../domain/documents/indexed-document.ts'
import { withVectors } from './own-vectors.ts'
import { contentOf, nextSchemaOf } from './store-state.ts'
import type { DecidedVersion, PendingVersion, StoreState } from './store-state.ts'

/**
 * Document writes that are decided one after another and committed together. Deciding reads what is
 * on disk, and the pending versions of earlier, not yet committed writes; it changes only the
 * `pending` versions and the counters of the stores, which `abandon` reverts.
 */
export class WriteGroup {
  readonly number: number
  readonly #documents: DocumentStore
  readonly #nowMs: number
  readonly #works = new Map<StoreState, CatalogWork>()

  constructor(number: number, documents: DocumentStore, nowMs: number) {
    this.number = number
    this.#documents = documents
    this.#nowMs = nowMs
  }

  /** Throws `schema_not_defined`. */
  write(state: StoreState, writes: readonly DocumentWrite[]): WriteOutcome[] {
    if (state.row.schema === undefined) {
      throw new ApiError(
        'schema_not_defined',
        'Cannot index documents: the store has no schema yet',
      )
    }
    const work = this.#workOf(state)
    return writes.map((write) => {
      let existing: ExistingVersion | undefined
      const schema = state.schema ?? state.row.schema!
      const { decided, outcome } = applyWrite(
        write,
        schema,
        (id) => {
          existing = this.#find(state, id)
          return existing === undefined ? undefined : { ...existing, id }
        },
        (one) => requireFit(one, state.redefining ?? state.row.reanalysis?.fields),
      )
      if (decided !== undefined) {
        if (existing !== undefined) this.#supersede(work, state, decided.id, existing)
        this.#put(work, state, decided, existing)
        if (decided.schema !== schema) state.schema = work.schema = decided.schema
      }
      return outcome
    })
  }

  /** Throws `schema_not_defined`. */
  change(
    state: StoreState,
    versions: readonly DocumentVersion[],
    change: VersionChange,
    content = contentOf(state.row),
  ): VersionOutcome[] {
    const areOfStore = content === contentOf(state.row)
    return versions.map(({ id, docKey }) => {
      if (!areOfStore || this.#find(state, id)?.docKey !== docKey)
        return { status: 'superseded', id }
      if (change.kind === 'delete') {
        this.delete(state, id)
        return { status: 'changed', id }
      }
      const write =
        change.kind === 'update'
          ? ({ id, action: 'update', json: change.patch } as const)
          : ({ id, action: 'upsert', json: change.json.get(id)! } as const)
      const [outcome] = this.write(state, [write])
      return outcome?.status === 'failed' ? outcome : { status: 'changed', id }
    })
  }

  /**
   * Throws `precondition_failed`, before anything is changed.
   * @returns whether the document existed
   */
  delete(state: StoreState, id: string, ifMatch?: string): boolean {
    const existing = this.#find(state, id)
    if (existing === undefined) return false
    requireDocumentMatch(ifMatch, { ...existing, id })
    const work = this.#workOf(state)
    this.#supersede(work, state, id, existing)
    work.removedIds.add(id)
    this.#setPending(work, state, id, undefined)
    const { docCount } = state.counters
    state.counters = { ...state.counters, docCount: docCount - 1, lastWriteMs: this.#nowMs }
    return true
  }

  /** Ends deciding. Returns `undefined` if there is no change. */
  changes(): Changes | undefined {
    const catalogs: CatalogChanges[] = []
    const stores: StoreRow[] = []
    for (const [state, work] of this.#works) {
      work.counters = state.counters
      if (work.isEmpty()) continue
      if (work.schema !== undefined) stores.push({ ...state.row, schema: work.schema })
      catalogs.push({
        catalog: state.row.catalog,
        counters: state.counters,
        puts: [...work.puts.values()],
        removedIds: [...work.removedIds],
        buried: work.removed.map((version) => version.docKey),
        reaped: [],
        ...vectorsOf(state.row.schema, work.removedIds),
      })
    }
    return catalogs.length === 0 ? undefined : { stores, removedStores: [], catalogs }
  }

  /** Changes that the indexes must apply after the commit. */
  batches(): { readonly state: StoreState; readonly batch: IndexBatch }[] {
    return [...this.#works]
      .filter(([, work]) => !work.isEmpty())
      .map(([state, work]) => ({
        state,
        batch: {
          added: [...work.puts.values()].map(({ json: _, ...version }) =>
            withVectors(this.#documents, state.row, version),
          ),
          removed: work.removed,
        },
      }))
  }

  /** Called after the commit: pending versions are now on disk. */
  settle(): void {
    for (const [state, work] of this.#works) {
      state.shown = work.counters
      state.settledGroup = this.number
      if (work.schema !== undefined) {
        state.row = { ...state.row, schema: work.schema }
        state.index?.setSchema(work.schema)
        state.next?.index.setSchema(nextSchemaOf(state.row)!)
        if (state.schema === work.schema) state.schema = undefined
      }
      // Removes only the versions of this group, because those of the next groups are pending
      // beside them.
      for (const id of work.displaced.keys()) {
        const pending = state.pending.get(id)
        if (pending !== undefined && pending.group <= this.number) state.pending.delete(id)
      }
    }
  }

  /**
   * Reverts every decision of this group. If several groups are in flight, the youngest must be
   * reverted first.
   */
  abandon(): void {
    for (const [state, work] of this.#works) {
      state.counters = work.countersBefore
      if (work.schema !== undefined) {
        state.schema = work.schemaBefore === state.row.schema ? undefined : work.schemaBefore
      }
      for (const [id, before] of work.displaced) {
        // The previously pending version may have reached the disk meanwhile.
        if (before === undefined || before.group <= state.settledGroup) state.pending.delete(id)
        else state.pending.set(id, before)
      }
    }
  }

  #workOf(state: StoreState): CatalogWork {
    let work = this.#works.get(state)
    if (work === undefined) {
      work = new CatalogWork(state.counters, state.schema)
      this.#works.set(state, work)
    }
    return work
  }

  #setPending(
    work: CatalogWork,
    state: StoreState,
    id: string,
    version: DecidedVersion | undefined,
  ): void {
    if (!work.displaced.has(id)) work.displaced.set(id, state.pending.get(id))
    state.pending.set(id, { group: this.number, version })
  }

  #find(state: StoreState, id: string): ExistingVersion | undefined {
    const pending = state.pending.get(id)
    if (pending !== undefined) return pending.version
    const { catalog } = state.row
    const docKey = this.#documents.findKey(catalog, id)
    return docKey === undefined ? undefined : this.#documents.read(catalog, docKey)
  }

  #supersede(
    work: CatalogWork,
    state: StoreState,
    id: string,
    { docKey, json }: ExistingVersion,
  ): void {
    const { counters } = state
    state.counters = { ...counters, documentBytes: counters.documentBytes - json.length }
    // A version replaced within this group never reaches the disk.
    if (work.puts.delete(docKey)) return
    const pending = state.pending.get(id)?.version
    work.removed.push(
      pending === undefined
        ? toIndexDocument({ docKey, id, json }, state.row.schema!)
        : { docKey, id, values: pending.values },
    )
  }

  #put(
    work: CatalogWork,
    state: StoreState,
    decided: { id: string; status: 'created' | 'updated'; json: Uint8Array } & Pick<
      DecidedVersion,
      'values'
    >,
    existing: ExistingVersion | undefined,
  ): void {
    const { counters } = state
    const { id, json, values } = decided
    const version: DecidedVersion = {
      docKey: counters.nextDocKey,
      // An update keeps its place among equals.
      ...(existing === undefined ? {} : { inserted: existing.inserted ?? existing.docKey }),
      id,
      json,
      values,
    }
    work.puts.set(version.docKey, version)
    work.removedIds.delete(id)
    this.#setPending(work, state, id, version)
    state.counters = {
      nextDocKey: counters.nextDocKey + 1,
      docCount: counters.docCount + (decided.status === 'created' ? 1 : 0),
      documentBytes: counters.documentBytes + json.length,
      lastWriteMs: this.#nowMs,
    }
  }
}

/** The vectors of deleted documents are removed with them. */
function vectorsOf(
  schema: Schema | undefined,
  removedIds: ReadonlySet<string>,
): Pick<CatalogChanges, 'vectors'> {
  if (schema?.spaces === undefined || removedIds.size === 0) return {}
  const numbers = schema.spaces.map(({ number }) => number)
  const removes = [...removedIds].flatMap((id) => numbers.map((space) => ({ space, id })))
  return { vectors: { puts: [], removes } }
}

/** The version that a write would replace. */
type ExistingVersion = Omit<NewVersion, 'id'>

/** The changes of the group to one catalog. */
class CatalogWork {
  /** New versions by docKey, ascending. */
  readonly puts = new Map<number, DecidedVersion>()
  readonly removedIds = new Set<string>()
  readonly removed: IndexDocument[] = []
  readonly countersBefore: CatalogCounters
  readonly schemaBefore: Schema | undefined
  /** The schema with the fields that this group adds; absent if it adds none. */
  schema: Schema | undefined
  counters: CatalogCounters
  /** The pending version of an id before this group decided about it. */
  readonly displaced = new Map<string, PendingVersion | undefined>()

  constructor(counters: CatalogCounters, schema: Schema | undefined) {
    this.schemaBefore = schema
    this.countersBefore = counters
    this.counters = counters
  }

  isEmpty(): boolean {
    const { puts, removedIds, removed, schema } = this
    const isUnchanged = puts.size === 0 && removedIds.size === 0 && removed.length === 0
    return isUnchanged && schema === undefined
  }
}

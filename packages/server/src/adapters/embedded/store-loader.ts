import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DocKeyRange, DocumentStore, StoreRow } from '../../ports/catalog/document-store.ts'
import type { StoreIndex } from './engine-port.ts'
import { toIndexDocument } from '../../domain/documents/indexed-document.ts'
import { withVectors } from './own-vectors.ts'
import type { StoreState } from './store-state.ts'
import type { WriterOptions } from './writer-options.ts'

/**
 * Amount that one turn of replaying reads: large enough for good segments, short enough to serve
 * others.
 */
const REPLAY_DOCUMENTS = 1_000
const REPLAY_BYTES = 4 * 1024 * 1024
/** Buried versions checked in one turn. */
const BURIED_DOCUMENTS = 2_000

/**
 * Makes stores searchable: opens the index from its files and replays from the documents what the
 * files do not hold. Works in short turns, one store at a time, while other stores are written.
 */
export class StoreLoader {
  readonly #options: WriterOptions
  readonly #publish: (state: StoreState) => void
  readonly #renew: (state: StoreState) => void
  #queue: Promise<void> = Promise.resolve()
  /** The queue of indexes that were closed. */
  #opening: Promise<void> = Promise.resolve()
  #stopped = false

  /** @param on.worn called when the serving index should be rebuilt */
  constructor(
    options: WriterOptions,
    on: {
      readonly changed: (state: StoreState) => void
      readonly worn: (state: StoreState) => void
    },
  ) {
    this.#options = options
    this.#publish = on.changed
    this.#renew = on.worn
  }

  /** Resolves when the store is searchable. */
  load(state: StoreState): Promise<void> {
    state.loading = true
    return this.#enqueue(() => this.#loadOrRemake(state))
  }

  /**
   * Opens a closed index, ahead of others that are being loaded, which may take minutes. Resolves
   * when the store is searchable.
   */
  reopen(state: StoreState): Promise<void> {
    const opened = this.#opening.then(() => (this.#stopped ? undefined : this.#loadOrRemake(state)))
    this.#opening = opened.catch(() => undefined)
    return opened
  }

  /** Drops an invalid index and rebuilds it from the documents. */
  rebuild(state: StoreState): void {
    const broken = state.index
    state.index = undefined
    state.loading = true
    this.#enqueue(async () => {
      await broken?.close()
      await this.#options.indexes.remove(state.row.index)
      // An earlier group may still be in transit to the disk, and the scan must see it.
      while (state.pending.size > 0 && !this.#stopped) await nextTurn()
      await this.#load(state, 'accept')
    }).catch(this.#options.onCrash)
  }

  /**
   * Opens an index for a store, not necessarily that of its current row.
   *
   * @param row with a schema
   */
  openIndex(
    state: StoreState,
    { index, schema, language }: Pick<StoreRow, 'index' | 'schema' | 'language'>,
  ): Promise<StoreIndex> {
    const whenServing = (say: (state: StoreState) => void) => () => {
      if (state.row.index === index && !state.loading) say(state)
    }
    return this.#options.indexes.open(index, schema!, language, {
      onChange: whenServing(this.#publish),
      onWorn: whenServing(this.#renew),
    })
  }

  stop(): void {
    this.#stopped = true
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(() => (this.#stopped ? undefined : work()))
    this.#queue = done.catch(() => undefined)
    return done
  }

  /** Files that fail in an unforeseen way are discarded, because they can be rebuilt. */
  async #loadOrRemake(state: StoreState): Promise<void> {
    try {
      await this.#load(state, 'refuse')
    } catch (error) {
      const { storeId, index } = state.row
      this.#options.log('error', 'Could not open an index; rebuilding it', {
        storeId,
        error: error instanceof Error ? error.stack : String(error),
      })
      await this.#options.indexes.remove(index)
      await this.#load(state, 'accept')
    }
  }

  /** @param miscount what to do if the index and the store differ in their number of documents */
  async #load(state: StoreState, miscount: 'refuse' | 'accept'): Promise<void> {
    const { row } = state
    if (row.schema !== undefined) {
      const index = await this.openIndex(state, row)
      let replayed = 0
      try {
        await removeBuried(this.#options.documents, index, row, () => this.#stopped)
        this.#options.progress?.indexed(index.docCount)
        for (const range of gaps(index)) replayed += await this.#replay(index, row, range)
        if (this.#stopped) return
        const { docCount } = state.counters
        if (index.docCount !== docCount && index.covered.length > 0 && miscount === 'refuse') {
          // The files are from another time, for example from a backup. (A row that cannot be read
          // has this effect too.)
          throw new Error(`The index holds ${index.docCount} documents, the store ${docCount}`)
        }
      } catch (error) {
        // Its background work must not write files while that of the next one does.
        await index.close()
        throw error
      }
      state.index = index
      if (replayed > 0)
        this.#options.log('info', 'Documents replayed', {
          storeId: row.storeId,
          docCount: replayed,
        })
    }
    state.closed = undefined
    state.loading = false
    this.#publish(state)
  }

  async #replay(
    index: StoreIndex,
    row: StoreRow,
    { from: first, to }: DocKeyRange,
  ): Promise<number> {
    const { documents } = this.#options
    const { catalog, schema } = row
    let count = 0
    for (let from: number | undefined = first; from !== undefined;) {
      if (this.#stopped) break
      const page = documents.scan(catalog, { from, to }, REPLAY_DOCUMENTS, REPLAY_BYTES)
      const added = page.documents.map((document) =>
        withVectors(documents, row, toIndexDocument(document, schema!)),
      )
      if (added.length > 0) index.apply({ added, removed: [] })
      count += added.length
      this.#options.progress?.indexed(index.docCount)
      from = page.next
      await nextTurn()
    }
    return count
  }
}

/** Returns the ranges of docKeys that the files do not hold; the last one has no end. */
export function gaps({ covered }: StoreIndex): DocKeyRange[] {
  const ranges: DocKeyRange[] = []
  let next = 0
  for (const { from, to } of covered) {
    if (from > next) ranges.push({ from: next, to: from - 1 })
    next = to + 1
  }
  ranges.push({ from: next, to: Number.MAX_SAFE_INTEGER })
  return ranges
}

/** Removes from a newly opened index the versions that died after its files were written. */
export async function removeBuried(
  documents: DocumentStore,
  index: StoreIndex,
  { catalog, schema }: StoreRow,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (let from = 0; ;) {
    const docKeys = documents.buried(catalog, from, BURIED_DOCUMENTS)
    const last = docKeys.at(-1)
    if (last === undefined || isStopped()) return
    const removed = docKeys
      .filter((docKey) => index.holds(docKey))
      .map((docKey) => {
        const stored = documents.read(catalog, docKey)
        return stored === undefined
          ? { docKey, id: '', values: [] }
          : toIndexDocument(stored, schema!)
      })
    if (removed.length > 0) index.apply({ added: [], removed })
    from = last + 1
    await nextTurn()
  }
}

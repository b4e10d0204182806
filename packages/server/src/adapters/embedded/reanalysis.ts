import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import type { IndexDocument } from '@aisle/engine'
import type { StoreRow } from '../../ports/catalog/document-store.ts'
import { Gradual, madeInTurns } from '../../domain/turns/gradual.ts'
import type { IndexBatch } from './engine-port.ts'
import type { LoopTurns } from './loop-turns.ts'
import { toIndexDocument } from '../../domain/documents/indexed-document.ts'
import { redefineFields } from '../../domain/documents/redefine-fields.ts'
import type { DeclaredField } from '../../domain/documents/schema-rules.ts'
import { withVectors } from './own-vectors.ts'
import { gaps, removeBuried, type StoreLoader } from './store-loader.ts'
import { nextSchemaOf, type NextIndex, type StoreState } from './store-state.ts'
import type { WriterOptions } from './writer-options.ts'

/**
 * Minimum that one step reads; a step is one turn on the writer's loop, so writes wait that long.
 */
const STEP_DOCUMENTS = 250
const STEP_BYTES = 1024 * 1024
/**
 * After this number of failures the current index stays in use, until the next start or another
 * change of language.
 */
const ATTEMPTS_MAX = 3
/** Pause while the store is being loaded, or the disk refuses writes. */
const RETRY_MS = 1_000

/** The operations of the writer that reanalysis needs. */
export interface ReanalysisHost {
  /** Runs alone on the writer's loop, when all decided writes are on disk and in the index. */
  exclusive<T>(storeId: string, run: () => Promise<T>): Promise<T>
  commit(row: StoreRow): Promise<void>
  /** Publishes progress, and with `index` the index too. */
  publish(state: StoreState, parts?: { readonly index: 'changed' }): void
}

/**
 * Re-analyses the documents of a store in another language or by other definitions of its fields,
 * while the store serves and accepts writes. A second index is filled beside the first, from the
 * documents, in steps that each run alone on the writer's loop. Between steps, writes go to the
 * first index. From the second they only remove what it already holds; it receives the new versions
 * later, since docKeys ascend. The step that reaches the newest document commits the change, and
 * the second index replaces the first.
 *
 * The progress is part of the store's row, and the second index saves files like any other, so that
 * the work continues from them after a crash. One store at a time.
 */
export class Reanalysis {
  readonly #options: WriterOptions
  readonly #host: ReanalysisHost
  readonly #loader: StoreLoader
  #queue: Promise<void> = Promise.resolve()
  /** Resolves when the files of dropped indexes are deleted. */
  #dropped: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: WriterOptions, host: ReanalysisHost, loader: StoreLoader) {
    this.#options = options
    this.#host = host
    this.#loader = loader
  }

  /** Runs the reanalysis that `row.reanalysis` describes, in the background. */
  start(state: StoreState): void {
    const { reanalysis } = state.row
    state.reanalysisFailed = false
    const isWanted = (): boolean => !this.#stopped && state.row.reanalysis === reanalysis
    this.#queue = this.#queue
      .then(() => (reanalysis === undefined ? undefined : this.#run(state, isWanted)))
      .catch(this.#options.onCrash)
  }

  /** Drops the next index of the store, and its files. */
  async drop({ next, row }: Pick<StoreState, 'next' | 'row'>): Promise<void> {
    await next?.index.close()
    if (row.reanalysis !== undefined) await this.#options.indexes.remove(row.reanalysis.index)
  }

  /** Called after a batch was applied to the first index. */
  async applied(state: StoreState, { removed }: IndexBatch, turns: LoopTurns): Promise<void> {
    const { next, row } = state
    if (next === undefined) return
    const held: IndexDocument[] = []
    for (const version of removed) {
      if (isPending(next, version.docKey)) continue
      held.push(row.reanalysis?.fields === undefined ? version : this.#reread(state, version))
      await turns.restIfDue()
    }
    if (held.length === 0) return
    const batch = { added: [], removed: held }
    try {
      await madeInTurns([new Gradual(() => next.index.applySteps(batch))], turns)
    } catch (error) {
      this.#fail(state, error)
    }
  }

  /** A buried version as the second index holds it. */
  #reread({ row }: StoreState, { docKey, id }: IndexDocument): IndexDocument {
    const stored = this.#options.documents.read(row.catalog, docKey)
    return stored === undefined
      ? { docKey, id, values: [] }
      : toIndexDocument(stored, nextSchemaOf(row)!)
  }

  stop(): void {
    this.#stopped = true
  }

  async #run(state: StoreState, isWanted: () => boolean): Promise<void> {
    let attempts = 0
    for (let more = true; more && isWanted();) {
      if (state.loading) {
        await wait(RETRY_MS, undefined, { ref: false })
        continue
      }
      // Steps wait for nothing, so this lets arrived work run.
      await nextTurn()
      more = await this.#host
        .exclusive(state.row.storeId, async () => {
          if (!isWanted() || state.loading) return isWanted()
          if (state.next === undefined) {
            if (attempts++ === ATTEMPTS_MAX) return this.#giveUp(state)
            state.next = await this.#open(state)
          }
          return await this.#step(state, state.next)
        })
        .catch(async (error: unknown) => {
          const isPassing = error instanceof ApiError && error.code === 'unavailable'
          if (!isPassing) this.#fail(state, error)
          await wait(RETRY_MS, undefined, { ref: false })
          return true
        })
    }
  }

  async #open(state: StoreState): Promise<NextIndex> {
    await this.#dropped
    const { row, counters } = state
    const nextRow = { ...row, ...row.reanalysis!, schema: nextSchemaOf(row) }
    const index = await this.#loader.openIndex(state, nextRow)
    try {
      await removeBuried(this.#options.documents, index, nextRow)
    } catch (error) {
      await index.close()
      throw error
    }
    const opened = { atMs: performance.now(), docCount: index.docCount }
    return { index, pending: gaps(index), nextDocKey: counters.nextDocKey, opened }
  }

  /** @returns whether there is more to do */
  async #step(state: StoreState, next: NextIndex): Promise<boolean> {
    const { row, counters } = state
    const [range] = next.pending
    // Reads twice as much as was written meanwhile, so that it ends no matter how much is written.
    const written = counters.nextDocKey - next.nextDocKey
    next.nextDocKey = counters.nextDocKey
    const { documents, reanalysisDocuments: least = STEP_DOCUMENTS } = this.#options
    const limit = Math.max(least, 2 * written)
    const bytesMax = STEP_BYTES * (limit / least)
    const page = documents.scan(row.catalog, range!, limit, bytesMax)
    const schema = nextSchemaOf(row)!
    const added: IndexDocument[] = page.documents.map((document) =>
      withVectors(documents, { catalog: row.catalog, schema }, toIndexDocument(document, schema)),
    )
    if (added.length > 0) next.index.apply({ added, removed: [] })
    if (page.next !== undefined) range!.from = page.next
    else if (next.pending.length > 1) next.pending.shift()
    else return await this.#finish(state, next)
    this.#host.publish(state)
    return true
  }

  /** Makes the second index the first, as it holds everything. */
  async #finish(state: StoreState, next: NextIndex): Promise<false> {
    const { reanalysis, ...row } = state.row
    const { language, index, fields } = reanalysis!
    if (next.index.docCount !== state.counters.docCount) {
      throw new Error(
        `The new index holds ${next.index.docCount} documents, the store ${state.counters.docCount}`,
      )
    }
    // A failed commit is retried, and nothing may be read twice then.
    next.pending[0]!.from = next.nextDocKey
    const changed: StoreRow = { ...row, language, index, ...redefined(row, fields) }
    await this.#host.commit(changed)
    const old = { index: state.index, number: state.row.index }
    state.row = changed
    state.index = next.index
    state.next = undefined
    if (fields !== undefined) state.embedding = undefined
    this.#host.publish(state, { index: 'changed' })
    this.#options.log('info', 'A store was re-analysed', {
      storeId: row.storeId,
      language,
      docCount: state.counters.docCount,
    })
    await old.index?.close()
    await this.#options.indexes.remove(old.number)
    return false
  }

  #giveUp(state: StoreState): false {
    state.reanalysisFailed = true
    this.#host.publish(state)
    return false
  }

  /** The second index can be rebuilt from the documents, no matter its state. */
  #fail(state: StoreState, error: unknown): void {
    const { next, row } = state
    state.next = undefined
    this.#options.log('error', 'Re-analysing a store failed; restarting it', {
      storeId: row.storeId,
      error: error instanceof Error ? error.stack : String(error),
    })
    this.#dropped = this.drop({ next, row }).catch(this.#options.onCrash)
  }
}

function redefined(
  { schema: current, embedding }: StoreRow,
  fields: readonly DeclaredField[] | undefined,
): Pick<StoreRow, 'schema' | 'previousFields' | 'embedding'> | undefined {
  if (fields === undefined) return undefined
  const { schema, previous: previousFields } = redefineFields(current!, fields)
  if (embedding === undefined) return { schema, previousFields }
  // Texts may be others, so all documents are looked through again.
  const from = Object.fromEntries(Object.keys(embedding.from).map((space) => [space, 1]))
  return { schema, previousFields, embedding: { ...embedding, from } }
}

function isPending({ pending }: NextIndex, docKey: number): boolean {
  return pending.some(({ from, to }) => from <= docKey && docKey <= to)
}

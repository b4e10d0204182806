import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { storedVector, type VectorSpace } from '@aisle/engine'
import { embeddedText, textDigest } from '../../domain/documents/embedded-text.ts'
import { toIndexDocument } from '../../domain/documents/indexed-document.ts'
import { semanticFields, semanticSettings } from '../../domain/store/semantic-settings.ts'
import { afterTakeover, changedSpaces, type Spaces } from '../../domain/store/vector-spaces.ts'
import type { NewVersion, StoredVector, StoreRow } from '../../ports/catalog/document-store.ts'
import { EmbedderUnavailable, type Embedder } from '../../ports/search/embedder.ts'
import type { IndexBatch } from './engine-port.ts'
import { withVectors } from './own-vectors.ts'
import { nextSchemaOf, type EmbeddingRun, type StoreState } from './store-state.ts'
import type { WriterOptions } from './writer-options.ts'

/** What one turn reads: it holds the writer's thread for some milliseconds. */
const TURN_DOCUMENTS = 64
const TURN_BYTES = 128 * 1024
/** Vectors that are removed in one commit. */
const ERASED_MAX = 5_000
/** How far the reading may be ahead of what a restart knows of it. */
const UNSAVED_MAX = 5_000
const BACK_OFF_MS = { first: 1_000, max: 60_000 }
/** The runner of stores that only have vectors to remove. */
const NO_EMBEDDER = ''

/** The operations of the writer that embedding needs. */
export interface EmbeddingHost {
  /** Runs alone on the writer's loop, with the index of the store open. */
  exclusive<T>(storeId: string, run: () => Promise<T>): Promise<T>
  /** Whether the state is still that of a store. */
  isCurrent(state: StoreState): boolean
  /** Applies a committed batch to the indexes of the store, and publishes it. */
  apply(state: StoreState, batch: IndexBatch): Promise<void>
  /** Publishes progress, and with `index` the index too. */
  publish(state: StoreState, parts?: { readonly index: 'changed' }): void
}

/**
 * Makes vectors of the documents of stores, in the background, from what is stored. Documents are
 * read in the order of their docKeys. A vector is committed with a new version of its document,
 * which has the next docKey: that is how it reaches the index, and how the work continues after a
 * crash from the docKey in the store's row. A document whose text has its vector is passed over, so
 * that an edit of a price embeds nothing.
 *
 * Each embedder has one runner, on which the stores take turns of one batch. An embedder that is
 * down makes its runner wait; nothing else does.
 */
export class Embedding {
  readonly #options: WriterOptions
  readonly #host: EmbeddingHost
  readonly #runners = new Map<string, Runner>()
  readonly #stop = new AbortController()

  constructor(options: WriterOptions, host: EmbeddingHost) {
    this.#options = options
    this.#host = host
  }

  /**
   * Settings or schema may have changed: decides which vectors the documents should have.
   *
   * @returns when that is published; it needs a turn on the writer's loop. Never rejects
   */
  consider(state: StoreState): Promise<void> {
    return this.#consider(state).catch((error: unknown) => this.#failed(state, error))
  }

  async #consider(state: StoreState): Promise<void> {
    if (this.#changed(state) !== undefined) {
      await this.#host.exclusive(state.row.storeId, async () => {
        const changed = this.#changed(state)
        if (changed !== undefined && this.#host.isCurrent(state)) await this.#put(state, changed)
      })
    }
    this.written(state)
  }

  /** Documents may lack a vector. */
  written(state: StoreState): void {
    const space = spaceOf(state)
    if (space === undefined) {
      if (state.row.embedding?.retired.length) this.#runner(NO_EMBEDDER).add(state)
      return
    }
    const embedder = this.#embedderOf(space)
    if (embedder === undefined) {
      runOf(state, space).problem = `The installation has no embedder "${space.embedder}"`
    } else this.#runner(space.embedder).add(state)
  }

  /** Resolves when no turn runs. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#runners.values().map(({ ended }) => ended))
  }

  #runner(name: string): Runner {
    let runner = this.#runners.get(name)
    if (runner === undefined) {
      runner = new Runner(
        (state) => this.#turn(state),
        (state, error) => this.#failed(state, error),
        this.#stop.signal,
      )
      this.#runners.set(name, runner)
    }
    return runner
  }

  /** The model of the space; undefined if the installation has none, or another one of its name. */
  #embedderOf({ embedder: name, fingerprint }: VectorSpace): Embedder | undefined {
    const embedder = this.#options.embedders?.get(name)
    return embedder?.fingerprint === fingerprint ? embedder : undefined
  }

  #changed({ row, resources }: StoreState): Spaces | undefined {
    const { schema, embedding } = row
    if (schema === undefined) return undefined
    const settings = semanticSettings(resources)
    if (settings.semantic === undefined) return changedSpaces(schema, embedding, undefined)
    const embedder = this.#options.embedders?.get(settings.semantic.embedder)
    const fields = semanticFields(settings, schema)
    // What there is stays until there is something better.
    if (embedder === undefined || fields.length === 0) return undefined
    const { name, fingerprint, dimensions } = embedder
    return changedSpaces(schema, embedding, { embedder: name, fingerprint, dimensions, fields })
  }

  /** Commits other spaces, in one moment for all searches. */
  async #put(state: StoreState, { schema, embedding }: Spaces): Promise<void> {
    await this.#save(state, { ...state.row, schema, embedding })
    state.index?.setSchema(schema)
    state.next?.index.setSchema(nextSchemaOf(state.row)!)
    this.#host.publish(state, { index: 'changed' })
  }

  async #save(state: StoreState, row: StoreRow): Promise<void> {
    const changes = { stores: [row], removedStores: [], catalogs: [] }
    await this.#options.documents.commit(changes)
    state.row = row
  }

  /** @returns whether there is more to do */
  async #turn(state: StoreState): Promise<boolean> {
    const { row, shown } = state
    if (!this.#host.isCurrent(state) || state.loading) return false
    const space = spaceOf(state)
    const embedder = space && this.#embedderOf(space)
    if (space === undefined || embedder === undefined) return await this.#tidy(state)
    const run = runOf(state, space)
    const range = { from: run.from, to: shown.nextDocKey - 1 }
    if (range.from > range.to) return await this.#complete(state, run)
    const { texts, next } = this.#unembedded(row, space, range)
    if (texts.length > 0) {
      const startMs = performance.now()
      const vectors = await embedder.embed(
        texts.map(({ text }) => text),
        'document',
        this.#stop.signal,
      )
      const made = texts.flatMap((one, i) => {
        const vector = vectors[i]
        if (vector === undefined) return []
        return [{ ...one, codes: storedVector(vector, 'cosine').codes }]
      })
      await this.#host.exclusive(row.storeId, () =>
        this.#attach(state, { catalog: row.catalog, space, made, next }),
      )
      run.problem = undefined
      noteSpeed(run, texts.length, performance.now() - startMs)
    }
    run.from = next
    return true
  }

  /** Documents of a page whose text has no vector yet, and where to go on. */
  #unembedded(
    { catalog, schema }: StoreRow,
    { number, fields }: VectorSpace,
    range: { readonly from: number; readonly to: number },
  ): { readonly texts: readonly DocumentText[]; readonly next: number } {
    const { documents } = this.#options
    const page = documents.scan(catalog, range, TURN_DOCUMENTS, TURN_BYTES)
    const texts = page.documents.flatMap((document): DocumentText[] => {
      const { id, docKey } = document
      const text = embeddedText(toIndexDocument(document, schema!).values, schema!, fields)
      if (text === '') return []
      const digest = textDigest(text)
      const stored = documents.vector(catalog, number, id)
      return stored !== undefined && digest.equals(stored.digest)
        ? []
        : [{ id, docKey, text, digest }]
    })
    return { texts, next: page.next ?? range.to + 1 }
  }

  /** Commits vectors, each with a new version of its document unless that was written meanwhile. */
  async #attach(state: StoreState, { catalog, space, made, next }: MadeVectors): Promise<void> {
    const { row, counters } = state
    if (!this.#host.isCurrent(state) || row.catalog !== catalog || spaceOf(state) !== space) return
    const { documents } = this.#options
    const before: NewVersion[] = []
    const puts: NewVersion[] = []
    const vectors: (StoredVector & { space: number; id: string })[] = []
    for (const { id, docKey, digest, codes } of made) {
      const stored = documents.findKey(catalog, id) === docKey && documents.read(catalog, docKey)
      if (!stored) continue
      const { inserted = docKey } = stored
      before.push(stored)
      puts.push({ ...stored, docKey: counters.nextDocKey + puts.length, inserted })
      vectors.push({ space: space.number, id, digest, codes })
    }
    const changed = { ...counters, nextDocKey: counters.nextDocKey + puts.length }
    const saved = withFrom(row, space, next)
    const buried = before.map(({ docKey }) => docKey)
    const part = { catalog, counters: changed, puts, removedIds: [], buried, reaped: [] }
    const changes = {
      stores: [saved],
      removedStores: [],
      catalogs: [{ ...part, vectors: { puts: vectors, removes: [] } }],
    }
    await documents.commit(changes)
    state.row = saved
    state.counters = state.shown = changed
    const read = (version: NewVersion) => toIndexDocument(version, row.schema!)
    await this.#host.apply(state, {
      added: puts.map((version) => withVectors(documents, saved, read(version))),
      removed: before.map(read),
    })
  }

  /** All documents have been read. @returns whether there is more to do */
  async #complete(state: StoreState, run: EmbeddingRun): Promise<boolean> {
    const space = spaceOf(state)!
    const saved = state.row.embedding?.from[space.number] ?? 0
    if (afterTakeover(state.row.schema!, state.row.embedding!) !== undefined) {
      return await this.#host.exclusive(state.row.storeId, async () => {
        // What was written meanwhile gets its vector in the next turns, as always.
        const missing = state.shown.nextDocKey - run.from
        const isWhole = spaceOf(state) === space && missing <= TURN_DOCUMENTS
        if (!isWhole || !this.#host.isCurrent(state)) return true
        const row = withFrom(state.row, space, run.from)
        const { storeId } = row
        await this.#put(state, afterTakeover(row.schema!, row.embedding!)!)
        const { embedder, fields } = space
        this.#options.log('info', 'Searches of a store use new vectors', {
          storeId,
          embedder,
          fields,
        })
        return true
      })
    }
    if (saved === 0 || run.from - saved > UNSAVED_MAX) {
      await this.#host.exclusive(state.row.storeId, async () => {
        if (spaceOf(state) !== space || !this.#host.isCurrent(state)) return
        await this.#save(state, withFrom(state.row, space, run.from))
      })
    }
    const more = await this.#tidy(state)
    run.perSecond = undefined
    this.#host.publish(state)
    return more
  }

  /** Removes vectors of spaces that are no longer used. @returns whether some may be left */
  async #tidy(state: StoreState): Promise<boolean> {
    const [number] = state.row.embedding?.retired ?? []
    if (number === undefined) return false
    return await this.#host.exclusive(state.row.storeId, async () => {
      const { documents } = this.#options
      if (!this.#host.isCurrent(state)) return false
      if (await documents.eraseVectors(state.row.catalog, number, ERASED_MAX)) return true
      const embedding = state.row.embedding!
      const retired = embedding.retired.filter((one) => one !== number)
      await this.#save(state, { ...state.row, embedding: { ...embedding, retired } })
      return retired.length > 0
    })
  }

  #failed(state: StoreState, error: unknown): void {
    const space = spaceOf(state)
    if (!(error instanceof EmbedderUnavailable)) {
      this.#options.log('error', 'Making vectors for a store failed; retrying', {
        storeId: state.row.storeId,
        error: error instanceof Error ? error.stack : String(error),
      })
    }
    if (space === undefined || !this.#host.isCurrent(state)) return
    runOf(state, space).problem = error instanceof Error ? error.message : String(error)
    this.#host.publish(state)
  }
}

interface DocumentText {
  readonly id: string
  readonly docKey: number
  readonly text: string
  readonly digest: Buffer
}

interface MadeVectors {
  readonly catalog: number
  readonly space: VectorSpace
  readonly made: readonly (DocumentText & Pick<StoredVector, 'codes'>)[]
  /** All documents with lower docKeys have been read. */
  readonly next: number
}

/** The turns of the stores of one embedder, one after another. */
class Runner {
  readonly #turn: (state: StoreState) => Promise<boolean>
  readonly #failed: (state: StoreState, error: unknown) => void
  readonly #signal: AbortSignal
  /** In the order of their turns. */
  readonly #waiting = new Set<StoreState>()
  #isRunning = false
  /** Resolves when the current turn has ended. */
  ended: Promise<void> = Promise.resolve()

  constructor(
    turn: (state: StoreState) => Promise<boolean>,
    failed: (state: StoreState, error: unknown) => void,
    signal: AbortSignal,
  ) {
    this.#turn = turn
    this.#failed = failed
    this.#signal = signal
  }

  add(state: StoreState): void {
    this.#waiting.add(state)
    if (this.#isRunning) return
    this.#isRunning = true
    this.ended = this.#run()
  }

  async #run(): Promise<void> {
    let failures = 0
    for (const state of this.#waiting) {
      // Writes and other stores come first.
      await nextTurn()
      if (this.#signal.aborted) return
      this.#waiting.delete(state)
      try {
        if (await this.#turn(state)) this.#waiting.add(state)
        failures = 0
      } catch (error) {
        if (this.#signal.aborted) return
        this.#waiting.add(state)
        this.#failed(state, error)
        const pauseMs = Math.min(BACK_OFF_MS.max, BACK_OFF_MS.first * 2 ** failures++)
        const asked = error instanceof EmbedderUnavailable ? error.retryAfterMs : undefined
        const options = { ref: false, signal: this.#signal }
        await wait(asked ?? pauseMs, undefined, options).catch(() => undefined)
      }
    }
    this.#isRunning = false
  }
}

/** The space that is filled. */
function spaceOf({ row }: StoreState): VectorSpace | undefined {
  return row.schema?.spaces?.at(-1)
}

function runOf(state: StoreState, { number }: VectorSpace): EmbeddingRun {
  const { row } = state
  if (state.embedding?.space !== number || state.embedding.catalog !== row.catalog) {
    const from = row.embedding?.from[number] ?? 0
    state.embedding = { space: number, catalog: row.catalog, from }
  }
  return state.embedding
}

function withFrom(row: StoreRow, { number }: VectorSpace, from: number): StoreRow {
  const embedding = row.embedding!
  return { ...row, embedding: { ...embedding, from: { ...embedding.from, [number]: from } } }
}

/** Of the latest batches, the newest counting most. */
function noteSpeed(run: EmbeddingRun, count: number, ms: number): void {
  const speed = (count / Math.max(ms, 1)) * 1_000
  run.perSecond = run.perSecond === undefined ? speed : run.perSecond * 0.8 + speed * 0.2
}

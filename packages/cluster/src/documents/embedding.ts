import { setImmediate as nextTurn } from 'node:timers/promises'
import { storedVector, type VectorSpace } from '@aisle/engine'
import {
  afterTakeover,
  changedSpaces,
  embeddedText,
  semanticFields,
  semanticSettings,
  textDigest,
  toIndexDocument,
  type Spaces,
} from '@aisle/server/domain'
import {
  EmbedderUnavailable,
  type Embedder,
  type Embedders,
  type StoreStatistics,
} from '@aisle/server/ports'
import { SPACES_FORMAT } from '../control/cluster-format.ts'
import type { Leases } from '../control/leases.ts'
import type { OwnVector } from '../opensearch/own-vectors.ts'
import type { StoredProduct } from '../opensearch/product-requests.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'
import type { StoreDocuments } from '../stores/store-places.ts'
import type { ClusterDocuments } from './cluster-documents.ts'
import { EmbeddingRunner } from './embedding-runner.ts'

export interface ClusterEmbeddingOptions {
  readonly documents: ClusterDocuments
  readonly stores: ClusterStores
  readonly embedders: Embedders
  readonly leases: Leases
  readonly formatInForce: () => number
  readonly log: (level: 'info', message: string, detail: object) => void
  /** Called when the cluster did not respond, or a turn failed; everything is retried. */
  readonly onFailure: (error: unknown) => void
  readonly leaseMs?: number
}

/** Documents of the first page of a turn; later ones are sized by the bytes of those before. */
const PAGE_FIRST = 64
const PAGE_MAX = 256
const PAGE_BYTES = 1_000_000
const READ_AT_ONCE = 16
/** The runner of stores that only have vectors to remove. */
const NO_EMBEDDER = ''

/** What this node knows of the vectors that it makes of a store. */
interface Run {
  readonly content: string
  perSecond?: number | undefined
  /** JSON bytes of a document. */
  documentBytes?: number
}

/**
 * Makes vectors of the documents of stores, in the background, from what is stored. A document says
 * itself for which spaces its text was read (`present`), so what is left to do is a search: it
 * continues after a crash, on any node, and finds what was written meanwhile.
 *
 * A vector is written with a new version of its document, unless that was replaced meanwhile. A
 * write of the same text keeps it (`keptVectors`).
 *
 * Each embedder has one runner, on one node at a time, on which the stores take turns.
 */
export class ClusterEmbedding {
  readonly #options: ClusterEmbeddingOptions
  readonly #runners: ReadonlyMap<string, EmbeddingRunner>
  readonly #runs = new Map<string, Run>()

  constructor(options: ClusterEmbeddingOptions) {
    this.#options = options
    const { embedders, leases, onFailure, leaseMs } = options
    const runnerOf = (name: string): EmbeddingRunner =>
      new EmbeddingRunner({
        name,
        leases,
        onFailure,
        ...(leaseMs === undefined ? {} : { leaseMs }),
        work: () => this.#work(name),
        turn: (storeId, signal) => this.#turn(storeId, signal),
        onDown: (storeId, reason) => this.#note(storeId, reason),
      })
    this.#runners = new Map(
      [NO_EMBEDDER, ...embedders.names()].map((name) => [name, runnerOf(name)]),
    )
  }

  start(): void {
    for (const runner of this.#runners.values()) runner.start()
  }

  async close(): Promise<void> {
    await Promise.all(this.#runners.values().map((runner) => runner.close()))
  }

  /**
   * Settings or schema may have changed: decides which vectors the documents should have. Never
   * rejects, because the runner considers all stores again.
   */
  async consider(storeId: string): Promise<void> {
    await this.#consider(storeId).catch(this.#options.onFailure)
  }

  async #consider(storeId: string): Promise<void> {
    const { documents, stores } = this.#options
    const { places } = documents
    const known = places.known(storeId)
    if (known === undefined || this.#changed(storeId, known) === undefined) return
    // Another node may have changed the settings just now.
    await stores.readResources(storeId)
    await places.change(storeId, (before) => {
      const changed = this.#changed(storeId, before)
      return changed === undefined ? before : { ...before, ...changed }
    })
    this.written(storeId)
  }

  /** Documents may lack a vector. */
  written(storeId: string): void {
    const space = spaceOf(this.#options.documents.places.known(storeId))
    this.#runners.get(space?.embedder ?? NO_EMBEDDER)?.wake()
  }

  /** With what only this node knows of a work in progress. */
  async statistics(storeId: string): Promise<StoreStatistics> {
    const statistics = await this.#options.documents.statistics(storeId)
    const { embedding } = statistics
    if (embedding === undefined || embedding.state === 'ready') return statistics
    const embedder = this.#options.embedders.get(embedding.embedder)
    if (embedder === undefined) {
      const problem = `This node has no embedder "${embedding.embedder}"`
      return { ...statistics, embedding: { problem, ...embedding, state: 'waiting' } }
    }
    const perSecond = this.#runs.get(storeId)?.perSecond
    return perSecond === undefined || embedding.state === 'waiting'
      ? statistics
      : { ...statistics, embedding: { ...embedding, perSecond } }
  }

  #changed(storeId: string, { schema, embedding }: StoreDocuments): Spaces | undefined {
    const { stores, embedders, formatInForce } = this.#options
    if (schema === undefined || formatInForce() < SPACES_FORMAT) return undefined
    const settings = semanticSettings(stores.of(storeId))
    if (settings.semantic === undefined) return changedSpaces(schema, embedding, undefined)
    const embedder = embedders.get(settings.semantic.embedder)
    const fields = semanticFields(settings, schema)
    // What there is stays until there is something better.
    if (embedder === undefined || fields.length === 0) return undefined
    const { name, fingerprint, dimensions } = embedder
    return changedSpaces(schema, embedding, { embedder: name, fingerprint, dimensions, fields })
  }

  /** The stores for which an embedder has something to do. */
  async #work(name: string): Promise<string[]> {
    const { documents, stores } = this.#options
    const ofScope = new Map<string, string>()
    const toRead = []
    const work: string[] = []
    for (const { storeId } of stores.list()) {
      await this.consider(storeId)
      const known = documents.places.known(storeId)
      const space = spaceOf(known)
      if (known?.place === undefined || (space?.embedder ?? NO_EMBEDDER) !== name) continue
      const isChanging = known.schema!.spaces?.[0] !== space
      if (isChanging || (known.embedding?.retired.length ?? 0) > 0) work.push(storeId)
      else if (space !== undefined) {
        const { scope, index } = known.place
        ofScope.set(scope, storeId)
        toRead.push({ scope, index, space: space.number })
      }
    }
    const scopes = await documents.vectors.scopesToRead(toRead)
    return [...work, ...scopes.keys().map((scope) => ofScope.get(scope)!)]
  }

  /** @returns whether there is more to do now */
  async #turn(storeId: string, signal: AbortSignal): Promise<boolean> {
    const { documents, embedders } = this.#options
    const known = documents.places.known(storeId)
    if (known?.place === undefined) return false
    const space = spaceOf(known)
    const embedder = space && embedders.get(space.embedder)
    if (space === undefined || embedder?.fingerprint !== space.fingerprint) {
      return this.#tidy(storeId, known)
    }
    const run = this.#runOf(storeId, known)
    const size = pageSize(run)
    const products = await documents.vectors.byVector(known.place, space.number, {
      made: false,
      size,
    })
    if (products.length === 0) {
      run.perSecond = undefined
      return this.#complete(storeId, known, space)
    }
    run.documentBytes = products.reduce((sum, one) => sum + one.json!.length, 0) / products.length
    const made = await this.#read(known, space, products, { embedder, run, signal })
    await this.#note(storeId, undefined)
    const outcomes = await documents.addVectors(storeId, known.life, made)
    const isAny = outcomes.some(({ status }) => status === 'changed')
    if (isAny && known.embedding?.from[space.number] === undefined) {
      await this.#begun(storeId, space)
    }
    return isAny
  }

  /** Makes the missing vectors of documents. */
  async #read(
    { schema }: StoreDocuments,
    { number: space, fields }: VectorSpace,
    products: readonly StoredProduct[],
    { embedder, run, signal }: { embedder: Embedder; run: Run; signal: AbortSignal },
  ): Promise<(Pick<StoredProduct, 'id' | 'docKey'> & { readonly vectors: OwnVector[] })[]> {
    const read = []
    for (const [at, { id, docKey, json = '', own }] of products.entries()) {
      if (at % READ_AT_ONCE === READ_AT_ONCE - 1) await nextTurn()
      const document = { docKey, id, json: Buffer.from(json) }
      const text = embeddedText(toIndexDocument(document, schema!).values, schema!, fields)
      const digest = textDigest(text)
      const isKnown = own.some((one) => one.space === space && digest.equals(one.digest))
      read.push({ id, docKey, text, digest, isMissing: text !== '' && !isKnown })
    }
    const texts = read.filter(({ isMissing }) => isMissing).map(({ text }) => text)
    const startMs = performance.now()
    const vectors = texts.length === 0 ? [] : await embedder.embed(texts, 'document', signal)
    if (texts.length > 0) noteSpeed(run, texts.length, performance.now() - startMs)
    let next = 0
    return read.map(({ id, docKey, digest, isMissing }) => {
      if (!isMissing) return { id, docKey, vectors: [] }
      const vector = vectors[next++]
      const { codes } = storedVector(vector ?? [], 'cosine')
      return { id, docKey, vectors: [{ space, digest, codes }] }
    })
  }

  /** From now on, the vectors of a space serve until others are complete. */
  async #begun(storeId: string, { number }: VectorSpace): Promise<void> {
    await this.#options.documents.places.change(storeId, (before) => {
      const { schema, embedding } = before
      const isThere = schema?.spaces?.some((one) => one.number === number) === true
      if (!isThere || embedding === undefined) return before
      return { ...before, embedding: { ...embedding, from: { ...embedding.from, [number]: 1 } } }
    })
  }

  /** All documents have been read. @returns whether there is more to do */
  async #complete(storeId: string, known: StoreDocuments, space: VectorSpace): Promise<boolean> {
    if (known.schema?.spaces?.[0]?.number === space.number) return this.#tidy(storeId, known)
    const { documents, log } = this.#options
    await documents.places.change(storeId, (before) => {
      const { schema, embedding } = before
      if (schema?.spaces?.at(-1)?.number !== space.number || embedding === undefined) return before
      const spaces = afterTakeover(schema, embedding)
      return spaces === undefined ? before : { ...before, ...spaces }
    })
    const { embedder, fields } = space
    log('info', 'Searches of a store use new vectors', { storeId, embedder, fields })
    return true
  }

  /** Removes vectors of spaces that are no longer used. @returns whether some may be left */
  async #tidy(storeId: string, known: StoreDocuments): Promise<boolean> {
    const { documents } = this.#options
    const number = known.embedding?.retired[0]
    if (number === undefined) return false
    const size = pageSize(this.#runOf(storeId, known))
    const products = await documents.vectors.byVector(known.place!, number, { made: true, size })
    if (products.length > 0) {
      const made = products.map(({ id, docKey }) => ({ id, docKey, vectors: [] }))
      const outcomes = await documents.addVectors(storeId, known.life, made)
      return outcomes.some(({ status }) => status === 'changed')
    }
    const after = await documents.places.change(storeId, (before) => {
      const { embedding } = before
      if (embedding === undefined) return before
      const retired = embedding.retired.filter((one) => one !== number)
      return { ...before, embedding: { ...embedding, retired } }
    })
    return (after.embedding?.retired.length ?? 0) > 0
  }

  /** All nodes show why nothing is made at the moment. */
  async #note(storeId: string, error: unknown): Promise<void> {
    const { places } = this.#options.documents
    const problem = error === undefined ? undefined : messageOf(error)
    if (places.known(storeId)?.embedding?.problem === problem) return
    await places.change(storeId, (before) => {
      const { embedding } = before
      if (embedding === undefined || embedding.problem === problem) return before
      return { ...before, embedding: { ...embedding, problem } }
    })
  }

  #runOf(storeId: string, { life }: StoreDocuments): Run {
    const known = this.#runs.get(storeId)
    if (known?.content === life) return known
    const run: Run = { content: life }
    this.#runs.set(storeId, run)
    return run
  }
}

/** The space that is filled. */
function spaceOf(documents: StoreDocuments | undefined): VectorSpace | undefined {
  return documents?.schema?.spaces?.at(-1)
}

function pageSize({ documentBytes }: Run): number {
  if (documentBytes === undefined) return PAGE_FIRST
  return Math.min(PAGE_MAX, Math.max(1, Math.floor(PAGE_BYTES / documentBytes)))
}

/** Of the latest batches, the newest counting most. */
function noteSpeed(run: Run, count: number, ms: number): void {
  const speed = (count / Math.max(ms, 1)) * 1_000
  run.perSecond = run.perSecond === undefined ? speed : run.perSecond * 0.8 + speed * 0.2
}

function messageOf(error: unknown): string {
  if (error instanceof EmbedderUnavailable) return error.message
  return 'The vectors could not be written; it is tried again'
}

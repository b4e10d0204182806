import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import type { SearchOutcome, SearchPlan } from '@aisle/engine'
import type { DocumentStore } from '../../../ports/catalog/document-store.ts'
import { Committer } from '../../lmdb/committer.ts'
import { LmdbDocumentStore } from '../../lmdb/document-store.ts'
import { openEnvironment } from '../../lmdb/environment.ts'
import { createGeneration } from '../generation.ts'
import { Publisher } from '../publisher.ts'
import { Replica } from '../replica.ts'
import { EmbeddedSearchBackend } from '../search-backend.ts'
import type { Embedders } from '../../../ports/search/embedder.ts'
import { EmbeddedWriter } from '../writer.ts'
import { TinyIndexHost, TinySearcher } from './tiny-index.ts'

/** Writer and replicas over a real document file, all in one thread. */
export class Harness implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'aisle-embedded-'))
  readonly host = new TinyIndexHost()
  readonly crashes: unknown[] = []
  /** The next commit fails with this. */
  failCommit: Error | undefined
  now = 1_700_000_000_000
  /** Models of the writer; set them before `open`. */
  embedders: Embedders | undefined
  /** As the option of the writer. */
  readonly smallStoresBytes: number | undefined
  writer!: EmbeddedWriter
  documents!: DocumentStore
  replicas: Replica[] = []
  #environment!: ReturnType<typeof openEnvironment>
  #publisher!: Publisher

  constructor(smallStoresBytes?: number) {
    this.smallStoresBytes = smallStoresBytes
  }

  static async start(smallStoresBytes?: number): Promise<Harness> {
    const harness = new Harness(smallStoresBytes)
    await harness.open()
    return harness
  }

  async open(): Promise<void> {
    this.#environment = openEnvironment(join(this.folder, 'lmdb'), { readOnly: false })
    const committer = new Committer(this.#environment, () => undefined)
    const store = new LmdbDocumentStore(this.#environment, committer, () => undefined)
    const commit = store.commit.bind(store)
    store.commit = async (changes) => {
      const failure = this.failCommit
      this.failCommit = undefined
      if (failure !== undefined) throw failure
      await commit(changes)
    }
    this.documents = store
    this.#publisher = new Publisher(createGeneration())
    this.writer = new EmbeddedWriter({
      documents: store,
      indexes: this.host,
      publisher: this.#publisher,
      clock: { now: () => this.now },
      ...(this.embedders === undefined ? {} : { embedders: this.embedders }),
      ...(this.smallStoresBytes === undefined ? {} : { smallStoresBytes: this.smallStoresBytes }),
      reanalysisDocuments: 20,
      log: () => undefined,
      onCrash: (error) => this.crashes.push(error),
    })
    this.replicas = [this.connect(), this.connect()]
    await this.writer.open()
  }

  connect(): Replica {
    const { port1, port2 } = new MessageChannel()
    this.#publisher.connect(port1)
    port1.unref()
    const { generation } = this.#publisher
    const replica = new Replica(
      port2,
      generation,
      () => new TinySearcher(),
      () => undefined,
    )
    port2.unref()
    return replica
  }

  backend(replica: Replica = this.replicas[0]!): EmbeddedSearchBackend {
    return new EmbeddedSearchBackend(replica, {
      findKey: (catalog, id) => this.documents.findKey(catalog, id),
      openIndex: (storeId) => this.writer.openIndex(storeId),
      clock: { now: () => this.now },
    })
  }

  /** What a search on one replica finds: ids, newest first, as read from the documents. */
  found(storeId: string, replica: Replica = this.replicas[0]!): string[] {
    const view = this.backend(replica).view(storeId)
    if (view === undefined) throw new Error('no such store')
    const outcome = view.search({} as SearchPlan)
    if (outcome instanceof Promise) throw new Error('the embedded engine answers at once')
    return this.#read(storeId, replica, outcome)
  }

  /** The same of an index that may be closed. */
  async foundWhenOpen(storeId: string, replica: Replica = this.replicas[0]!): Promise<string[]> {
    const view = this.backend(replica).view(storeId)
    if (view === undefined) throw new Error('no such store')
    return this.#read(storeId, replica, await view.search({} as SearchPlan))
  }

  #read(storeId: string, replica: Replica, outcome: SearchOutcome): string[] {
    const { documents } = this
    const catalog = replica.store(storeId)!.catalog
    return outcome.hits.map(({ docKey }) => {
      const document = documents.read(catalog, docKey)
      if (document === undefined) throw new Error(`hit ${docKey} cannot be read`)
      return `${document.id}=${Buffer.from(document.json).toString()}`
    })
  }

  async close(): Promise<void> {
    await this.writer.close()
    await this.#environment.root.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

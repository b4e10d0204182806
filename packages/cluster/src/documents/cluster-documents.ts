import { randomUUID } from 'node:crypto'
import { ApiError } from '@aisle/contract'
import { ControlFollower } from '../opensearch/control-follower.ts'
import { openPool } from '../opensearch/product-index.ts'
import { ProductRequests } from '../opensearch/product-requests.ts'
import { VectorRequests, type VectorCounts } from '../opensearch/vector-requests.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { ProductPlace, ProductTotals } from '../opensearch/product-requests.ts'
import type { SlotMap } from '../opensearch/field-slots.ts'
import { createAnalyzer } from '@aisle/engine'
import { mergeSchema, redefinedSchema, requireStamp, schemaStamp } from '@aisle/server/domain'
import type {
  CatalogWriter,
  Clock,
  DeclaredField,
  DocumentReader,
  DocumentScan,
  FieldsChange,
  SchemaChange,
  StoreStatistics,
  FetchedDocuments,
  StoredDocument,
  WalkPlace,
} from '@aisle/server/ports'
import { clusterFailure } from '../control/cluster-failure.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'
import { BulkLoads, type Where } from './bulk-loads.ts'
import { DocKeys } from './doc-keys.ts'
import { DocumentWriter } from './document-writer.ts'
import { embeddingStatus } from './embedding-status.ts'
import { Fillings } from './fillings.ts'
import { KnownPlaces, placesOf, slotsOf } from './known-places.ts'
import { KnownProducts } from './known-products.ts'
import { MomentScan, toDocument } from './moment-scan.ts'
import {
  beginRedefinition,
  checkConversion,
  documentsReplaced,
  reanalysisOf,
  schemaStateOf,
  withoutRedefinition,
} from './redefinition.ts'
import type { StoreDocuments } from '../stores/store-places.ts'
import { requireScripts } from './vector-check.ts'

/** The document-related parts of the catalog ports. */
type DocumentPorts = DocumentReader &
  Pick<
    CatalogWriter,
    | 'changeSchema'
    | 'redefineFields'
    | 'cancelRedefinition'
    | 'writeDocuments'
    | 'deleteDocument'
    | 'changeVersions'
    | 'clearDocuments'
  >

export interface ClusterDocumentsOptions {
  readonly cluster: ClusterConnection
  readonly index: ControlIndex
  readonly stores: ClusterStores
  readonly clock: Clock
  /** The prefix of the product indices' names. */
  readonly prefix: string
  /** Whether all nodes derive the same terms from a document. Default: true. */
  readonly areNodesAlike?: () => boolean
  /** Called when the cluster did not respond in the background; it is retried. */
  readonly onFailure: (error: unknown) => void
}

/** Documents and schemas of all stores, in the product indices of a cluster. */
export class ClusterDocuments implements DocumentPorts {
  readonly requests: ProductRequests
  readonly vectors: VectorRequests
  readonly places: KnownPlaces
  readonly bulkLoads: BulkLoads
  /** Add documents that searches have found here, so that `fetch` has them. */
  readonly products = new KnownProducts()
  readonly #cluster: ClusterConnection
  readonly #clock: Clock
  readonly #writer: DocumentWriter
  readonly #follower: ControlFollower

  private constructor(
    { cluster, stores, clock }: ClusterDocumentsOptions,
    places: KnownPlaces,
    follower: ControlFollower,
  ) {
    this.requests = new ProductRequests(cluster)
    this.vectors = new VectorRequests(cluster)
    this.places = places
    this.bulkLoads = new BulkLoads(cluster, this.requests, stores, places)
    this.#cluster = cluster
    this.#clock = clock
    this.#follower = follower
    const docKeys = new DocKeys(places, clock)
    this.#writer = new DocumentWriter({
      requests: this.requests,
      places,
      docKeys,
      clock,
      fillings: new Fillings(),
    })
  }

  /** Creates the pool if it does not exist, and follows the changes of other nodes. */
  static async open(options: ClusterDocumentsOptions): Promise<ClusterDocuments> {
    const { cluster, index, stores, prefix, areNodesAlike, onFailure } = options
    await openPool(cluster, prefix)
    const places = new KnownPlaces(index, stores, prefix, areNodesAlike)
    const from = await places.load()
    const follower = new ControlFollower(index, from, {
      onChanges: (documents) => {
        for (const document of documents) places.take(document)
      },
      onFailure,
    })
    follower.start()
    return new ClusterDocuments(options, places, follower)
  }

  async get(storeId: string, id: string): Promise<StoredDocument | undefined> {
    const place = this.places.known(storeId)?.place
    const content = this.places.contentOf(storeId)
    if (place === undefined) return undefined
    try {
      const [found] = await this.requests.read([{ place, id, withJson: true }])
      if (found === undefined || found.isGone) return undefined
      const document = toDocument(found)
      if (content !== undefined) this.products.add(content, document)
      return document
    } catch (error) {
      throw clusterFailure(error, 'read the document')
    }
  }

  async fetch(
    storeId: string,
    docKeys: readonly number[],
    content = this.places.contentOf(storeId) ?? '',
  ): Promise<FetchedDocuments> {
    const fetched = new Map<number, StoredDocument>()
    for (const docKey of docKeys) {
      const known = this.products.get(content, docKey)
      // Rare, because hits come with their documents.
      const document = known ?? (await this.#find(storeId, docKey, content))
      if (document !== undefined) fetched.set(docKey, document)
    }
    return (docKey) => fetched.get(docKey)
  }

  async scan(
    storeId: string,
    docKeys?: Float64Array,
    after = -1,
  ): Promise<Pick<MomentScan, 'docCount' | 'next' | 'close'> | undefined> {
    const documents = this.places.known(storeId)
    if (documents === undefined) return undefined
    const { place } = documents
    return place === undefined ? NOTHING : MomentScan.open(this.requests, place, docKeys, after)
  }

  async scanInserted(storeId: string, after?: WalkPlace): Promise<DocumentScan | undefined> {
    const documents = this.places.known(storeId)
    if (documents === undefined) return undefined
    const { place } = documents
    return place === undefined ? NOTHING : MomentScan.openInserted(this.requests, place, after)
  }

  async changeSchema(
    storeId: string,
    mode: 'additive' | 'replace',
    fields: readonly DeclaredField[],
    expected?: string,
  ): Promise<SchemaChange> {
    await requireScripts(this.#cluster, this.places.prefix, fields)
    // Taken in advance, because the change may need it.
    const fresh = await this.places.newScope()
    let change: SchemaChange | undefined
    const decide = (before: StoreDocuments, loading?: Where): StoreDocuments => {
      requireStamp(expected, schemaStateOf(before))
      const { schema, change: made } = mergeSchema(before.schema, mode, fields)
      change = made
      if (schema === before.schema) return before
      if (mode === 'additive' && before.place !== undefined) {
        return this.places.withFields(before, schema, this.#clock.now())
      }
      const renewed = { ...before, schema, redefinition: undefined }
      return this.#renewed(renewed, fresh, storeId, slotsOf(schema, []), loading)
    }
    const loading = await this.bulkLoads.begin(storeId, fresh, decide)
    const after = await this.places.change(storeId, (before) => decide(before, loading))
    await this.bulkLoads.begun(loading, after.place)
    return change!
  }

  async redefineFields(
    storeId: string,
    requested: readonly DeclaredField[],
    expected?: string,
  ): Promise<FieldsChange> {
    await requireScripts(this.#cluster, this.places.prefix, requested)
    const id = randomUUID()
    let change: FieldsChange | undefined
    let isChecked = false
    const begun = await this.places.change(storeId, (before) => {
      requireStamp(expected, schemaStateOf(before))
      const begin = beginRedefinition(before, requested)
      change = begin.change
      isChecked = begin.isChecked
      const { fields, schema } = begin
      const grown =
        schema === before.schema
          ? before
          : this.places.withFields(before, schema, this.#clock.now())
      return {
        ...withoutRedefinition(grown, this.#clock.now()),
        redefinition: fields && { id, fields, isChecked: false, atMs: this.#clock.now() },
      }
    })
    if (begun.redefinition === undefined) return change!
    try {
      const isEmpty = begun.place === undefined || (await this.#count(begun.place)) === 0
      if (!isEmpty && isChecked) {
        const isStill = () => this.places.contentOf(storeId) === begun.life
        await checkConversion(this.requests, begun, isStill)
      }
      const fresh = await this.places.newScope()
      const after = await this.places.change(storeId, (before) => {
        const { redefinition, schema } = before
        if (redefinition?.id !== id || schema === undefined) return before
        // The stamp of the request was compared before its own fields were added.
        requireStamp(expected && schemaStamp({ schema: begun.schema }), { schema })
        if (!isEmpty || before.place?.scope !== begun.place?.scope) {
          return { ...before, redefinition: { ...redefinition, isChecked: true } }
        }
        const next = redefinedSchema(schema, redefinition.fields)
        const renewed = { ...before, schema: next, redefinition: undefined }
        return this.#renewed(renewed, fresh, storeId, slotsOf(next, []))
      })
      if (after.redefinition !== undefined && after.redefinition.id !== id)
        throw documentsReplaced()
    } catch (error) {
      await this.places.change(storeId, (before) =>
        before.redefinition?.id === id ? { ...before, redefinition: undefined } : before,
      )
      throw error
    }
    return change!
  }

  async cancelRedefinition(storeId: string): Promise<boolean> {
    let isRunning = false
    await this.places.change(storeId, (before) => {
      isRunning = before.redefinition?.isChecked === true
      return isRunning ? withoutRedefinition(before, this.#clock.now()) : before
    })
    return isRunning
  }

  writeDocuments(...of: Parameters<DocumentPorts['writeDocuments']>) {
    return this.#writer.write(...of)
  }

  deleteDocument(...of: Parameters<DocumentPorts['deleteDocument']>) {
    return this.#writer.delete(...of)
  }

  changeVersions(...of: Parameters<DocumentPorts['changeVersions']>) {
    return this.#writer.change(...of)
  }

  addVectors(...of: Parameters<DocumentWriter['addVectors']>) {
    return this.#writer.addVectors(...of)
  }

  async clearDocuments(storeId: string): Promise<number> {
    const state = (await this.places.read([storeId])).get(storeId)
    if (state === undefined) {
      throw new ApiError('store_not_found', 'There is no store with this id')
    }
    const { place } = state.documents
    if (place === undefined || (await this.#count(place)) === 0) return 0
    const fresh = await this.places.newScope()
    let cleared = place
    await this.places.change(storeId, (before) => {
      if (before.place === undefined) return before
      cleared = before.place
      return this.#renewed(before, fresh, storeId, before.place.slots)
    })
    // Writes in flight are repeated in the new place.
    return this.#count(cleared)
  }

  /**
   * New documents are analysed in this language at once; existing ones are rewritten in the
   * background (`DocumentKeeper`). Until all are, searches find the same as before.
   */
  async changeLanguage(storeId: string, tag: string): Promise<void> {
    const { name: language } = createAnalyzer(tag)
    const state = (await this.places.read([storeId])).get(storeId)
    const place = state?.documents.place
    const isEmpty = place === undefined || (await this.#count(place)) === 0
    const fresh = await this.places.newScope()
    await this.places.change(storeId, (before) => {
      if (before.language === language) return before
      const changed = { ...before, language }
      // A write in flight is repeated.
      const isStill = before.place?.scope === place?.scope
      return isEmpty && isStill && before.place !== undefined
        ? this.#renewed(changed, fresh, storeId, before.place.slots)
        : changed
    })
  }

  async statistics(storeId: string): Promise<StoreStatistics> {
    const documents = this.places.known(storeId)
    if (documents === undefined) {
      throw new ApiError('store_not_found', 'There is no store with this id')
    }
    const { place, language, changedMs, previousFields } = documents
    const [totals, counts] = await Promise.all([
      place === undefined ? NO_TOTALS : this.#totals(place),
      this.#vectorCounts(documents),
    ])
    const writtenMs = Math.max(totals.lastWriteMs ?? 0, changedMs)
    return {
      docCount: totals.docCount,
      documentBytes: totals.documentBytes,
      // A cluster does not report the bytes of a single store in a pool.
      indexBytes: 0,
      diskBytes: 0,
      segmentCount: 0,
      language: place?.language ?? language,
      ...(previousFields === undefined ? {} : { previousFields }),
      ...(counts === undefined
        ? {}
        : { embedding: embeddingStatus(documents, counts, totals.docCount) }),
      ...(place === undefined || (language === place.language && !this.#isRewritten(documents))
        ? {}
        : { reanalysis: reanalysisOf(documents, totals.docCount) }),
      ...(writtenMs === 0 ? {} : { lastWriteAt: new Date(writtenMs).toISOString() }),
    }
  }

  /** The language in which documents are searched; undefined if there is no such store. */
  languageOf(storeId: string): string | undefined {
    const documents = this.places.known(storeId)
    return documents?.place?.language ?? documents?.language
  }

  /** DocKeys of the live versions of documents; others are left out. */
  async docKeys(storeId: string, ids: readonly string[]): Promise<Map<string, number>> {
    const place = this.places.known(storeId)?.place
    const keys = new Map<string, number>()
    for (let from = 0; place !== undefined && from < ids.length; from += KEYS_READ) {
      const reads = ids.slice(from, from + KEYS_READ).map((id) => ({ place, id, withJson: false }))
      const found = await this.requests.read(reads).catch((error: unknown) => {
        throw clusterFailure(error, 'read documents')
      })
      for (const one of found) {
        if (one !== undefined && !one.isGone) keys.set(one.id, one.docKey)
      }
    }
    return keys
  }

  async docCount(storeId: string): Promise<number> {
    const place = this.places.known(storeId)?.place
    return place === undefined ? 0 : this.#count(place)
  }

  close(): void {
    this.#follower.close()
  }

  /** The same store without documents, in a new scope. */
  #renewed(
    before: StoreDocuments,
    scope: string,
    storeId: string,
    slots: SlotMap,
    first: Where = this.places.poolOf(storeId),
  ): StoreDocuments {
    const { place, move: _, language, left, redefinition: __, ...rest } = before
    // Nothing is left that an unchecked redefinition could not convert.
    const schema = before.schema && redefinedSchema(before.schema, before.redefinition?.fields)
    const nowMs = this.#clock.now()
    const { index, routing, isLoading } = place ?? first
    const rules = schema && this.places.rulesInForce(language, schema)
    return {
      ...rest,
      schema,
      language,
      place: { index, routing, isLoading, scope, slots, language, rules },
      left: [...left, ...placesOf(before, nowMs)],
      changedMs: nowMs,
    }
  }

  async #find(
    storeId: string,
    docKey: number,
    content: string,
  ): Promise<StoredDocument | undefined> {
    const place = this.places.knownContent(storeId, content)?.place
    if (place === undefined) return undefined
    try {
      const found = await this.requests.byKey(place, docKey)
      return found && toDocument(found)
    } catch (error) {
      throw clusterFailure(error, 'read the document')
    }
  }

  #isRewritten(documents: StoreDocuments): boolean {
    return documents.redefinition?.isChecked === true || this.places.isOutdated(documents)
  }

  async #vectorCounts({ place, schema }: StoreDocuments): Promise<VectorCounts | undefined> {
    const space = schema?.spaces?.at(-1)
    if (place === undefined || space === undefined) return undefined
    try {
      return await this.vectors.vectorCounts(place, space.number)
    } catch (error) {
      throw clusterFailure(error, 'count the vectors')
    }
  }

  async #count(place: ProductPlace): Promise<number> {
    return (await this.#totals(place)).docCount
  }

  async #totals(place: ProductPlace): Promise<ProductTotals> {
    try {
      return await this.requests.totals(place)
    } catch (error) {
      throw clusterFailure(error, 'count the documents')
    }
  }
}

/** Documents whose keys are read in one request. */
const KEYS_READ = 1_000
/** The documents of a store without a schema. */
const NOTHING = { docCount: 0, next: () => Promise.resolve([]), close: () => undefined }
const NO_TOTALS: ProductTotals = { docCount: 0, documentBytes: 0, lastWriteMs: undefined }

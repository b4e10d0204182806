import { ApiError } from '@aisle/contract'
import { clusterFailure } from '../control/cluster-failure.ts'
import { endIndexLoad, createProductIndex, ownIndexName } from '../opensearch/product-index.ts'
import type { ProductRequests } from '../opensearch/product-requests.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'
import type { StoreDocuments, StorePlace } from '../stores/store-places.ts'
import type { KnownPlaces } from './known-places.ts'
import { shardsFor } from './shard-count.ts'

/** The part of a place that says where its documents are. */
export type Where = Pick<StorePlace, 'index' | 'routing' | 'isLoading'>

/**
 * Stores that are loaded at once, before anybody searches them: each into a separate index, with
 * a single copy and without making each group of writes visible. Every answered write is on a disk;
 * the copies are made from the files at the end, which costs much less than analysing twice.
 */
export class BulkLoads {
  readonly #cluster: ClusterConnection
  readonly #requests: ProductRequests
  readonly #stores: ClusterStores
  readonly #places: KnownPlaces

  constructor(
    cluster: ClusterConnection,
    requests: ProductRequests,
    stores: ClusterStores,
    places: KnownPlaces,
  ) {
    this.#cluster = cluster
    this.#requests = requests
    this.#stores = stores
    this.#places = places
  }

  /**
   * Creates the index for the first documents of a store that was created for a bulk load.
   *
   * @param check throws if what begins the load is refused: then nothing is created
   * @returns undefined for other stores, and when there is a place already
   */
  async begin(
    storeId: string,
    scope: string,
    check: (before: StoreDocuments) => void,
  ): Promise<Where | undefined> {
    const bytes = this.#stores.bulkLoadBytes(storeId)
    if (bytes === undefined) return undefined
    const state = (await this.#places.read([storeId])).get(storeId)
    if (state === undefined || state.documents.place !== undefined) return undefined
    check(state.documents)
    const index = ownIndexName(this.#places.prefix, storeId, scope)
    try {
      const how = { shards: shardsFor(bytes), isPool: false, isLoading: true }
      await createProductIndex(this.#cluster, index, how)
    } catch (error) {
      throw clusterFailure(error, 'begin the bulk load')
    }
    return { index, routing: undefined, isLoading: true }
  }

  /** Removes the index again if another node was first, so that the store is in another place. */
  async begun(loading: Where | undefined, place: Where | undefined): Promise<void> {
    if (loading === undefined || place?.index === loading.index) return
    // It is empty, so the schema counts even if the cluster does not answer this.
    await this.#requests.removeIndex(loading.index).catch(() => undefined)
  }

  /** See `CatalogWriter.finishBulkLoad`. It may be interrupted at any point, and called again. */
  async finish(storeId: string): Promise<boolean> {
    const state = (await this.#places.read([storeId])).get(storeId)
    if (state === undefined) {
      throw new ApiError('store_not_found', 'There is no store with this id')
    }
    const { place } = state.documents
    // Pools are never loaded like this.
    if (place === undefined || place.routing !== undefined) return true
    // Writes in flight that saw the place as it was are repeated, and then make themselves visible.
    await this.#places.changeContent(state.content, (before) => {
      if (before.place?.isLoading !== true) return before
      const { isLoading: _, ...opened } = before.place
      return { ...before, place: opened }
    })
    try {
      return await endIndexLoad(this.#cluster, place.index)
    } catch (error) {
      throw clusterFailure(error, 'finish the bulk load')
    }
  }

  /** @throws ApiError unavailable if one of these stores is being loaded */
  async requireFinished(storeIds: readonly string[]): Promise<void> {
    for (const [storeId, { documents }] of await this.#places.read(storeIds)) {
      if (documents.place?.isLoading !== true) continue
      const message = `Store "${storeId}" is being loaded: finish its bulk load first`
      throw new ApiError('unavailable', message, { retryAfterSeconds: RETRY_SECONDS })
    }
  }
}

const RETRY_SECONDS = 5

import { ApiError } from '@aisle/contract'
import { clusterFailure } from '../control/cluster-failure.ts'
import { endIndexLoad, createProductIndex, ownIndexName } from '../opensearch/product-index.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'
import type { StorePlace } from '../stores/store-places.ts'
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
  readonly #stores: ClusterStores
  readonly #places: KnownPlaces

  constructor(cluster: ClusterConnection, stores: ClusterStores, places: KnownPlaces) {
    this.#cluster = cluster
    this.#stores = stores
    this.#places = places
  }

  /**
   * Creates the index for the first documents of a store that was created for a bulk load.
   *
   * @returns undefined for other stores, and when there is a place already
   */
  async begin(storeId: string, scope: string): Promise<Where | undefined> {
    const bytes = this.#stores.bulkLoadBytes(storeId)
    if (bytes === undefined) return undefined
    const state = (await this.#places.read([storeId])).get(storeId)
    if (state === undefined || state.documents.place !== undefined) return undefined
    const index = ownIndexName(this.#places.prefix, storeId, scope)
    try {
      const how = { shards: shardsFor(bytes), isPool: false, isLoading: true }
      await createProductIndex(this.#cluster, index, how)
    } catch (error) {
      throw clusterFailure(error, 'begin the bulk load')
    }
    return { index, routing: undefined, isLoading: true }
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

import type { FollowedStore, FollowedStores } from '@aisle/server/ports'
import type { ClusterDocuments } from './cluster-documents.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'

/** The stores of a cluster, for code that follows the copies of their event logs. */
export class FollowedCluster implements FollowedStores {
  readonly #stores: ClusterStores
  readonly #documents: ClusterDocuments

  constructor(stores: ClusterStores, documents: ClusterDocuments) {
    this.#stores = stores
    this.#documents = documents
  }

  async stores(): Promise<readonly FollowedStore[]> {
    return this.#stores.list().map(({ storeId, createdAt }) => ({
      storeId,
      createdAt,
      language: this.#documents.languageOf(storeId),
    }))
  }

  /** True at once: the stores were read before the node started. */
  async areKnown(): Promise<boolean> {
    return true
  }

  async stamp(storeId: string): Promise<string> {
    if (this.#stores.find(storeId) === undefined) return ''
    const { lastWriteAt, docCount, documentBytes } = await this.#documents.statistics(storeId)
    const settings = this.#stores.of(storeId).list('settings').at(-1)?.name ?? ''
    const scope = this.#documents.places.known(storeId)?.place?.scope ?? ''
    return `${lastWriteAt ?? ''} ${docCount} ${documentBytes} ${scope} ${settings}`
  }

  async contentOf(storeId: string): Promise<string> {
    return this.#documents.places.contentOf(storeId) ?? ''
  }

  docKeys(storeId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#documents.docKeys(storeId, ids)
  }
}

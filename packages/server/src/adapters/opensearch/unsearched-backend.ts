import { ApiError } from '@aisle/contract'
import { createAnalyzer } from '@aisle/engine'
import type { SearchBackend, SearchView } from '../../ports/search-backend.ts'
import type { ClusterDocuments } from './cluster-documents.ts'
import type { ClusterStores } from './cluster-stores.ts'

/** What a search needs to know of a store; to search it is refused with the reason. */
export class UnsearchedBackend implements SearchBackend {
  readonly #documents: ClusterDocuments
  readonly #stores: ClusterStores

  constructor(documents: ClusterDocuments, stores: ClusterStores) {
    this.#documents = documents
    this.#stores = stores
  }

  view(storeId: string): SearchView | undefined {
    const known = this.#documents.places.known(storeId)
    if (known === undefined) return undefined
    return {
      schema: known.schema,
      analyzer: createAnalyzer(known.place?.language ?? known.language),
      resources: this.#stores.of(storeId),
      version: 0,
      docCount: () => this.#documents.docCount(storeId),
      search: refuse,
      complete: refuse,
      holds: refuse,
      matchingKeys: refuse,
    }
  }
}

function refuse(): never {
  throw new ApiError('unavailable', 'Documents are not searched on a cluster yet')
}

import { createAnalyzer } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import { checkDocument } from '../../../domain/documents/document-rules.ts'
import type { SearchBackend, SearchView } from '../../../ports/search-backend.ts'
import type { ClusterDocuments } from '../cluster-documents.ts'
import type { ClusterStores } from '../cluster-stores.ts'

/** Searches by reading all documents of a store: what is written is what is found. */
export class NaiveBackend implements SearchBackend {
  readonly #documents: ClusterDocuments
  readonly #stores: ClusterStores
  #version = 0

  constructor(documents: ClusterDocuments, stores: ClusterStores) {
    this.#documents = documents
    this.#stores = stores
  }

  view(storeId: string): SearchView | undefined {
    const known = this.#documents.places.known(storeId)
    if (known === undefined) return undefined
    const analyzer = createAnalyzer(known.place?.language)
    const { schema } = known
    const index = async (): Promise<NaiveIndex> => {
      const naive = new NaiveIndex(schema!, analyzer)
      const scan = (await this.#documents.scan(storeId))!
      for (let page = await scan.next(1e6); page.length > 0; page = await scan.next(1e6)) {
        for (const { docKey, id, json } of page) {
          naive.add({ docKey, id, values: checkDocument(json, id, schema!).values })
          this.#documents.products.add(storeId, { docKey, id, json })
        }
      }
      scan.close()
      return naive
    }
    return {
      schema,
      analyzer,
      resources: this.#stores.of(storeId),
      version: this.#version++,
      docCount: async () => (await this.#documents.statistics(storeId)).docCount,
      search: async (plan) => (await index()).search(plan),
      complete: async (plan, request) => (await index()).complete(plan, request),
      holds: async (stems) => {
        const naive = await index()
        return stems.map((stem) => naive.holds(stem))
      },
      matchingKeys: async (filter) => (await index()).matchingKeys(filter),
    }
  }
}

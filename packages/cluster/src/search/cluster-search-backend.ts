import { createAnalyzer, queryAnalyzer } from '@aisle/engine'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { ONE_TURN, type SearchBackend, type SearchView, type Turns } from '@aisle/server/ports'
import type { ClusterDocuments } from '../documents/cluster-documents.ts'
import { clusterFailure } from '../control/cluster-failure.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'
import { CandidateCache } from './candidate-cache.ts'
import { FactCache } from './fact-cache.ts'
import { isOutdated } from '../stores/term-rules.ts'
import { RepeatedSearches } from './repeated-searches.ts'
import { StoreSearch } from './store-search.ts'
import { StoreVersions } from './store-versions.ts'

/** Searches the stores of a cluster. */
export class ClusterSearchBackend implements SearchBackend {
  readonly #cluster: ClusterConnection
  readonly #documents: ClusterDocuments
  readonly #stores: ClusterStores
  readonly #facts = new FactCache()
  readonly #candidates = new CandidateCache()
  readonly #versions = new StoreVersions()
  readonly #repeated = new RepeatedSearches()

  constructor(cluster: ClusterConnection, documents: ClusterDocuments, stores: ClusterStores) {
    this.#cluster = cluster
    this.#documents = documents
    this.#stores = stores
  }

  view(storeId: string, turns: Turns = ONE_TURN): SearchView | undefined {
    const known = this.#documents.places.known(storeId)
    if (known === undefined) return undefined
    const { schema, place } = known
    const content = known.life
    const analyzer = createAnalyzer(place?.language ?? known.language)
    const search =
      schema === undefined || place === undefined
        ? undefined
        : new StoreSearch(this.#cluster, {
            place,
            schema,
            analyzer,
            hasEvidence: !isOutdated(place.rules, place.language, schema),
            turns,
            facts: this.#facts.of(place.scope),
            candidates: this.#candidates.of(place.scope),
            onProduct: (docKey, id, json) =>
              this.#documents.products.add(content, { docKey, id, json }),
            hasProduct: (docKey) => this.#documents.products.use(content, docKey),
          })
    const ask = async <T>(question: (search: StoreSearch) => Promise<T>): Promise<T> => {
      if (search === undefined) throw new Error('A plan needs a schema, and there is none')
      try {
        return await question(search)
      } catch (error) {
        throw clusterFailure(error, 'search')
      }
    }
    const resources = this.#stores.of(storeId)
    const askVersion = async (): Promise<number> => {
      const written = search === undefined ? [] : await ask((one) => one.written())
      if (written === undefined) return this.#versions.next()
      return this.#versions.of(storeId, [known, resources, ...written])
    }
    return {
      schema,
      analyzer: queryAnalyzer(analyzer, schema),
      resources,
      content,
      // Another node may write at any time, so without asking, no two views have the same version.
      version: this.#versions.next(),
      askVersion,
      repeatVersion: (key) => this.#repeated.versionFor(storeId, key, askVersion),
      docCount: async () => (search === undefined ? 0 : ask((one) => one.docCount())),
      search: (plan) => ask((one) => one.search(plan)),
      complete: (plan, request) => ask((one) => one.complete(plan, request)),
      holds: async (stems) =>
        search === undefined ? stems.map(() => false) : ask((one) => one.holds(stems)),
      matchingKeys: (filter, deadlineMs) => ask((one) => one.matchingKeys(filter, deadlineMs)),
    }
  }
}

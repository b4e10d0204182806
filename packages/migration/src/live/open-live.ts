import type { Engine } from '../migrate.ts'
import { liveAlgolia } from './live-algolia.ts'
import { liveMeilisearch } from './live-meilisearch.ts'
import { liveOpenSearch } from './live-opensearch.ts'
import type { LiveSource, SourceAddress } from './live-source.ts'
import { liveTypesense } from './live-typesense.ts'

/** A catalog in a running service. Sends no request before its members are called. */
export function openLive(engine: Engine, address: SourceAddress): LiveSource {
  switch (engine) {
    case 'typesense':
      return liveTypesense(address)
    case 'meilisearch':
      return liveMeilisearch(address)
    case 'algolia':
      return liveAlgolia(address)
    case 'opensearch':
      return liveOpenSearch(address)
  }
}

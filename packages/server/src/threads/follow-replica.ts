import { workerData, type MessagePort } from 'node:worker_threads'
import type { IndexSearcher } from '../adapters/embedded/engine-port.ts'
import type { Generation } from '../adapters/embedded/generation.ts'
import { followedReplica } from '../adapters/embedded/replica-ports.ts'
import { Replica } from '../adapters/embedded/replica.ts'
import { EmbeddedSearchBackend } from '../adapters/embedded/search-backend.ts'
import { openEnvironment } from '../adapters/lmdb/environment.ts'
import { DocumentRows } from '../adapters/lmdb/rows.ts'
import type { PortCalls } from '../adapters/message-port/port-calls.ts'
import { brandNames } from '../services/suggestions/brand-names.ts'
import { spellQueries } from '../services/search/spell-queries.ts'
import type {
  FollowedCatalog,
  SuggestionsThreadData,
  SuggestionsThreadHost,
} from './make-suggestions.ts'
import type { HostCalls } from './shared-thread.ts'

/** The start data of the thread if documents are in the data folder. */
export interface ReplicaThreadData extends SuggestionsThreadData {
  readonly generation: Generation
  readonly publications: MessagePort
  /** File of the documents. */
  readonly documents: string
}

export interface ReplicaThreadHost extends SuggestionsThreadHost {
  /** See `CatalogWriter`. */
  openIndex(storeId: string): Promise<void>
}

/** A thread's view of the documents of a data folder. */
export function followReplica(
  createSearcher: () => IndexSearcher,
  host: PortCalls<HostCalls<ReplicaThreadHost>>,
): FollowedCatalog {
  const data = workerData as ReplicaThreadData
  const environment = openEnvironment(data.documents, { readOnly: true })
  const rows = new DocumentRows(environment, (catalog, message) =>
    host.tell('host', 'problem', [`catalog ${catalog}`, message]),
  )
  const replica = new Replica(data.publications, data.generation, createSearcher, () => {
    // A read transaction sees the file as it was at its beginning, so begin a new one.
    environment.root.resetReadTxn()
  })
  const backend = new EmbeddedSearchBackend(replica, {
    findKey: () => undefined,
    openIndex: (storeId) => host.call('host', 'openIndex', [storeId]),
    clock: { now: () => Date.now() },
  })
  return {
    stores: followedReplica(replica, (catalog, id) => rows.findKey(catalog, id)),
    namesOf: (storeId) => brandNames(backend, storeId),
    spell: (storeId, texts) => spellQueries(backend, storeId, texts),
  }
}

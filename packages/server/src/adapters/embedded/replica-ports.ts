import { ResourceTable } from '../../domain/store/resource.ts'
import type { AccessDirectory } from '../../ports/access/access-directory.ts'
import type { FollowedStores } from '../../ports/suggestions/followed-stores.ts'
import type { ResourceReader } from '../../ports/catalog/resource-reader.ts'
import type { SearchUsage } from '../../ports/search/search-usage.ts'
import type { StoreRegistry } from '../../ports/catalog/store-registry.ts'
import type { Replica } from './replica.ts'
import { searchesUsed, takeSearch } from './search-counter.ts'

/**
 * The ports of a serving thread that read its replica, or count in memory that the replica names.
 */
export function replicaPorts(replica: Replica): {
  readonly registry: StoreRegistry
  readonly resources: ResourceReader
  readonly directory: AccessDirectory
  readonly usage: SearchUsage
} {
  return {
    registry: {
      find: (storeId) => replica.store(storeId)?.record,
      list: () => replica.stores().map(({ record }) => record),
      statistics(storeId) {
        const store = replica.store(storeId)
        if (store === undefined) throw new Error(`No store "${storeId}" to count`)
        return store.statistics
      },
    },
    resources: { of: (storeId) => replica.store(storeId)?.resources ?? ResourceTable.empty },
    directory: {
      user: (login) => replica.access().user(login),
      users: () => replica.access().users(),
      session: (digest) => replica.access().session(digest),
      sessionsOf: (login) => replica.access().sessionsOf(login),
      adminTokenDigest: () => replica.access().adminTokenDigest(),
      slowedUntilMs: (network) => replica.access().slowedUntilMs(network),
    },
    usage: {
      take(storeId, nowMs, limit) {
        const store = replica.knownStore(storeId)
        // The store was deleted during the search, so no store is charged for it.
        return store === undefined || takeSearch(store.counter, nowMs, limit)
      },
      used(storeId, nowMs) {
        const store = replica.store(storeId)
        return store === undefined ? 0 : searchesUsed(store.counter, nowMs)
      },
    },
  }
}

/**
 * The stores of a replica, for the followers of their event logs on the same thread.
 *
 * @param findKey returns the live version of a document
 */
export function followedReplica(
  replica: Replica,
  findKey: (catalog: number, id: string) => number | undefined,
): FollowedStores {
  return {
    stores: () =>
      replica.stores().map(({ record: { storeId, createdAt }, index }) => ({
        storeId,
        createdAt,
        language: index?.language,
      })),
    areKnown: () => replica.starting().length === 0,
    stamp(storeId) {
      const store = replica.store(storeId)
      if (store === undefined) return ''
      const { statistics, resources, catalog, index } = store
      const { lastWriteAt = '', docCount } = statistics
      const settings = resources.list('settings').at(-1)?.name ?? ''
      return `${lastWriteAt} ${docCount} ${catalog} ${index?.index ?? ''} ${settings}`
    },
    contentOf: (storeId) => replica.store(storeId)?.content ?? '',
    docKeys(storeId, ids) {
      const catalog = replica.store(storeId)?.catalog
      const keys = new Map<string, number>()
      for (const id of catalog === undefined ? [] : ids) {
        const key = findKey(catalog!, id)
        if (key !== undefined) keys.set(id, key)
      }
      return keys
    },
  }
}

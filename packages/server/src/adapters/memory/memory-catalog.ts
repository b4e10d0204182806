import { ApiError } from '@aisle/contract'
import { createAnalyzer } from '@aisle/engine'
import type { Analyzer } from '@aisle/engine'
import {
  checkStoreId,
  checkStoreName,
  digestOf,
  newKey,
  newStoreId,
  rotateKeys,
  withKeyUses,
} from '../../domain/access/store-keys.ts'
import { ResourceTable } from '../../domain/store/resource.ts'
import type { CatalogWriter } from '../../ports/catalog-writer.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DocumentReader } from '../../ports/document-reader.ts'
import type { ResourceReader } from '../../ports/resource-reader.ts'
import type { SearchBackend } from '../../ports/search-backend.ts'
import type { StoreRegistry } from '../../ports/store-registry.ts'
import type { AnswerCache } from '../../ports/answer-cache.ts'
import type { SearchUsage } from '../../ports/search-usage.ts'
import { createMemoryAnswerCache } from './memory-answer-cache.ts'
import { createMemorySearchUsage } from './memory-search-usage.ts'
import { MemoryStore } from './memory-store.ts'

export interface MemoryCatalog {
  readonly registry: StoreRegistry
  readonly reader: DocumentReader
  readonly resources: ResourceReader
  readonly writer: CatalogWriter
  readonly backend: SearchBackend
  readonly answers: AnswerCache
  readonly usage: SearchUsage
}

/**
 * All ports of a catalog in one process, on maps: for tests, and to read what the ports promise.
 * Nothing is on disk. Every write runs to its end within the call, so writes are in order and none
 * sees another half done.
 */
export function createMemoryCatalog(options: {
  readonly clock: Clock
  readonly analyzer?: Analyzer
}): MemoryCatalog {
  const { clock, analyzer = createAnalyzer() } = options
  const stores = new Map<string, MemoryStore>()
  /** Of all stores together: any write may have changed any answer. */
  let version = 0

  const existing = (storeId: string): MemoryStore => {
    const store = stores.get(storeId)
    if (store !== undefined) return store
    throw new ApiError('store_not_found', 'There is no store of that id')
  }

  const registry: StoreRegistry = {
    find: (storeId) => stores.get(storeId)?.record,
    list: () => [...stores.values()].map((store) => store.record),
    statistics: (storeId) => existing(storeId).statistics(),
  }
  const reader: DocumentReader = {
    get: (storeId, id) => stores.get(storeId)?.get(id),
    fetch: (storeId, _docKeys, content) => {
      const isAsked = (one: MemoryStore): boolean => one.content === content
      const store = content === undefined ? stores.get(storeId) : stores.values().find(isAsked)
      return (docKey) => store?.fetch(docKey)
    },
    scan: (storeId, docKeys, after) => stores.get(storeId)?.scan(docKeys, after),
  }
  const resources: ResourceReader = {
    of: (storeId) => stores.get(storeId)?.resources ?? ResourceTable.empty,
  }
  const backend: SearchBackend = {
    view: (storeId) => stores.get(storeId)?.view(version),
  }
  const writer: CatalogWriter = {
    async createStore({ name, id }) {
      checkStoreName(name)
      const storeId = id === undefined ? newStoreId() : checkStoreId(id)
      if (stores.has(storeId)) {
        throw new ApiError('store_exists', `Cannot create store "${storeId}": it exists`, {
          param: 'id',
        })
      }
      const [readSecret, writeSecret, eventsWriteKey] = [
        newKey('read'),
        newKey('write'),
        newKey('events'),
      ]
      const createdMs = clock.now()
      const record = {
        storeId,
        name,
        createdAt: new Date(createdMs).toISOString(),
        keys: {
          read: [{ digest: digestOf(readSecret), createdMs }],
          write: [{ digest: digestOf(writeSecret), createdMs }],
          events: [{ digest: digestOf(eventsWriteKey), createdMs }],
        },
        readSecret,
        eventsWriteKey,
      }
      stores.set(storeId, new MemoryStore(record, analyzer))
      return { storeId, name, readSecret, writeSecret, eventsWriteKey }
    },
    openIndex: () => Promise.resolve(),
    async deleteStore(storeId) {
      existing(storeId)
      stores.delete(storeId)
    },
    async swapStores(storeId, otherId) {
      const [store, other] = [existing(storeId), existing(otherId)]
      const { record } = store
      store.record = other.record
      other.record = record
      stores.set(storeId, other)
      stores.set(otherId, store)
    },
    async renameStore(storeId, name) {
      checkStoreName(name)
      const store = existing(storeId)
      store.record = { ...store.record, name }
    },
    async rotateKey(storeId, kind, graceSeconds) {
      const store = existing(storeId)
      const secret = newKey(kind)
      const { keys, previousValidUntil } = rotateKeys(
        store.record.keys[kind] ?? [],
        digestOf(secret),
        {
          secret: kind === 'signing' ? secret : undefined,
          graceSeconds,
          nowMs: clock.now(),
        },
      )
      store.record = {
        ...store.record,
        keys: { ...store.record.keys, [kind]: keys },
        ...(kind === 'read' ? { readSecret: secret } : {}),
        ...(kind === 'events' ? { eventsWriteKey: secret } : {}),
      }
      return { secret, previousValidUntil }
    },
    async revokePreviousKey(storeId, kind) {
      const store = existing(storeId)
      const { keys } = store.record
      const kept = keys[kind] ?? []
      const current = kept.filter((key) => key.validUntilMs === undefined)
      if (current.length === kept.length) return false
      store.record = { ...store.record, keys: { ...keys, [kind]: current } }
      return true
    },
    async noteKeyUses(uses) {
      for (const [storeId, ofStore] of Map.groupBy(uses, (use) => use.storeId)) {
        const store = stores.get(storeId)
        if (store === undefined) continue
        store.record = { ...store.record, keys: withKeyUses(store.record.keys, ofStore) }
      }
    },
    async changeSchema(storeId, mode, fields) {
      return existing(storeId).changeSchema(mode, fields, clock.now())
    },
    async changeResources(storeId, change, language) {
      const store = existing(storeId)
      if (!store.resources.accepts(change)) return false
      store.resources = store.resources.after(change)
      if (language !== undefined) store.changeAnalyzer(createAnalyzer(language))
      return true
    },
    async writeDocuments(storeId, writes) {
      return existing(storeId).write(writes, clock.now())
    },
    async deleteDocument(storeId, id) {
      return existing(storeId).delete(id, clock.now())
    },
    async changeVersions(storeId, versions, change, content) {
      const store = existing(storeId)
      return content === undefined || content === store.content
        ? store.change(versions, change, clock.now())
        : versions.map(({ id }) => ({ status: 'superseded', id }))
    },
    async clearDocuments(storeId) {
      return existing(storeId).clear(clock.now())
    },
  }
  return {
    registry,
    reader,
    resources,
    writer: counted(writer, () => version++),
    backend,
    answers: createMemoryAnswerCache(),
    usage: createMemorySearchUsage(),
  }
}

/**
 * The same writer; each of its calls is told of once it is done, whether it changed something or
 * not.
 */
function counted(writer: CatalogWriter, onCall: () => void): CatalogWriter {
  return new Proxy(writer, {
    get: (target, name: keyof CatalogWriter) => {
      const call = target[name] as (...of: unknown[]) => Promise<unknown>
      return (...of: unknown[]) => call(...of).finally(onCall)
    },
  })
}

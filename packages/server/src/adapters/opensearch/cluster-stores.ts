import { randomUUID } from 'node:crypto'
import { ApiError } from '@aisle/contract'
import { ControlFollower } from '@aisle/opensearch'
import type { ControlIndex, StoredControl } from '@aisle/opensearch'
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
import type { ResourceChange } from '../../domain/store/resource.ts'
import type { CatalogWriter, CreatedStore, KeyKind, KeyUse } from '../../ports/catalog-writer.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ResourceReader } from '../../ports/resource-reader.ts'
import type { StoreRecord, StoreRegistry } from '../../ports/store-registry.ts'
import { KnownDocuments } from './known-documents.ts'
import { RESOURCES, STORES } from './store-documents.ts'
import type { ClusterStore, StoreContent } from './store-documents.ts'

/** The parts of the ports of a catalog that are about stores, not about documents. */
type StorePorts = Omit<StoreRegistry, 'statistics'> &
  ResourceReader &
  Pick<
    CatalogWriter,
    | 'createStore'
    | 'deleteStore'
    | 'renameStore'
    | 'rotateKey'
    | 'revokePreviousKey'
    | 'noteKeyUses'
    | 'changeResources'
  >

/**
 * Stores, their keys and their resources, shared by all API nodes. A store is one control document
 * and its resources are another one, so that the use of a key does not write all rules again. Each
 * changes as a whole.
 */
export class ClusterStores implements StorePorts {
  readonly #clock: Clock
  readonly #stores: KnownDocuments<ClusterStore>
  readonly #resources: KnownDocuments<StoreContent>
  readonly #follower: ControlFollower

  private constructor(
    clock: Clock,
    stores: KnownDocuments<ClusterStore>,
    resources: KnownDocuments<StoreContent>,
    follower: ControlFollower,
  ) {
    this.#clock = clock
    this.#stores = stores
    this.#resources = resources
    this.#follower = follower
  }

  /**
   * Reads everything, and follows it from then on.
   * @param onFailure the cluster did not say what others have changed; it is asked again
   */
  static async open(
    index: ControlIndex,
    clock: Clock,
    onFailure: (error: unknown) => void,
  ): Promise<ClusterStores> {
    const stores = new KnownDocuments(index, STORES)
    const resources = new KnownDocuments(index, RESOURCES)
    // What was changed while the second was being read is told by the follower.
    const from = await stores.load()
    await resources.load()
    const follower = new ControlFollower(index, from, {
      onChanges: (documents) => {
        for (const document of documents) {
          stores.take(document)
          resources.take(document)
        }
      },
      onFailure,
    })
    follower.start()
    return new ClusterStores(clock, stores, resources, follower)
  }

  /** Another one for each store that was ever created, also under the same id. */
  lifeOf(storeId: string): string | undefined {
    return this.#stores.get(storeId)?.life
  }

  /** Takes over what another reader of the control documents has seen, if it is newer. */
  take(document: StoredControl): void {
    this.#stores.take(document)
    this.#resources.take(document)
  }

  find(storeId: string): StoreRecord | undefined {
    return this.#stores.get(storeId)?.record
  }

  list(): StoreRecord[] {
    return this.#stores.values().map(({ record }) => record)
  }

  of(storeId: string): ResourceTable {
    return tableOf(this.#stores.get(storeId), this.#resources.get(storeId))
  }

  async createStore(request: { name: string; id?: string | undefined }): Promise<CreatedStore> {
    const name = checkStoreName(request.name)
    const storeId = request.id === undefined ? newStoreId() : checkStoreId(request.id)
    const [readSecret, writeSecret, eventsWriteKey] = [
      newKey('read'),
      newKey('write'),
      newKey('events'),
    ]
    const createdMs = this.#clock.now()
    const key = (secret: string) => [{ digest: digestOf(secret), createdMs }]
    const record: StoreRecord = {
      storeId,
      name,
      createdAt: new Date(createdMs).toISOString(),
      keys: { read: key(readSecret), write: key(writeSecret), events: key(eventsWriteKey) },
      readSecret,
      eventsWriteKey,
    }
    const store = { life: randomUUID(), record }
    await this.#stores.change(storeId, (before) => {
      if (before === undefined) return store
      throw new ApiError('store_exists', `Cannot create store "${storeId}": it exists`, {
        param: 'id',
      })
    })
    return { storeId, name, readSecret, writeSecret, eventsWriteKey }
  }

  async deleteStore(storeId: string): Promise<void> {
    await this.#stores.change(storeId, (before) => {
      existing(before)
      return undefined
    })
    // They belong to a store that is no more; nobody reads them, whether this succeeds or not.
    await this.#resources.change(storeId, () => undefined)
  }

  async renameStore(storeId: string, name: string): Promise<void> {
    checkStoreName(name)
    await this.#changeRecord(storeId, (record) => ({ ...record, name }))
  }

  async rotateKey(
    storeId: string,
    kind: KeyKind,
    graceSeconds: number,
  ): Promise<{ secret: string; previousValidUntil: string }> {
    const secret = newKey(kind)
    const options = {
      secret: kind === 'signing' ? secret : undefined,
      graceSeconds,
      nowMs: this.#clock.now(),
    }
    let previousValidUntil = ''
    await this.#changeRecord(storeId, (record) => {
      const rotated = rotateKeys(record.keys[kind] ?? [], digestOf(secret), options)
      previousValidUntil = rotated.previousValidUntil
      return {
        ...record,
        keys: { ...record.keys, [kind]: rotated.keys },
        ...(kind === 'read' ? { readSecret: secret } : {}),
        ...(kind === 'events' ? { eventsWriteKey: secret } : {}),
      }
    })
    return { secret, previousValidUntil }
  }

  async revokePreviousKey(storeId: string, kind: KeyKind): Promise<boolean> {
    let isRevoked = false
    await this.#changeRecord(storeId, (record) => {
      const keys = record.keys[kind] ?? []
      const current = keys.filter(({ validUntilMs }) => validUntilMs === undefined)
      isRevoked = current.length < keys.length
      return isRevoked ? { ...record, keys: { ...record.keys, [kind]: current } } : record
    })
    return isRevoked
  }

  async noteKeyUses(uses: readonly KeyUse[]): Promise<void> {
    for (const [storeId, ofStore] of Map.groupBy(uses, (use) => use.storeId)) {
      await this.#stores.change(storeId, (before) => {
        if (before === undefined) return undefined
        const keys = withKeyUses(before.record.keys, ofStore)
        return keys === before.record.keys
          ? before
          : { ...before, record: { ...before.record, keys } }
      })
    }
  }

  async changeResources(storeId: string, change: ResourceChange): Promise<boolean> {
    let isAccepted = false
    await this.#resources.change(storeId, (before) => {
      const store = existing(this.#stores.get(storeId))
      const table = tableOf(store, before)
      isAccepted = table.accepts(change)
      return isAccepted ? { life: store.life, table: table.after(change) } : before
    })
    return isAccepted
  }

  close(): void {
    this.#follower.close()
  }

  #changeRecord(storeId: string, next: (record: StoreRecord) => StoreRecord): Promise<void> {
    return this.#stores.change(storeId, (before) => {
      const store = existing(before)
      const record = next(store.record)
      return record === store.record ? store : { ...store, record }
    })
  }
}

function tableOf(
  store: ClusterStore | undefined,
  content: StoreContent | undefined,
): ResourceTable {
  const isOfStore = store !== undefined && content?.life === store.life
  return isOfStore ? content.table : ResourceTable.empty
}

function existing(store: ClusterStore | undefined): ClusterStore {
  if (store !== undefined) return store
  throw new ApiError('store_not_found', 'There is no store of that id')
}

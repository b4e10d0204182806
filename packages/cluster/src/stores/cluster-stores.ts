import { randomUUID } from 'node:crypto'
import { ApiError, BULK_LOAD_MIN_BYTES } from '@aisle/contract'
import { ControlFollower } from '../opensearch/control-follower.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { StoredControl } from '../opensearch/control-document.ts'
import {
  ResourceTable,
  checkStoreId,
  checkStoreName,
  digestOf,
  newKey,
  newStoreId,
  rotateKeys,
  withKeyUses,
} from '@aisle/server/domain'
import type { ResourceChange } from '@aisle/server/domain'
import type {
  CatalogWriter,
  Clock,
  CreatedStore,
  KeyKind,
  KeyUse,
  ResourceReader,
  StoreRecord,
  StoreRegistry,
} from '@aisle/server/ports'
import { CLUSTER_FORMAT, SWAPS_FORMAT } from '../control/cluster-format.ts'
import { clusterFailure } from '../control/cluster-failure.ts'
import { KnownDocuments } from '../control/known-documents.ts'
import { RESOURCES, STORES, type ClusterStore, type StoreResources } from './store-documents.ts'
import {
  ALL_SWAPS,
  contentIn,
  isTaken,
  NO_SWAPS,
  swapped,
  SWAPS,
  touched,
} from './store-contents.ts'
import type { StoreContent, SwappedContents } from './store-contents.ts'
import { STORE_DOCUMENTS } from './store-places.ts'

/** Maximum of attempts at a swap that conflicts. */
const SWAPS_TRIED_MAX = 20

/** The parts of the catalog ports that concern stores rather than documents. */
type StorePorts = Omit<StoreRegistry, 'statistics'> &
  ResourceReader &
  Pick<
    CatalogWriter,
    | 'createStore'
    | 'deleteStore'
    | 'swapStores'
    | 'renameStore'
    | 'rotateKey'
    | 'revokePreviousKey'
    | 'noteKeyUses'
    | 'changeResources'
  >

/**
 * Stores, their keys and their resources, shared by all API nodes. A store is one control document
 * and its resources are another one, so that the use of a key does not write all rules again. Each
 * changes as a whole. A third one, for all stores, holds the swaps.
 */
export class ClusterStores implements StorePorts {
  readonly #clock: Clock
  readonly #formatInForce: () => number
  readonly #stores: KnownDocuments<ClusterStore>
  readonly #resources: KnownDocuments<StoreResources>
  readonly #swaps: KnownDocuments<SwappedContents>
  readonly #index: ControlIndex
  readonly #follower: ControlFollower

  private constructor(
    index: ControlIndex,
    clock: Clock,
    formatInForce: () => number,
    known: {
      readonly stores: KnownDocuments<ClusterStore>
      readonly resources: KnownDocuments<StoreResources>
      readonly swaps: KnownDocuments<SwappedContents>
    },
    follower: ControlFollower,
  ) {
    this.#index = index
    this.#clock = clock
    this.#formatInForce = formatInForce
    this.#stores = known.stores
    this.#resources = known.resources
    this.#swaps = known.swaps
    this.#follower = follower
  }

  /**
   * Reads everything, and follows changes from then on.
   * @param onFailure called when the cluster did not report the changes of others; it is retried
   * @param formatInForce the format of the oldest live node
   */
  static async open(
    index: ControlIndex,
    clock: Clock,
    onFailure: (error: unknown) => void,
    formatInForce: () => number = () => CLUSTER_FORMAT,
  ): Promise<ClusterStores> {
    const stores = new KnownDocuments(index, STORES)
    const resources = new KnownDocuments(index, RESOURCES)
    const swaps = new KnownDocuments(index, SWAPS)
    // The follower reports changes made while the others were being read.
    const from = await stores.load()
    await resources.load()
    await swaps.load()
    const follower = new ControlFollower(index, from, {
      onChanges: (documents) => {
        for (const document of documents) {
          stores.take(document)
          resources.take(document)
          swaps.take(document)
        }
      },
      onFailure,
    })
    follower.start()
    return new ClusterStores(index, clock, formatInForce, { stores, resources, swaps }, follower)
  }

  /**
   * Returns the content of a store, which changes with each swap. `undefined` if the store does not
   * exist.
   */
  contentOf(storeId: string): StoreContent | undefined {
    const store = this.#stores.get(storeId)
    return store && contentIn(this.#known(), storeId, store)
  }

  /** Returns the store that has a content; `undefined` if there is none. */
  ownerOf({ name, life }: StoreContent): string | undefined {
    return this.#stores.names().find((storeId) => {
      const content = this.contentOf(storeId)
      return content?.name === name && content.life === life
    })
  }

  /**
   * Returns the same as of now, including changes that other nodes have just made. @throws ApiError
   * unavailable
   */
  async newestOwnerOf(content: StoreContent): Promise<string | undefined> {
    await this.#swaps.load()
    await this.#stores.load()
    return this.ownerOf(content)
  }

  /** Adopts the state that another reader of the control documents has seen, if it is newer. */
  take(document: StoredControl): void {
    this.#stores.take(document)
    this.#resources.take(document)
    this.#swaps.take(document)
  }

  find(storeId: string): StoreRecord | undefined {
    return this.#stores.get(storeId)?.record
  }

  list(): StoreRecord[] {
    return this.#stores.values().map(({ record }) => record)
  }

  of(storeId: string): ResourceTable {
    const content = this.contentOf(storeId)
    return tableOf(content, content && this.#resources.get(content.name))
  }

  /** Learns the newest resources of a store, which `of` then has. @throws ApiError unavailable */
  async readResources(storeId: string): Promise<void> {
    const content = this.contentOf(storeId)
    if (content !== undefined) await this.#resources.newest(content.name)
  }

  /** Bytes of the documents of a store that was created for a bulk load. */
  bulkLoadBytes(storeId: string): number | undefined {
    return this.#stores.get(storeId)?.bulkLoadBytes
  }

  async createStore(request: Parameters<StorePorts['createStore']>[0]): Promise<CreatedStore> {
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
    const life = randomUUID()
    const content = await this.#firstName(storeId, life)
    const { bulkLoadBytes = 0 } = request
    const store = {
      life,
      record,
      ...(content === storeId ? {} : { content }),
      ...(bulkLoadBytes < BULK_LOAD_MIN_BYTES ? {} : { bulkLoadBytes }),
    }
    await this.#stores.change(storeId, (before) => {
      if (before === undefined) return store
      throw new ApiError('store_exists', `Cannot create store "${storeId}": it already exists`, {
        param: 'id',
      })
    })
    return { storeId, name, readSecret, writeSecret, eventsWriteKey }
  }

  async deleteStore(storeId: string): Promise<void> {
    let deleted: ClusterStore | undefined
    await this.#stores.change(storeId, (before) => {
      deleted = existing(before)
      return undefined
    })
    let content: StoreContent | undefined
    await this.#swaps.newest(ALL_SWAPS)
    await this.#swaps.change(ALL_SWAPS, (before) => {
      content = contentIn(before ?? NO_SWAPS, storeId, deleted!)
      return touched(before, storeId)
    })
    // They belong to a deleted store; nobody reads them, whether this succeeds or not.
    await this.#resources.change(content!.name, (before) =>
      before?.life === content!.life ? undefined : before,
    )
  }

  async swapStores(storeId: string, otherId: string): Promise<void> {
    if (this.#formatInForce() < SWAPS_FORMAT) {
      const message = 'Cannot swap stores: an API node runs an older version; update it first'
      throw new ApiError('unavailable', message, { retryAfterSeconds: 5 })
    }
    for (let attempt = 1; attempt <= SWAPS_TRIED_MAX; attempt++) {
      const swaps = await this.#swaps.newest(ALL_SWAPS)
      const stores = [
        [storeId, existing(await this.#stores.newest(storeId))],
        [otherId, existing(await this.#stores.newest(otherId))],
      ] as const
      let isStill = true
      await this.#swaps.change(ALL_SWAPS, (before) => {
        // A store may have been deleted since, and its content must not be given away.
        isStill = before === swaps
        return isStill ? swapped(before ?? NO_SWAPS, stores) : before
      })
      if (isStill) return
    }
    throw new ApiError('unavailable', 'Cannot swap the stores: they keep changing. Try again', {
      retryAfterSeconds: 1,
    })
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
    await this.#swaps.newest(ALL_SWAPS)
    existing(this.#stores.get(storeId))
    const content = this.contentOf(storeId)!
    await this.#resources.change(content.name, (before) => {
      existing(this.#stores.get(storeId))
      const table = tableOf(content, before)
      isAccepted = table.accepts(change)
      return isAccepted ? { life: content.life, table: table.after(change) } : before
    })
    return isAccepted
  }

  close(): void {
    this.#follower.close()
  }

  #known(): SwappedContents {
    return this.#swaps.get(ALL_SWAPS) ?? NO_SWAPS
  }

  /**
   * The content of a new store has the name of the store, unless the content of an earlier store
   * with that id lives on in another one.
   */
  async #firstName(storeId: string, life: string): Promise<string> {
    const kinds = [RESOURCES, STORE_DOCUMENTS, STORES].map(({ kind }) => `${kind}:${storeId}`)
    const left = await this.#index.getAll(kinds).catch((error: unknown) => {
      throw clusterFailure(error, STORES.change)
    })
    if (left.length === 0) return storeId
    await this.#swaps.newest(ALL_SWAPS)
    let name = storeId
    await this.#swaps.change(ALL_SWAPS, (before) => {
      name = isTaken(before ?? NO_SWAPS, storeId) ? `${storeId}~${life}` : storeId
      return touched(before)
    })
    return name
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
  content: StoreContent | undefined,
  resources: StoreResources | undefined,
): ResourceTable {
  const areOfContent = content !== undefined && resources?.life === content.life
  return areOfContent ? resources.table : ResourceTable.empty
}

function existing(store: ClusterStore | undefined): ClusterStore {
  if (store !== undefined) return store
  throw new ApiError('store_not_found', 'There is no store with this id')
}

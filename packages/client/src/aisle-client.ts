import type {
  CreatedStore,
  CreateStoreRequest,
  DeletedSnapshot,
  DeletedStore,
  HealthResponse,
  RotatedKey,
  RotateKeyRequest,
  Snapshot,
  SnapshotList,
  StoreList,
  StoreSummary,
} from '@aisle/contract'
import { StoreClient } from './store-client.ts'
import { Transport } from './transport.ts'
import type { Call, ClientOptions } from './transport.ts'

const ADMIN = '/api/v1/admin'

/** The interface of the service as calls: stores and snapshots here, everything of one store in `store`. */
export class AisleClient {
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

  store(storeId: string): StoreClient {
    return new StoreClient(this.#transport, storeId)
  }

  health(): Promise<HealthResponse> {
    return this.#transport.json({ method: 'GET', path: '/health' })
  }

  createStore(request: CreateStoreRequest): Promise<CreatedStore> {
    return this.#admin('POST', '/stores', request)
  }

  stores(): Promise<StoreList> {
    return this.#admin('GET', '/stores')
  }

  describeStore(storeId: string): Promise<StoreSummary> {
    return this.#admin('GET', `/stores/${encodeURIComponent(storeId)}`)
  }

  renameStore(storeId: string, name: string): Promise<StoreSummary> {
    return this.#admin('PATCH', `/stores/${encodeURIComponent(storeId)}`, { name })
  }

  deleteStore(storeId: string): Promise<DeletedStore> {
    return this.#admin('DELETE', `/stores/${encodeURIComponent(storeId)}`)
  }

  rotateKey(
    storeId: string,
    kind: 'read' | 'write' | 'events',
    request: RotateKeyRequest = {},
  ): Promise<RotatedKey> {
    return this.#admin(
      'POST',
      `/stores/${encodeURIComponent(storeId)}/keys/${kind}/rotate`,
      request,
    )
  }

  createSnapshot(): Promise<Snapshot> {
    return this.#admin('POST', '/snapshots')
  }

  snapshots(): Promise<SnapshotList> {
    return this.#admin('GET', '/snapshots')
  }

  verifySnapshot(name: string): Promise<Snapshot> {
    return this.#admin('POST', `/snapshots/${encodeURIComponent(name)}/verify`)
  }

  deleteSnapshot(name: string): Promise<DeletedSnapshot> {
    return this.#admin('DELETE', `/snapshots/${encodeURIComponent(name)}`)
  }

  #admin<Answer>(method: Call['method'], path: string, body?: unknown): Promise<Answer> {
    return this.#transport.json({ method, path: ADMIN + path, secret: 'admin', body })
  }
}

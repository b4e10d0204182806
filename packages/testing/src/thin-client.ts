import { AisleClient } from '@aisle/client'
import type {
  BulkResponse,
  ChangeSchemaRequest,
  ResourceValue,
  SearchParameters,
  StoreClient,
} from '@aisle/client'
import { HttpClient } from './http-client.ts'
import type { HttpRequest } from './http-client.ts'

/** The secrets of a store, as the server names them when it makes one. */
export interface StoreKeys {
  readonly storeId: string
  readonly readSecret: string
  readonly writeSecret: string
}

/** Also for the events of its visitors. */
interface NewStoreKeys extends StoreKeys {
  readonly eventsWriteKey: string
}

/**
 * `@aisle/client` for tools: one service, many stores whose keys are at hand, and no retries unless
 * asked for, since a tool wants to see what a request comes to; nor types of what it sends, which
 * may be wrong on purpose. `http` beside it is for what is measured, and for streams that `fetch`
 * does not send.
 */
export class ThinClient {
  readonly http: HttpClient
  readonly #client: AisleClient

  constructor(
    baseUrl: string,
    options: {
      adminToken?: string | undefined
      connections?: number
      timeoutMs?: number
      /** Of all but `http`. */
      retries?: number
    } = {},
  ) {
    const { adminToken, retries = 0, ...http } = options
    this.http = new HttpClient(baseUrl, http)
    this.#client = new AisleClient({ url: this.http.baseUrl, adminToken, retries })
  }

  store(keys: StoreKeys): StoreClient {
    return this.#client.store(keys.storeId, keys)
  }

  async createStore(request: { name: string; id?: string }): Promise<NewStoreKeys> {
    const store = await this.#client.createStore(request)
    return {
      storeId: store.store_id,
      readSecret: store.read_secret,
      writeSecret: store.write_secret,
      eventsWriteKey: store.events_write_key,
    }
  }

  /** When a store was made, as ISO 8601. */
  async createdAt(storeId: string): Promise<string> {
    return (await this.#client.describeStore(storeId)).created_at
  }

  async deleteStore(storeId: string): Promise<void> {
    await this.#client.deleteStore(storeId)
  }

  async swapStores(storeId: string, otherId: string): Promise<void> {
    await this.#client.swapStores(storeId, otherId)
  }

  async setSchema(keys: StoreKeys, schema: unknown): Promise<void> {
    await this.store(keys).changeSchema(schema as ChangeSchemaRequest)
  }

  /** @param settings a merge patch */
  async setSettings(keys: StoreKeys, settings: ResourceValue): Promise<void> {
    await this.store(keys).changeSettings(settings)
  }

  /** @param lines documents as JSON text, one each, sent as they are */
  bulk(keys: StoreKeys, lines: readonly string[]): Promise<BulkResponse> {
    return this.store(keys).bulk(lines)
  }

  search(keys: StoreKeys, parameters: object): ReturnType<StoreClient['search']> {
    return this.store(keys).search(parameters as SearchParameters)
  }

  close(): void {
    this.http.close()
  }
}

/** A search as one request with its body ready, so that a benchmark does not pay for making it. */
export function searchRequest(keys: StoreKeys, body: string): HttpRequest {
  return {
    method: 'POST',
    path: '/v1/search',
    headers: { ...readHeaders(keys), ...JSON_BODY },
    body,
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

/** What names a store, and lets in who may read it. */
export function readHeaders(
  keys: Pick<StoreKeys, 'storeId' | 'readSecret'>,
): Record<string, string> {
  return { 'x-storeid': keys.storeId, 'x-storesecret': keys.readSecret }
}

/** What names a store, and lets in who may change it. */
export function writeHeaders(
  keys: Pick<StoreKeys, 'storeId' | 'writeSecret'>,
): Record<string, string> {
  return { 'x-storeid': keys.storeId, 'x-store-write-secret': keys.writeSecret }
}

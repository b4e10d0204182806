import { AisleClient } from '@aisle/client'
import type {
  BulkResponse,
  ChangeSchemaRequest,
  ResourceValue,
  SearchParameters,
  StoreClient,
} from '@aisle/client'
import { HttpClient, type HttpRequest } from './http-client.ts'

/** The secrets of a store, by the server's names in the answer to its creation. */
export interface StoreKeys {
  readonly storeId: string
  readonly readSecret: string
  readonly writeSecret: string
}

/** The keys, and that for events of its visitors. */
interface NewStoreKeys extends StoreKeys {
  readonly eventsWriteKey: string
}

/**
 * `@aisle/client` for tools: one service, many stores with their keys, and no retries unless
 * requested, since a tool must see the outcome of a request; nor types for payloads, which may be
 * wrong on purpose. `http` is for measured requests, and for streams that `fetch` cannot send.
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
      /** Timeout of all requests except those of `http`. */
      retries?: number
    } = {},
  ) {
    const { adminToken, retries = 0, ...http } = options
    this.http = new HttpClient(baseUrl, http)
    this.#client = new AisleClient({
      url: this.http.baseUrl,
      adminToken,
      retries,
      timeoutMs: options.timeoutMs,
    })
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

  /** Creation time of a store in ISO 8601. */
  async createdAt(storeId: string): Promise<string> {
    return (await this.#client.describeStore(storeId)).created_at
  }

  /** Number of segments of the index of a store. */
  async segmentsOf(storeId: string): Promise<number> {
    return (await this.#client.describeStore(storeId)).segments
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

  /** @param lines documents as JSON, one per line, sent unchanged */
  bulk(keys: StoreKeys, lines: readonly string[]): Promise<BulkResponse> {
    return this.store(keys).bulk(lines)
  }

  search(keys: StoreKeys, parameters: object): ReturnType<StoreClient['search']> {
    return this.store(keys).search(parameters as SearchParameters)
  }

  close(): void {
    this.http.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

/** A search with a prepared body, so that a benchmark does not pay for serializing it. */
export function searchRequest(keys: StoreKeys, body: string): HttpRequest {
  return {
    method: 'POST',
    path: '/v1/search',
    headers: { ...readHeaders(keys), ...JSON_BODY },
    body,
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

/** Headers that identify a store and permit reading it. */
export function readHeaders(
  keys: Pick<StoreKeys, 'storeId' | 'readSecret'>,
): Record<string, string> {
  return { 'x-storeid': keys.storeId, 'x-storesecret': keys.readSecret }
}

/** Headers that identify a store and permit changing it. */
export function writeHeaders(
  keys: Pick<StoreKeys, 'storeId' | 'writeSecret'>,
): Record<string, string> {
  return { 'x-storeid': keys.storeId, 'x-store-write-secret': keys.writeSecret }
}

import type { Readable } from 'node:stream'
import { HttpClient } from './http-client.ts'
import type { HttpAnswer, HttpRequest } from './http-client.ts'

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

export interface SearchHit {
  readonly id: string
  readonly document: Readonly<Record<string, unknown>>
  readonly text_match_score: number
}

export interface SearchAnswer {
  readonly found: number
  readonly hits: readonly SearchHit[]
  readonly search_time_ms: number
}

export interface BulkFailure {
  /** Place of the document in what was sent, from 0. */
  readonly index?: number
  readonly id?: string
  readonly error?: string
}

export interface BulkAnswer {
  readonly indexed: number
  readonly errors: readonly BulkFailure[]
}

/** A request that the server refused, with what it said. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly status: number
  readonly code: string | undefined

  constructor(request: HttpRequest, answer: HttpAnswer) {
    const text = answer.body.toString('utf8')
    super(`${request.method} ${request.path} answered ${answer.status}: ${text.slice(0, 500)}`)
    this.status = answer.status
    this.code = errorCode(text)
  }
}

/**
 * The calls of the API that tools measure and fill stores with: without the retries and checks of
 * `@aisle/client`.
 */
export class ThinClient {
  readonly http: HttpClient
  readonly #adminToken: string | undefined

  constructor(
    baseUrl: string,
    options: { adminToken?: string | undefined; connections?: number; timeoutMs?: number } = {},
  ) {
    const { adminToken, ...http } = options
    this.http = new HttpClient(baseUrl, http)
    this.#adminToken = adminToken
  }

  async createStore(request: { name: string; id?: string }): Promise<NewStoreKeys> {
    const store = await this.#json<{
      store_id: string
      read_secret: string
      write_secret: string
      events_write_key: string
    }>({
      method: 'POST',
      path: '/api/v1/admin/stores',
      headers: { ...this.#adminHeaders(), ...JSON_BODY },
      body: JSON.stringify(request),
    })
    return {
      storeId: store.store_id,
      readSecret: store.read_secret,
      writeSecret: store.write_secret,
      eventsWriteKey: store.events_write_key,
    }
  }

  /** When a store was made, as ISO 8601. */
  async createdAt(storeId: string): Promise<string> {
    const { created_at } = await this.#json<{ created_at: string }>({
      method: 'GET',
      path: `/api/v1/admin/stores/${storeId}`,
      headers: this.#adminHeaders(),
    })
    return created_at
  }

  async deleteStore(storeId: string): Promise<void> {
    await this.#json({
      method: 'DELETE',
      path: `/api/v1/admin/stores/${storeId}`,
      headers: this.#adminHeaders(),
    })
  }

  async setSchema(keys: StoreKeys, schema: unknown): Promise<void> {
    await this.#json({
      method: 'POST',
      path: `/api/v1/stores/${keys.storeId}/schema`,
      headers: { ...writeHeaders(keys), ...JSON_BODY },
      body: JSON.stringify(schema),
    })
  }

  /** @param settings a merge patch */
  async setSettings(keys: StoreKeys, settings: object): Promise<void> {
    await this.#json({
      method: 'PATCH',
      path: `/api/v1/stores/${keys.storeId}/settings`,
      headers: { ...writeHeaders(keys), ...JSON_BODY },
      body: JSON.stringify(settings),
    })
  }

  /** @param lines documents as JSON text, one each, sent as they are */
  bulk(keys: StoreKeys, lines: readonly string[]): Promise<BulkAnswer> {
    return this.#json({
      method: 'POST',
      path: `/api/v1/stores/${keys.storeId}/documents/bulk`,
      headers: { ...writeHeaders(keys), ...JSON_BODY },
      body: `{"documents":[${lines.join(',')}]}`,
    })
  }

  bulkStream(keys: StoreKeys, ndjson: Readable): Promise<BulkAnswer> {
    return this.#json({
      method: 'POST',
      path: `/api/v1/stores/${keys.storeId}/documents/bulk`,
      headers: { ...writeHeaders(keys), 'content-type': 'application/x-ndjson' },
      body: ndjson,
    })
  }

  search(keys: StoreKeys, parameters: object): Promise<SearchAnswer> {
    return this.#json(searchRequest(keys, JSON.stringify(parameters)))
  }

  close(): void {
    this.http.close()
  }

  async #json<Answer>(request: HttpRequest): Promise<Answer> {
    const answer = await this.http.send(request)
    if (answer.status < 200 || answer.status > 299) throw new RefusedError(request, answer)
    return JSON.parse(answer.body.toString('utf8')) as Answer
  }

  #adminHeaders(): Record<string, string> {
    if (this.#adminToken === undefined) {
      throw new Error('An admin token is needed: --admin-token or AISLE_ADMIN_TOKEN')
    }
    return { authorization: `Bearer ${this.#adminToken}` }
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

function errorCode(text: string): string | undefined {
  try {
    const { code } = JSON.parse(text) as { code?: unknown }
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}

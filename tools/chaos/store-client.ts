import { readHeaders, ThinClient, writeHeaders } from '@aisle/testing'
import type { HttpAnswer, HttpRequest, StoreKeys } from '@aisle/testing'
import { CHAOS_FIELDS } from './document.ts'

/** Long, because a busy machine is not a failure. */
export const ANSWER_LIMIT_MS = 120_000

/**
 * One store over HTTP, for a writer of the chaos run: returns the status of a change instead of
 * throwing.
 */
export class StoreClient {
  readonly keys: StoreKeys
  readonly #client: ThinClient

  constructor(baseUrl: string, keys: StoreKeys) {
    this.keys = keys
    this.#client = new ThinClient(baseUrl, { connections: 2, timeoutMs: ANSWER_LIMIT_MS })
  }

  index(id: string, action: string, data: object): Promise<number> {
    return this.#status('POST', '/documents', JSON.stringify({ id, action, data }))
  }

  delete(id: string): Promise<number> {
    return this.#status('DELETE', `/documents/${encodeURIComponent(id)}`)
  }

  clear(): Promise<number> {
    return this.#status('DELETE', '/documents')
  }

  replaceSchema(): Promise<number> {
    return this.#status(
      'POST',
      '/schema',
      JSON.stringify({ mode: 'replace', fields: CHAOS_FIELDS }),
    )
  }

  /** @returns whether every entry was indexed */
  async bulk(
    entries: readonly { id: string; data: object }[],
    streamed: boolean,
  ): Promise<boolean> {
    const lines = entries.map((entry) => JSON.stringify(entry))
    const answer = await this.#send(
      'POST',
      '/documents/bulk',
      streamed ? lines.join('\n') : `{"documents":[${lines.join(',')}]}`,
      streamed ? 'application/x-ndjson' : 'application/json',
    )
    if (answer.status !== 207) return false
    return (JSON.parse(answer.body.toString()) as { indexed: number }).indexed === entries.length
  }

  async get(id: string): Promise<Record<string, unknown> | undefined> {
    const answer = await this.#send('GET', `/documents/${encodeURIComponent(id)}`)
    if (answer.status === 404) return undefined
    if (answer.status !== 200)
      throw new Error(`GET ${id} answered ${answer.status}: ${String(answer.body)}`)
    return (JSON.parse(answer.body.toString()) as { data: Record<string, unknown> }).data
  }

  /** Exports all documents. @returns their data, by id */
  async export(): Promise<Map<string, Record<string, unknown>>> {
    const answer = await this.#send('GET', '/documents')
    if (answer.status !== 200)
      throw new Error(`The export answered ${answer.status}: ${String(answer.body)}`)
    const lines = answer.body.toString().split('\n')
    return new Map(
      lines
        .filter((line) => line !== '')
        .map((line) => {
          const { id, data } = JSON.parse(line) as { id: string; data: Record<string, unknown> }
          return [id, data] as const
        }),
    )
  }

  search(parameters: object): ReturnType<ThinClient['search']> {
    return this.#client.search(this.keys, parameters)
  }

  close(): void {
    this.#client.close()
  }

  async #status(method: HttpRequest['method'], path: string, body?: string): Promise<number> {
    return (await this.#send(method, path, body)).status
  }

  #send(
    method: HttpRequest['method'],
    path: string,
    body?: string,
    type = 'application/json',
  ): Promise<HttpAnswer> {
    return this.#client.http.send({
      method,
      path: `/api/v1/stores/${this.keys.storeId}${path}`,
      headers: {
        ...readHeaders(this.keys),
        ...writeHeaders(this.keys),
        'content-type': type,
      },
      ...(body === undefined ? {} : { body }),
    })
  }
}

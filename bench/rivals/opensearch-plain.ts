import { HttpClient, type HttpRequest } from '@aisle/testing'
import { answerOf, type BenchSide } from '../lib/bench-side.ts'
import type { BenchQuery } from '../lib/query-classes.ts'
import { openSearchIndex, openSearchQuery } from './opensearch-query.ts'

const JSON_LINES = { 'content-type': 'application/x-ndjson' }
const JSON_BODY = { 'content-type': 'application/json' }

export interface PlainIndexOptions {
  readonly texts: readonly string[]
  readonly facets: readonly string[]
  readonly shards: number
}

/**
 * The index that a shop's developer would create on the same cluster, with one copy of each shard
 * like ours, and documents in the answers. Each request goes to the next node.
 */
export class PlainIndex implements BenchSide {
  static readonly #INDEX = 'bench-plain'
  readonly #clients: readonly HttpClient[]
  readonly #options: PlainIndexOptions
  #next = 0

  constructor(urls: readonly string[], options: PlainIndexOptions) {
    this.#clients = urls.map((url) => new HttpClient(url))
    this.#options = options
  }

  /** @returns number of documents of an earlier run */
  async open(): Promise<number> {
    const { shards } = this.#options
    const { settings, mappings } = openSearchIndex(this.#options)
    const index = { number_of_shards: shards, auto_expand_replicas: '0-1', refresh_interval: '1s' }
    const body = JSON.stringify({ settings: { ...settings, index }, mappings })
    const made = await this.#send('PUT', '', body, [200, 400])
    if (made.status === 200) return 0
    const { count } = JSON.parse((await this.#send('GET', '/_count')).body.toString()) as {
      count: number
    }
    return count
  }

  /** With ids, so that they can be sent again, like ours. */
  async bulk(lines: readonly string[]): Promise<void> {
    const body = lines
      .map((line) => {
        const { id } = JSON.parse(line) as { id: string }
        return `${JSON.stringify({ index: { _id: id } })}\n${line}\n`
      })
      .join('')
    const answer = await this.#send('POST', '/_bulk', body, [200], JSON_LINES)
    const { errors } = JSON.parse(answer.body.toString()) as { errors: boolean }
    if (errors) throw new Error('OpenSearch refused a document')
  }

  async settle(): Promise<void> {
    await this.#send('POST', '/_refresh')
  }

  request(query: BenchQuery): HttpRequest {
    const body = { ...openSearchQuery(query, this.#options.texts), _source: true }
    return {
      method: 'POST',
      path: this.#path('/_search'),
      headers: JSON_BODY,
      body: JSON.stringify(body),
    }
  }

  send(request: HttpRequest): Promise<void> {
    return answerOf(this.#client(), request).then(() => undefined)
  }

  /**
   * No pass may be answered from the cache of the previous one. The cluster caches counts without
   * hits.
   */
  async forgetAnswers(): Promise<void> {
    await answerOf(this.#client(), { method: 'POST', path: '/_cache/clear?request=true' })
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }

  #client(): HttpClient {
    return this.#clients[this.#next++ % this.#clients.length]!
  }

  #path(path: string): string {
    return `/${PlainIndex.#INDEX}${path}`
  }

  #send(
    method: HttpRequest['method'],
    path: string,
    body?: string,
    statuses: readonly number[] = [200],
    headers: Readonly<Record<string, string>> = JSON_BODY,
  ): ReturnType<typeof answerOf> {
    const content = body === undefined ? {} : { body, headers }
    return answerOf(this.#client(), { method, path: this.#path(path), ...content }, statuses)
  }
}

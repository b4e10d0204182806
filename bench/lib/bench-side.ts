import { searchRequest, ThinClient } from '@aisle/testing'
import type { HttpAnswer, HttpClient, HttpRequest, StoreKeys } from '@aisle/testing'
import type { BenchQuery } from './query-classes.ts'

/** One of the systems that get the same documents and queries, in turns. */
export interface BenchSide {
  /** Sends documents and waits until they are acknowledged. */
  bulk(lines: readonly string[]): Promise<void>
  /** Makes acknowledged documents visible to searches, if they are not yet. */
  settle?(): Promise<void>
  request(query: BenchQuery): HttpRequest
  /** Sends a search and waits for the whole answer. */
  send(request: HttpRequest): Promise<void>
  close(): void
}

/** A store of a service, on one machine or on a cluster. */
export class ServiceSide implements BenchSide {
  readonly #client: ThinClient
  readonly #keys: StoreKeys

  constructor(url: string, keys: StoreKeys) {
    this.#client = new ThinClient(url)
    this.#keys = keys
  }

  async bulk(lines: readonly string[]): Promise<void> {
    const { results } = await this.#client.bulk(this.#keys, lines)
    const failed = results.find(({ code }) => code >= 300)
    if (failed !== undefined) throw new Error(`A document failed: ${JSON.stringify(failed)}`)
  }

  request(query: BenchQuery): HttpRequest {
    return searchRequest(this.#keys, JSON.stringify(query))
  }

  async send(request: HttpRequest): Promise<void> {
    await answerOf(this.#client.http, request)
  }

  close(): void {
    this.#client.close()
  }
}

/** @throws Error for an unexpected status */
export async function answerOf(
  client: HttpClient,
  request: HttpRequest,
  statuses: readonly number[] = [200],
): Promise<HttpAnswer> {
  const answer = await client.send(request)
  if (statuses.includes(answer.status)) return answer
  const text = answer.body.toString('utf8').slice(0, 300)
  throw new Error(`${request.method} ${request.path}: ${answer.status} ${text}`)
}

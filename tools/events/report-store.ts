import type { ReportAnswer, ReportName } from '@aisle/contract'
import { sendEvents, writeHeaders, type ServerProcess } from '@aisle/testing'
import { createEventStore, type EventStore } from './event-store.ts'

/** Reports wait until the log has been read. */
const PATIENCE_MS = 600_000

type ReportedStore = Pick<EventStore, 'storeId' | 'writeSecret' | 'writeKey'>

/** A store of a running server with reports. */
export class ReportStore {
  readonly #url: string
  readonly #store: ReportedStore

  private constructor(url: string, store: ReportedStore) {
    this.#url = url
    this.#store = store
  }

  static async create(server: ServerProcess, id: string): Promise<ReportStore> {
    return new ReportStore(server.url, await createEventStore(server, id))
  }

  /** An existing store. */
  static of(server: ServerProcess, store: ReportedStore): ReportStore {
    return new ReportStore(server.url, store)
  }

  get id(): string {
    return this.#store.storeId
  }

  /** The same store on a restarted server. */
  on(server: ServerProcess): ReportStore {
    return new ReportStore(server.url, this.#store)
  }

  /** Sends canonical events in batches. @returns the number of accepted ones */
  send(events: readonly object[]): Promise<number> {
    return sendEvents(this.#url, this.#store.writeKey, events)
  }

  async report<Name extends ReportName>(
    name: Name,
    query: Readonly<Record<string, string>> = {},
  ): Promise<ReportAnswer<Name>> {
    const text = new URLSearchParams(query).toString()
    return (await this.call('GET', `/${name}?${text}`)) as ReportAnswer<Name>
  }

  /** @param path relative to `/analytics` */
  async call(method: 'GET' | 'POST' | 'DELETE', path: string): Promise<unknown> {
    const url = `${this.#url}/api/v1/stores/${this.id}/analytics${path}`
    for (const startMs = performance.now(); ;) {
      const answer = await fetch(url, { method, headers: writeHeaders(this.#store) })
      if (answer.ok) return await answer.json()
      if (answer.status !== 503 || performance.now() - startMs > PATIENCE_MS) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

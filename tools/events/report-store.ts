import type { ReportAnswer, ReportName } from '@aisle/contract'
import { sendEvents, writeHeaders } from '@aisle/testing'
import type { ServerProcess } from '@aisle/testing'
import { createEventStore, type EventStore } from './event-store.ts'

/** The reports of a log that is read first are waited for. */
const PATIENCE_MS = 600_000

type ReportedStore = Pick<EventStore, 'storeId' | 'writeSecret' | 'writeKey'>

/** A store of a running server whose reports are asked for. */
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

  /** A store that is there. */
  static of(server: ServerProcess, store: ReportedStore): ReportStore {
    return new ReportStore(server.url, store)
  }

  get id(): string {
    return this.#store.storeId
  }

  /** The same store on a server that was started again. */
  on(server: ServerProcess): ReportStore {
    return new ReportStore(server.url, this.#store)
  }

  /** Canonical events in batches. @returns how many were ok */
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

  /** @param path behind `/analytics` */
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

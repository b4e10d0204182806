import type { ReportAnswer, ReportName } from '@aisle/contract'
import type { ServerProcess } from '@aisle/testing'

const BATCH = 100
/** The reports of a log that is read first are waited for. */
const PATIENCE_MS = 600_000

/** A store of a running server whose reports are asked for. */
export class ReportStore {
  readonly id: string
  readonly #url: string
  readonly #writeKey: string
  readonly #headers: Readonly<Record<string, string>>

  private constructor(id: string, url: string, keys: { write: string; events: string }) {
    this.id = id
    this.#url = url
    this.#writeKey = keys.events
    this.#headers = { 'x-storeid': id, 'x-store-write-secret': keys.write }
  }

  static async create(server: ServerProcess, id: string): Promise<ReportStore> {
    const answer = await fetch(`${server.url}/api/v1/admin/stores`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.adminToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: id, id }),
    })
    const keys = (await answer.json()) as { write_secret: string; events_write_key: string }
    return new ReportStore(id, server.url, {
      write: keys.write_secret,
      events: keys.events_write_key,
    })
  }

  /** A store that is there. */
  static of(
    server: ServerProcess,
    store: { readonly id: string; readonly writeKey: string; readonly writeSecret: string },
  ): ReportStore {
    return new ReportStore(store.id, server.url, {
      write: store.writeSecret,
      events: store.writeKey,
    })
  }

  /** The same store on a server that was started again. */
  on(server: ServerProcess): ReportStore {
    const write = this.#headers['x-store-write-secret'] ?? ''
    return new ReportStore(this.id, server.url, { write, events: this.#writeKey })
  }

  /** Canonical events in batches. @returns how many were ok */
  async send(events: readonly object[]): Promise<number> {
    let okCount = 0
    for (let i = 0; i < events.length; i += BATCH) {
      const answer = await fetch(`${this.#url}/v1/b`, {
        method: 'POST',
        body: JSON.stringify({
          writeKey: this.#writeKey,
          sentAt: new Date().toISOString(),
          batch: events.slice(i, i + BATCH),
        }),
      })
      if (!answer.ok) throw new Error(`/v1/b answered ${answer.status}: ${await answer.text()}`)
      okCount += ((await answer.json()) as { okEvents: number }).okEvents
    }
    return okCount
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
      const answer = await fetch(url, { method, headers: this.#headers })
      if (answer.ok) return await answer.json()
      if (answer.status !== 503 || performance.now() - startMs > PATIENCE_MS) {
        throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

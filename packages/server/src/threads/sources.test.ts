import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import type { Source, SourceRun, SourceRunDetail } from '@aisle/contract'
import { ServerProcess, ThinClient, until, type StoreKeys } from '@aisle/testing'

const KILLS = 2
const PRODUCTS = 13_000
/** A run reads 10,000 rows before it writes any. */
const FIRST_ROWS = 12_000

suite('A source, killed', () => {
  let server: ServerProcess
  let client: ThinClient
  let keys: StoreKeys
  let feed: PacedFeed
  before(async () => {
    feed = new PacedFeed()
    await feed.listen()
    server = await start()
    client = new ThinClient(server.url, { adminToken: server.adminToken })
    keys = await client.createStore({ name: 'Shop', id: 'shop' })
    const fields = [{ name: 'title', type: 'string', searchable: true }]
    await client.setSchema(keys, { fields })
  })
  after(async () => {
    feed.close()
    client.close()
    await server.stop({ keepData: true })
    ServerProcess.removeData(server.dataDir)
  })

  const start = (dataDir?: string): Promise<ServerProcess> =>
    ServerProcess.start({
      threads: 1,
      environment: { AISLE_SOURCE_NETWORKS: '127.0.0.1' },
      ...(dataDir === undefined ? {} : { dataDir }),
    })

  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${server.url}/api/v1/stores/shop/sources${path}`, {
      method,
      headers: {
        'x-storeid': 'shop',
        'x-store-write-secret': keys.writeSecret,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return (await response.json()) as Answer
  }

  const found = async (): Promise<number> => (await client.search(keys, { q: '*' })).found

  const ended = (id: string): Promise<SourceRunDetail> =>
    until('the end of the run', async () => {
      const detail = await call<SourceRunDetail>('GET', `/feed/runs/${id}`)
      return detail.run.state === 'running' ? undefined : detail
    })

  test('begins again, and forgets none of what it has written', async () => {
    await call('PUT', '/feed', {
      connection: { kind: 'feed', url: feed.url, format: 'ndjson' },
      deletions: 'remove_missing',
      max_removed_share: 1,
    })
    feed.rows = rowsFrom(0)
    const { id } = await call<SourceRun>('POST', '/feed/runs', {})
    let written = 0
    for (let kill = 0; kill < KILLS; kill++) {
      await until('more documents', async () => {
        const count = await found()
        return count > written ? (written = count) : undefined
      })
      await server.kill()
      client.close()
      // Those that the killed run has written are gone from the feed.
      feed.rows = rowsFrom(1_000 * (kill + 1))
      server = await start(server.dataDir)
      client = new ThinClient(server.url, { adminToken: server.adminToken })
    }
    feed.open()
    const { run } = await ended(id)
    assert.equal(run.state, 'done', run.error ?? '')
    assert.equal(await found(), PRODUCTS)
    const ids = await idsOf(server, keys)
    assert.deepEqual(ids, feed.rows.map((row) => row.id).toSorted())
    const again = await ended((await call<SourceRun>('POST', '/feed/runs', {})).id)
    assert.deepEqual([again.run.unchanged, again.run.missing], [PRODUCTS, 0])
    assert.equal((await call<Source>('GET', '/feed')).documents, PRODUCTS)
  })
})

interface Row {
  readonly id: string
  readonly title: string
}

function rowsFrom(first: number): Row[] {
  return Array.from({ length: PRODUCTS }, (_, i) => ({
    id: `p${first + i}`,
    title: `tent ${first + i} ${'x'.repeat(100)}`,
  }))
}

async function idsOf({ url }: ServerProcess, keys: StoreKeys): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/stores/shop/documents`, {
    headers: { 'x-storeid': 'shop', 'x-store-write-secret': keys.writeSecret },
  })
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as Row).id).toSorted()
}

/** A feed that sends its first rows, and the others when it is opened. */
class PacedFeed {
  rows: Row[] = []
  readonly #opened = Promise.withResolvers<void>()
  readonly #server = createServer((_, response) => void this.#send(response))

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/feed`
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  open(): void {
    this.#opened.resolve()
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #send(response: ServerResponse): Promise<void> {
    const lines = this.rows.map((row) => `${JSON.stringify(row)}\n`)
    response.write(lines.slice(0, FIRST_ROWS).join(''))
    await this.#opened.promise
    response.end(lines.slice(FIRST_ROWS).join(''))
  }
}

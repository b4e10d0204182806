import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before, suite } from 'node:test'
import { RefusedError } from '@aisle/client'
import { ThinClient, until } from '@aisle/testing'
import { loadBatches } from './bulk-load.ts'

const keys = { storeId: 'shop', readSecret: 'read', writeSecret: 'write' }

/** Requests to the fake service. */
interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

suite('loading documents', () => {
  let server: Server
  let client: ThinClient
  let seen: Seen[] = []
  let underWay = 0
  let underWayMost = 0
  /** Number of concurrent requests that the server waits for before it answers. */
  let underWayLeast = 0

  before(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      underWayMost = Math.max(underWayMost, ++underWay)
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8')
        const { method = '', url = '', headers } = request
        seen.push({ method, path: url, headers, body })
        const answerNow = (): void => {
          underWay -= 1
          const [status, answer] = respond(url, body)
          response.writeHead(status, { 'content-type': 'application/json' })
          response.end(JSON.stringify(answer))
        }
        until('more requests', () => underWayMost >= underWayLeast).then(answerNow, answerNow)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    client = new ThinClient(`http://127.0.0.1:${port}/`, { adminToken: 'admin' })
  })

  after(async () => {
    client.close()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  test('every document arrives once, as its original text, in batches', async () => {
    seen = []
    underWayMost = 0
    underWayLeast = 2
    let progress = 0
    const lines = Array.from({ length: 25 }, (_, at) => `{"id":"d${at}","n":9007199254740993}`)
    const outcome = await loadBatches(client, keys, stream(lines), {
      batchSize: 10,
      inFlight: 2,
      onProgress: (documents) => (progress += documents),
    })
    assert.equal(outcome.indexed, 25)
    assert.equal(progress, 25)
    assert.equal(underWayMost, 2)
    assert.deepEqual(
      seen.map(({ path, headers }) => [path, headers['x-store-write-secret']]),
      Array.from({ length: 3 }, () => ['/api/v1/stores/shop/documents/bulk', 'write']),
    )
    for (const line of lines) {
      assert.equal(seen.filter(({ body }) => body.includes(line)).length, 1)
    }
  })

  test('loading stops if all documents fail for one reason', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `{"id":"bad${at}"}`)
    const outcome = await loadBatches(client, keys, stream(lines))
    assert.equal(outcome.stuck?.example, 'bad')
    assert.ok(outcome.failedCount >= 1_000 && outcome.failedCount <= 2_500)
    const all = await loadBatches(client, keys, stream(lines.slice(0, 3_000)), { keepGoing: true })
    assert.equal(all.reasons[0]?.count, 3_000)
  })

  test('failed documents are counted by their reason', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `{"id":"bad${at}"}`)
    const outcome = await loadBatches(client, keys, stream(lines), { batchSize: 30 })
    assert.equal(outcome.failedCount, 30)
    assert.deepEqual(outcome.reasons, [{ example: 'bad', firstRow: 1, count: 30 }])
    assert.equal(outcome.stuck, undefined)
  })

  test('a line that is not JSON fails alone', async () => {
    const lines = ['{"id":"a"}', '{"id":"b"}', '{"id":"c"}', 'not json']
    const outcome = await loadBatches(client, keys, stream(lines), { batchSize: 2, inFlight: 1 })
    assert.equal(outcome.indexed, 3)
    assert.deepEqual(
      outcome.reasons.map(({ firstRow }) => firstRow),
      [4],
    )
  })

  test('a refused request ends the load with the error of the service', async () => {
    const lines = Array.from({ length: 30 }, () => '{"refuse":true}')
    await assert.rejects(
      loadBatches(client, keys, stream(lines), { batchSize: 2 }),
      (error) =>
        error instanceof RefusedError && error.status === 503 && error.code === 'unavailable',
    )
  })

  test('stores are created with the admin token', async () => {
    seen = []
    const store = await client.createStore({ name: 'Shop', id: 'shop' })
    assert.deepEqual(store, { ...keys, eventsWriteKey: 'events' })
    assert.equal(seen[0]?.headers.authorization, 'Bearer admin')
    const without = new ThinClient(client.http.baseUrl)
    await assert.rejects(without.createStore({ name: 'x' }), /admin token/)
    without.close()
  })
})

async function* stream(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

function respond(path: string, body: string): [status: number, answer: object] {
  if (path === '/api/v1/admin/stores') {
    const keysOfShop = { read_secret: 'read', write_secret: 'write', events_write_key: 'events' }
    return [201, { store_id: 'shop', ...keysOfShop }]
  }
  if (body.includes('"refuse"')) return [503, { error: 'Starting', code: 'unavailable' }]
  if (body.includes('not json')) {
    return [207, { status: 207, indexed: 1, errors: [{ id: '', index: 1, error: 'bad' }] }]
  }
  const ids = [...body.matchAll(/"id":"([^"]+)"/g)].map((match) => match[1] ?? '')
  const errors = ids.flatMap((id, index) =>
    id.startsWith('bad') ? [{ id, index, error: 'bad' }] : [],
  )
  return [207, { status: 207, indexed: ids.length - errors.length, errors }]
}

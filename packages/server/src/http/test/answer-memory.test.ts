import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import {
  createAnswerMemory,
  SharedAnswerMemory,
} from '../../adapters/shared-memory/answer-memory.ts'
import { createTestApp, type TestApp, type TestStore } from './test-app.ts'

// Responses that wait for their readers: their memory is limited, and known before it is allocated.

const LIMIT_BYTES = 40_000_000
const DOCUMENTS = 100
/** Much more than the system takes for a connection. */
const ANSWER_BYTES = 9_000_000
const PATIENCE = { timeoutMs: 60_000, pauseMs: 20 }

/** Counts what is taken, and the most that ever was. */
class WatchedMemory extends SharedAnswerMemory {
  usedBytes = 0
  mostBytes = 0

  override take(storeId: string, bytes: number): boolean {
    if (!super.take(storeId, bytes)) return false
    this.usedBytes += bytes
    this.mostBytes = Math.max(this.mostBytes, this.usedBytes)
    return true
  }

  override give(storeId: string, bytes: number): void {
    super.give(storeId, bytes)
    this.usedBytes -= bytes
  }
}

const answerMemory = new WatchedMemory(createAnswerMemory(1, 7), 0, LIMIT_BYTES)
// Nobody is cut off for reading slowly.
const app = await createTestApp({ patience: { unreadAnswersBytes: 2 ** 40 } }, { answerMemory })
const [large, other] = [await largeStore(app, 'large'), await largeStore(app, 'other')]
await app.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.app.server.address() as AddressInfo
after(() => app[Symbol.asyncDispose]())

async function largeStore(testApp: TestApp, id: string): Promise<TestStore> {
  const store = await testApp.createStore(id)
  const base = `/api/v1/stores/${id}`
  const fields = [{ name: 'text', type: 'string', searchable: false }]
  await testApp.call({
    method: 'POST',
    url: `${base}/schema`,
    headers: store.write,
    body: { fields },
  })
  const text = 'x'.repeat(ANSWER_BYTES / DOCUMENTS)
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => ({ id: `d${i}`, text }))
  const url = `${base}/documents/bulk`
  await testApp.call({ method: 'POST', url, headers: store.write, body: { documents } })
  return store
}

/** Sends requests on one connection and reads nothing but the first status. */
async function open(
  store: TestStore,
  requests: number,
): Promise<{ status: string; socket: Socket }> {
  const head = Object.entries(store.read)
    .map((line) => line.join(': '))
    .join('\r\n')
  const request = `GET /v1/search?q=*&per_page=${DOCUMENTS} HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(request.repeat(requests))
  const status = await new Promise<string>((resolve) =>
    socket.once('readable', () => resolve(String(socket.read(12)))),
  )
  return { status, socket }
}

const search = (store: TestStore, parameters: string) =>
  app.call({ url: `/v1/search?q=*&${parameters}`, headers: store.read })

const allGiven = () => answerMemory.usedBytes === 0 || undefined

suite('responses that nobody reads', () => {
  test('take a share of the memory for each store; small ones are answered all the same', async () => {
    const held: Socket[] = []
    const statuses: string[] = []
    for (let i = 0; i < 8; i++) {
      const { status, socket } = await open(large, 1)
      held.push(socket)
      statuses.push(status.slice(-3))
    }
    assert.deepEqual(statuses, ['200', '200', ...Array.from({ length: 6 }, () => '503')])
    const refused = await search(large, `per_page=${DOCUMENTS}`)
    assert.deepEqual([refused.statusCode, refused.json().code], [503, 'unread_answers'])
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal((await search(large, 'return_fields=id')).statusCode, 200, 'a small one')
    assert.equal((await search(other, `per_page=${DOCUMENTS}`)).statusCode, 200, 'another store')
    assert.ok(answerMemory.mostBytes <= LIMIT_BYTES)
    // The size was known before: nothing was allocated that is not used.
    assert.ok(answerMemory.usedBytes < 2.2 * ANSWER_BYTES, `${answerMemory.usedBytes} bytes`)
    for (const socket of held) socket.destroy()
    await until('all memory is returned', allGiven, PATIENCE)
    assert.equal((await search(large, `per_page=${DOCUMENTS}`)).statusCode, 200)
    await until('all memory is returned', allGiven, PATIENCE)
  })

  test('return their memory when they are closed, also those behind another on a connection', async () => {
    const { socket } = await open(large, 4)
    assert.ok(answerMemory.usedBytes > 0)
    socket.destroy()
    await until('all memory is returned', allGiven, PATIENCE)
  })
})

suite('responses that are too large', () => {
  test('are refused before any of it is allocated', async () => {
    const store = await app.createStore('huge')
    const base = '/api/v1/stores/huge'
    const fields = [{ name: 'text', type: 'string', searchable: false }]
    await app.call({
      method: 'POST',
      url: `${base}/schema`,
      headers: store.write,
      body: { fields },
    })
    const text = 'y'.repeat(900_000)
    for (let i = 0; i < 36; i++) {
      await app.call({
        method: 'POST',
        url: `${base}/documents/bulk`,
        headers: store.write,
        body: { documents: [{ id: `h${i}`, text }] },
      })
    }
    answerMemory.mostBytes = 0
    const refused = await search(store, 'per_page=100')
    assert.deepEqual([refused.statusCode, refused.json().code], [400, 'answer_too_large'])
    assert.ok(answerMemory.mostBytes < 3_000_000, `${answerMemory.mostBytes} bytes`)
    const some = await search(store, 'per_page=20')
    assert.equal(some.statusCode, 200)
    await until('all memory is returned', allGiven, PATIENCE)
  })

  test('other large responses count when they are sent', async () => {
    answerMemory.mostBytes = 0
    const url = '/api/v1/stores/huge/documents/h0'
    const headers = { 'x-storeid': 'huge', ...(await keysOf('huge')) }
    const answer = await app.call({ url, headers })
    assert.equal(answer.statusCode, 200)
    assert.ok(answerMemory.mostBytes > 900_000, `${answerMemory.mostBytes} bytes`)
    await until('all memory is returned', allGiven, PATIENCE)
  })
})

async function keysOf(id: string): Promise<Record<string, string>> {
  return await app.logIn(`owner-of-${id}`, 'owner')
}

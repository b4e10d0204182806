import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { get, type IncomingMessage } from 'node:http'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { createTestApp, fillStore, type TestStore } from './test-app.ts'

/** Several requests must fit into it, beside other work. */
const STREAM_MS = 4_000
const testApp = await createTestApp({ patience: { streamMs: STREAM_MS } })
after(() => testApp[Symbol.asyncDispose]())
const [shop, neighbour] = [await testApp.createStore('shop'), await testApp.createStore('other')]
await fillStore(testApp, shop)
await testApp.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = testApp.app.server.address() as AddressInfo

function tail({ id, write }: TestStore): Promise<IncomingMessage> {
  const path = `/api/v1/stores/${id}/analytics/events/tail`
  return new Promise((resolve, reject) => {
    get({ port, path, headers: write, agent: false }, resolve).on('error', reject)
  })
}

suite('streams of a store', () => {
  test('are two live tails at most, and others have theirs; they end automatically', async () => {
    const [first, second] = [await tail(shop), await tail(shop)]
    const third = await tail(shop)
    assert.deepEqual([first.statusCode, second.statusCode, third.statusCode], [200, 200, 429])
    assert.equal(third.headers['retry-after'], '5')
    assert.match(String(await third.toArray()), /already has 2 live tails/)
    const others = await tail(neighbour)
    assert.equal(others.statusCode, 200)
    first.destroy()
    const again = await until('a place for a live tail', async () => {
      const answer = await tail(shop)
      return answer.statusCode === 200 ? answer : void answer.resume()
    })
    await Promise.all([second.toArray(), again.toArray(), others.toArray()])
    assert.equal((await tail(shop)).statusCode, 200)
  })

  test('an export that is over, or was refused, gives its place back', async () => {
    const path = '/api/v1/stores/shop/documents'
    for (let i = 0; i < 4; i++) {
      assert.equal((await testApp.call({ url: path, headers: shop.write })).statusCode, 200)
      const refused = await testApp.call({ url: `${path}?filter_by=none:=1`, headers: shop.write })
      assert.equal(refused.statusCode, 400)
    }
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createTestApp, fillStore } from './test-app.ts'

// Anybody may send these requests: they have limits, and wait for their turn like those of a store.

suite('routes without a key', () => {
  test('take from a bucket of the address, whatever is asked', async () => {
    await using app = await createTestApp({ pageRateLimitPerSecond: 3, rateLimitPerSecond: 10 })
    const store = await app.createStore('shop')
    app.time.nowMs += 10_000
    const urls = [
      '/openapi.json',
      '/nowhere',
      '/docs',
      '/openapi.json?1',
      '/v1/nowhere',
      '/a/b/c/d',
    ]
    for (const url of urls) {
      const answer = await app.call({ url })
      assert.notEqual(answer.statusCode, 429, url)
      assert.equal(answer.headers['ratelimit-policy'], '"default";q=6;w=2')
    }
    for (const url of urls) {
      const refused = await app.call({ url })
      assert.deepEqual([refused.statusCode, refused.json().code], [429, 'rate_limited'], url)
      assert.equal(refused.headers['retry-after'], '1')
    }
    const search = await app.call({ url: '/v1/search?q=*', headers: store.read })
    assert.equal(search.statusCode, 200, 'a store has its own bucket')
    const event = await app.app.inject({ method: 'POST', url: '/v1/b', body: {} })
    assert.equal(event.statusCode, 400, 'and so have events')
    assert.equal((await app.call({ url: '/metrics' })).statusCode, 200, 'and monitoring')
    app.time.nowMs += 1_000
    assert.equal((await app.call({ url: '/nowhere' })).statusCode, 404)
  })

  test('a client that sends too many is refused after a pause, one with a key at once', async () => {
    const refusalPauseMs = 300
    await using app = await createTestApp({ rateLimitPerSecond: 1, patience: { refusalPauseMs } })
    const store = await app.createStore('shop')
    app.time.nowMs += 10_000
    const wrong = { ...store.read, 'x-storesecret': 'wrong' }
    const search = { url: '/v1/search?q=*' }
    for (const [request, isPausing] of [
      [{ url: '/nowhere' }, true],
      [{ ...search, headers: wrong }, true],
      [{ ...search, headers: store.read }, false],
    ] as const) {
      for (let i = 0; i < 2; i++) assert.notEqual((await app.call(request)).statusCode, 429)
      const startMs = performance.now()
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.call(request)))
      for (const { statusCode } of answers) assert.equal(statusCode, 429)
      // Timers may be a little early.
      if (isPausing) assert.ok(performance.now() - startMs > refusalPauseMs - 5)
    }
  })

  test('health checks are never refused; far too many are answered late', async () => {
    const refusalPauseMs = 100
    await using app = await createTestApp({ rateLimitPerSecond: 5, patience: { refusalPauseMs } })
    const probes = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, i) => app.call({ url: i % 2 ? '/livez' : '/health' })),
      )
    // The address has used up what it may ask without a key.
    for (let i = 0; i < 10; i++) await app.call({ url: '/nowhere' })
    for (const { statusCode } of await probes(10)) assert.equal(statusCode, 200)
    const startMs = performance.now()
    for (const { statusCode } of await probes(10)) assert.equal(statusCode, 200)
    // Timers may be a little early.
    assert.ok(performance.now() - startMs > refusalPauseMs - 5)
  })

  test('metrics are limited too', async () => {
    await using app = await createTestApp({ pageRateLimitPerSecond: 1 })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await app.call({ url: '/metrics' })).statusCode)
    assert.deepEqual(statuses, [200, 200, 429, 429])
  })

  test('wait in one queue: a flood of them is refused, a store is served', async () => {
    await using app = await createTestApp()
    const store = await app.createStore('neighbour')
    await fillStore(app, store)
    const search = () => app.app.inject({ url: '/v1/search?q=shoe', headers: store.read })
    const [floods, searches, probe, metrics, preflight] = await Promise.all([
      Promise.all(
        // 3,000 is more than may wait.
        Array.from({ length: 3_000 }, (_, i) => app.app.inject({ url: `/nowhere/${i % 7}` })),
      ),
      Promise.all(Array.from({ length: 5 }, search)),
      app.call({ url: '/livez' }),
      app.call({ url: '/metrics' }),
      app.app.inject({
        method: 'OPTIONS',
        url: '/v1/search',
        headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
      }),
    ])
    const count = (status: number) => floods.filter((one) => one.statusCode === status).length
    assert.equal(count(404) + count(503), 3_000)
    assert.ok(count(503) > 0 && count(404) > 0, `${count(503)} refused`)
    for (const answer of [...searches, probe, metrics]) assert.equal(answer.statusCode, 200)
    assert.equal(preflight.statusCode, 403, 'answered: no store lists the origin')
  })

  test('the description of the API is compressed once, and asked for again only when it changed', async () => {
    await using app = await createTestApp()
    const plain = await app.call({ url: '/openapi.json' })
    const headers = { 'accept-encoding': 'gzip, deflate, br' }
    const zipped = await app.app.inject({ url: '/openapi.json', headers })
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(zipped.rawPayload).toString(), plain.body)
    const etag = String(zipped.headers['etag'])
    const again = await app.call({ url: '/openapi.json', headers: { 'if-none-match': etag } })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { ApiError } from '@aisle/contract'
import { until } from '@aisle/testing'
import { pino } from 'pino'
import { ADMIN_TOKEN, createTestApp, type TestRequest, type TestStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp
const store = await testApp.createStore('errors')

suite('errors', () => {
  test('an unknown path is 404, with the error shape', async () => {
    for (const url of ['/', '/v1', '/v1/searches', '/v1/search/', '/api/v1/stores', '/V1/SEARCH']) {
      const answer = await call({ url })
      assert.deepEqual([answer.statusCode, answer.json().code], [404, 'route_not_found'], url)
    }
  })

  const wrongMethods = [
    ['PUT', '/v1/search', 'GET, HEAD, POST'],
    ['GET', '/v1/multi-search', 'POST'],
    ['OPTIONS', '/v1/search', 'GET, HEAD, POST'],
    ['PUT', '/api/v1/stores/errors/documents', 'DELETE, GET, PATCH, POST'],
    ['POST', '/api/v1/stores/errors/documents/1', 'DELETE, GET, HEAD'],
    ['DELETE', '/health', 'GET, HEAD'],
  ] as const
  for (const [method, url, allow] of wrongMethods) {
    test(`${method} ${url} is 405 with Allow: ${allow}`, async () => {
      const answer = await call({ method, url })
      assert.deepEqual([answer.statusCode, answer.json().code], [405, 'method_not_allowed'])
      assert.equal(answer.headers.allow, allow)
    })
  }

  test('a path that is not well-formed is 400', async () => {
    const answer = await call({ url: '/api/v1/stores/errors/documents/%zz', headers: store.read })
    assert.deepEqual([answer.statusCode, answer.json().code], [400, 'malformed_request'])
  })

  test('413 names the limit', async () => {
    const filler = 'x'.repeat(1_000_001)
    for (const [url, headers, limit] of [
      ['/v1/search', store.read, '1000000'],
      ['/analytics/event', store.read, '524288'],
      ['/api/v1/stores/errors/documents', store.write, '1000000'],
      ['/v1/b', {}, '524288'],
    ] as const) {
      const answer = await testApp.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers },
        payload: JSON.stringify({ q: filler }),
      })
      const { error, details } = answer.json()
      assert.equal(answer.statusCode, 413)
      assert.match(error, new RegExp(`at most ${limit} bytes`), url)
      if (url !== '/v1/b') assert.match(details[0].message, new RegExp(limit))
    }
  })

  test('an id in a path is only ever an id', async () => {
    for (const id of [
      '..%2f..%2fetc%2fpasswd',
      '%00',
      '.',
      '%2e%2e',
      '%F0%9F%98%80',
      '__proto__',
      'x'.repeat(1_500),
    ]) {
      const answer = await call({
        url: `/api/v1/stores/errors/documents/${id}`,
        headers: store.read,
      })
      assert.equal(answer.statusCode, 404, id)
    }
  })

  test('a well-formed request id is kept, any other is replaced', async () => {
    const ask = async (id: string) =>
      (await call({ url: '/livez', headers: { 'x-request-id': id } })).headers['x-request-id']
    for (const id of ['a', 'A.b_c-9', 'x'.repeat(128)]) assert.equal(await ask(id), id)
    for (const id of ['', 'a b', 'x'.repeat(129), 'é', '<script>']) {
      assert.match(String(await ask(id)), /^[0-9a-f-]{36}$/)
    }
  })

  test('what is not expected is 500 without its cause', async () => {
    const health = () => {
      throw new TypeError("a detail that is nobody's business")
    }
    await using broken = await createTestApp({}, { health })
    const answer = await broken.call({ url: '/health' })
    assert.deepEqual([answer.statusCode, answer.json().code], [500, 'internal'])
    assert.doesNotMatch(answer.body, /business/)
  })

  test('the log says why the service failed, without the words of its cause', async () => {
    const cause = Object.assign(new Error('what somebody typed'), { code: 'busy 429 full' })
    const health = () => {
      throw new ApiError('unavailable', 'The cluster failed', { cause })
    }
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    await using broken = await createTestApp({ logger }, { health })
    const answer = await broken.app.inject({ url: '/health' })
    assert.equal(answer.statusCode, 503)
    assert.doesNotMatch(answer.body, /busy 429/)
    await until('its line', () => lines.some((line) => line.includes('"cause":"busy 429 full"')))
    assert.doesNotMatch(lines.join(''), /somebody typed/)
  })

  test('a service that is ready names in /health what still starts', async () => {
    let starting = ['suggestions', 'reports']
    await using ready = await createTestApp({}, { health: () => ({ ok: true, starting }) })
    const answer = await ready.call({ url: '/health' })
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(answer.json(), { status: 'ok', starting })
    starting = []
    assert.deepEqual((await ready.call({ url: '/health' })).json(), { status: 'ok' })
  })

  test('before every store is searchable /health is 503', async () => {
    const health = () => ({ ok: false, starting: ['store outdoor'] })
    await using starting = await createTestApp({}, { health })
    const answer = await starting.call({ url: '/health' })
    assert.equal(answer.statusCode, 503)
    assert.deepEqual(answer.json(), { status: 'starting', starting: ['store outdoor'] })
    assert.equal((await starting.call({ url: '/livez' })).statusCode, 200)
  })
})

suite('open routes', () => {
  test('/health, /livez, /openapi.json and /metrics need no key', async () => {
    assert.deepEqual((await call({ url: '/health' })).json(), { status: 'ok' })
    assert.deepEqual((await call({ url: '/livez' })).json(), { status: 'ok' })
    assert.equal((await call({ url: '/openapi.json' })).json().openapi, '3.1.0')
    await call({ url: '/v1/search?q=*', headers: store.read })
    const metrics = (await call({ url: '/metrics' })).body
    for (const line of [
      /^aisle_http_server_request_duration_seconds_count\{method="GET",route="\/v1\/search",status="200"\} 1$/m,
      /^aisle_search_requests_total\{store="all",kind="search",cached="false"\} 1$/m,
      /^aisle_search_zero_results_total 1$/m,
      /^aisle_index_documents\{store="all"\} 0$/m,
      /^aisle_build_info\{version="0\.0\.0",node="v26[^"]*"\} 1$/m,
    ]) {
      assert.match(metrics, line)
    }
    assert.doesNotMatch(metrics, /^(?!#|aisle_)./m, 'a name that is not ours')
    assert.doesNotMatch(metrics, new RegExp(store.readSecret))
  })
})

suite('rate limit', () => {
  test('a client that is too fast gets 429 and when to come back', async () => {
    await using limited = await createTestApp({ rateLimitPerSecond: 1 })
    const one = await limited.createStore('one')
    const two = await limited.createStore('two')
    const ask = (of: typeof one) => limited.call({ url: '/v1/search?q=*', headers: of.read })
    const first = await ask(one)
    assert.equal(first.headers['ratelimit-policy'], '"default";q=2;w=2')
    assert.equal(first.headers['ratelimit'], '"default";r=1;t=1')
    assert.equal((await ask(one)).statusCode, 200)
    const refused = await ask(one)
    assert.deepEqual([refused.statusCode, refused.json().code], [429, 'rate_limited'])
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal((await ask(two)).statusCode, 200, 'another store is another bucket')
    for (let i = 0; i < 5; i++)
      assert.equal((await limited.call({ url: '/livez' })).statusCode, 200)
    limited.time.nowMs += 1_000
    assert.equal((await ask(one)).statusCode, 200)
  })

  test('guesses are limited by address, whatever names of stores they come with', async () => {
    await using limited = await createTestApp({ rateLimitPerSecond: 10 })
    const stores: TestStore[] = []
    for (let i = 0; i < 10; i++) {
      stores.push(await limited.createStore(`known${i}`))
      limited.time.nowMs += 1_000
    }
    const statusesOf = async (request: (i: number) => TestRequest) => {
      limited.time.nowMs += 10_000
      const counts: Record<number, number> = {}
      for (let i = 0; i < 300; i++) {
        const { statusCode } = await limited.call(request(i))
        counts[statusCode] = (counts[statusCode] ?? 0) + 1
      }
      return counts
    }
    const burst = { 401: 20, 429: 280 }
    const asAdmin = await statusesOf((i) => ({
      url: '/api/v1/admin/stores',
      headers: { authorization: `Bearer guess${i}`, 'x-storeid': `made-up-${i}` },
    }))
    assert.deepEqual(
      asAdmin,
      { 401: 10, 429: 290 },
      'wrong admin tokens under names that nobody has',
    )
    const ofStores = await statusesOf((i) => ({
      url: '/v1/search?q=*',
      headers: { 'x-storeid': stores[i % stores.length]!.id, 'x-storesecret': `guess${i}` },
    }))
    assert.deepEqual(ofStores, burst, 'wrong secrets under the names of stores')
    const unknown = await statusesOf((i) => ({
      url: '/v1/search?q=*',
      headers: { 'x-storeid': `made-up-${i}`, 'x-storesecret': 'guess' },
    }))
    assert.deepEqual(unknown, burst, 'stores that nobody has')
    // They do not use up what the address may ask of a store that it has a key for.
    const right = { url: '/v1/search?q=*', headers: stores[0]!.read }
    for (let left = 19; left >= 0; left--) {
      const answer = await limited.call(right)
      assert.equal(answer.statusCode, 200)
      assert.match(String(answer.headers['ratelimit']), RegExp(`;r=${left};`))
    }
    assert.equal((await limited.call(right)).statusCode, 429)
    const wrong = { ...right, headers: { ...stores[0]!.read, 'x-storesecret': 'guess' } }
    assert.equal((await limited.call(wrong)).statusCode, 429, 'nor does a right one help guesses')
    limited.time.nowMs += 10_000
    const events = []
    for (let i = 0; i < 30; i++) {
      const headers = { 'x-storeid': stores[i % stores.length]!.id }
      const answer = await limited.app.inject({ method: 'POST', url: '/v1/b', headers, body: {} })
      events.push(answer.statusCode)
    }
    assert.equal(events.filter((status) => status === 400).length, 20, 'nobody reads it of events')
  })

  test('a network of IPv6 is one address', async () => {
    await using limited = await createTestApp({ rateLimitPerSecond: 1, trustProxy: true })
    const one = await limited.createStore('one')
    const ask = async (address: string) => {
      const headers = { ...one.read, 'x-forwarded-for': address }
      return (await limited.call({ url: '/v1/search?q=*', headers })).statusCode
    }
    assert.deepEqual(
      [await ask('2001:db8::1'), await ask('2001:db8::2'), await ask('2001:db8::3')],
      [200, 200, 429],
    )
    assert.equal(await ask('2001:db8:0:1::1'), 200)
  })
})

suite('log', () => {
  test('has one line per request, without secrets and without what was searched for', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
    await using logged = await createTestApp({ logger })
    const one = await logged.createStore('logged')
    await logged.call({ url: '/v1/search?q=confidential', headers: one.read })
    await logged.call({ url: '/v1/search?q=confidential&per_page=x', headers: one.write })
    await logged.call({ url: '/confidential' })
    assert.equal(lines.length, 4)
    const { method, route, status, storeId, tookMs } = JSON.parse(lines[1]!)
    assert.deepEqual([method, route, status, storeId], ['GET', '/v1/search', 200, 'logged'])
    assert.ok(tookMs >= 0)
    for (const secret of [one.readSecret, one.writeSecret, 'confidential', ADMIN_TOKEN]) {
      assert.ok(!lines.join('').includes(secret), secret)
    }
  })
})

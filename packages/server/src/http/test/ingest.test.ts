import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { EVENT_BATCH_MAX_BYTES, EVENT_MAX_BYTES } from '@aisle/contract'
import { ADMIN_TOKEN, createTestApp } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { app, call, time } = testApp
const store = await testApp.createStore('shop')
const other = await testApp.createStore('other')
const keyOf = async (headers: Record<string, string>): Promise<string> =>
  (await call({ url: '/api/v3/account/analytics/writekey', headers })).json().writeKey as string
const writeKey = await keyOf(store.write)
const otherKey = await keyOf(other.write)

let count = 0
const now = (): string => new Date(time.nowMs).toISOString()
function click(more: object = {}): Record<string, unknown> {
  return {
    type: 'track',
    event: 'Object Clicked',
    anonymousId: 'a-1',
    messageId: `m-${++count}`,
    timestamp: now(),
    properties: { search_id: 's', object_id: '1', position: 1 },
    ...more,
  }
}

interface Sent {
  readonly url?: string
  readonly headers?: Record<string, string>
}
const send = async (body: unknown, { url = '/v1/b', headers = {} }: Sent = {}) =>
  await app.inject({
    method: 'POST',
    url,
    headers,
    payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
const envelope = (...batch: unknown[]): Record<string, unknown> => ({
  writeKey,
  batch,
  sentAt: now(),
})
const messageIds = async (): Promise<string[]> =>
  (await testApp.eventsOf('shop')).map(({ messageId }) => messageId)

suite('POST /v1/b', () => {
  test('takes a batch and says how many events are ok', async () => {
    const [one, two] = [click(), click({ userId: 'u', anonymousId: undefined })]
    const answer = await send(envelope(one, two))
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(answer.json(), { ok: true, okEvents: 2, receivedEvents: 2 })
    assert.deepEqual((await messageIds()).slice(-2), [one['messageId'], two['messageId']])
  })

  test('corrects the drift of the client’s clock', async () => {
    const hourAhead = (ms: number): string => new Date(time.nowMs + 3_600_000 + ms).toISOString()
    const event = click({ timestamp: hourAhead(-10_000) })
    await send({ ...envelope(event), sentAt: hourAhead(0) })
    assert.equal(
      ((await testApp.eventsOf('shop')).at(-1) as { atMs: number }).atMs,
      time.nowMs - 10_000,
    )
  })

  test('a future time becomes the time of receipt, an ancient one is not ok', async () => {
    const at = (days: number): string => new Date(time.nowMs + days * 86_400_000).toISOString()
    const answer = await send(envelope(click({ timestamp: at(3) }), click({ timestamp: at(-401) })))
    assert.deepEqual(answer.json(), { ok: false, okEvents: 1, receivedEvents: 2 })
    assert.equal(((await testApp.eventsOf('shop')).at(-1) as { atMs: number }).atMs, time.nowMs)
  })

  test('a message id counts once in its store, and again in another', async () => {
    const event = click()
    const before = (await messageIds()).length
    for (let i = 0; i < 3; i++) {
      assert.equal((await send(envelope(event, event))).json().okEvents, 2)
    }
    assert.equal((await messageIds()).length, before + 1)
    await send({ writeKey: otherKey, batch: [event], sentAt: now() })
    assert.equal((await testApp.eventsOf('other')).length, 1)
  })

  test('unknown names and other types are ok and not stored; identify is', async () => {
    const before = (await messageIds()).length
    const answer = await send(
      envelope(
        click({ event: 'Object Adored' }),
        click({ type: 'page', event: undefined, properties: undefined, timestamp: undefined }),
        click({ type: 'identify', event: undefined, userId: 'u-7', traits: {} }),
      ),
    )
    assert.deepEqual(answer.json(), { ok: true, okEvents: 3, receivedEvents: 3 })
    assert.equal((await messageIds()).length, before + 1)
    const link = (await testApp.eventsOf('shop')).at(-1)
    assert.ok(link?.kind === 'identify')
    assert.deepEqual([link.visitor.userId, link.visitor.anonymousId], ['u-7', 'a-1'])
  })

  let deep: unknown = 1
  for (let i = 0; i < 40; i++) deep = { deep }
  const bad: Record<string, unknown> = {
    null: null,
    'a number': 7,
    'an array': [],
    'no type': click({ type: undefined }),
    'type not a text': click({ type: 5 }),
    'no event name': click({ event: undefined }),
    'event name not a text': click({ event: {} }),
    'no message id': click({ messageId: undefined }),
    'empty message id': click({ messageId: '' }),
    'long message id': click({ messageId: 'x'.repeat(257) }),
    'no visitor': click({ anonymousId: undefined }),
    'anonymousId not a text': click({ anonymousId: { a: 1 } }),
    'no timestamp': click({ timestamp: undefined }),
    'timestamp not ISO': click({ timestamp: 'yesterday' }),
    'timestamp a number': click({ timestamp: 1_700_000_000 }),
    'no such day': click({ timestamp: '2025-02-30T00:00:00Z' }),
    'no properties': click({ properties: undefined }),
    'properties a list': click({ properties: [1] }),
    'another store’s key': click({ writeKey: otherKey }),
    'an unknown key': click({ writeKey: 'nobody' }),
    'too deep': click({ properties: { deep } }),
    'too large': click({ properties: { text: 'x'.repeat(EVENT_MAX_BYTES) } }),
    'a lone surrogate': click({ properties: { text: '\ud800' } }),
  }
  for (const [what, event] of Object.entries(bad)) {
    test(`a bad event costs only itself: ${what}`, async () => {
      const good = click({ writeKey })
      const before = (await messageIds()).length
      const answer = await send(envelope(event, good))
      assert.equal(answer.statusCode, 200, answer.body)
      assert.deepEqual(answer.json(), { ok: false, okEvents: 1, receivedEvents: 2 })
      assert.deepEqual((await messageIds()).slice(before), [good['messageId']])
    })
  }

  const envelopes: Record<string, unknown> = {
    'no JSON': '{"writeKey":',
    empty: '',
    'not UTF-8': Buffer.from([0x22, 0xff, 0x22]),
    'a list': [],
    'no batch': { writeKey, sentAt: now() },
    'batch an object': { writeKey, batch: {}, sentAt: now() },
    'empty batch': { writeKey, batch: [], sentAt: now() },
    'no sentAt': { writeKey, batch: [click()] },
    'sentAt wrong': { writeKey, batch: [click()], sentAt: 'now' },
    'no key': { batch: [click()], sentAt: now() },
    'key not a text': { writeKey: 5, batch: [click()], sentAt: now() },
    'unknown key': { writeKey: 'nobody', batch: [click()], sentAt: now() },
    'a read secret as key': { writeKey: store.readSecret, batch: [click()], sentAt: now() },
  }
  for (const [what, body] of Object.entries(envelopes)) {
    test(`a bad envelope is 400 with an error text alone: ${what}`, async () => {
      const answer = await send(body)
      assert.equal(answer.statusCode, 400)
      assert.deepEqual(Object.keys(answer.json()), ['error'])
      assert.equal(typeof answer.json().error, 'string')
      assert.equal(answer.headers['access-control-allow-origin'], '*')
    })
  }

  test('the key is looked for in the first event, as a user name, in the URL', async () => {
    const batch = [click()]
    const basic = (key: string): Sent => ({
      headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    })
    for (const [body, sent] of [
      [{ batch: [click({ writeKey })], sentAt: now() }, {}],
      [{ batch, sentAt: now() }, basic(writeKey)],
      [{ batch, sentAt: now() }, { url: `/v1/b?writeKey=${writeKey}` }],
      [envelope(click()), basic('somebody else')],
      [envelope(click()), { headers: { authorization: 'Bearer whatever' } }],
    ] as const) {
      assert.equal((await send(body, sent)).statusCode, 200)
    }
  })

  test('a rotated key works as long as its grace', async () => {
    const rotated = await call({
      method: 'POST',
      url: '/api/v1/admin/stores/other/keys/events/rotate',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      body: { grace_seconds: 60 },
    })
    const { secret } = rotated.json()
    assert.equal(await keyOf(other.write), secret)
    const body = (key: string): object => ({
      writeKey: key,
      batch: [click({ writeKey: otherKey })],
      sentAt: now(),
    })
    assert.equal((await send(body(otherKey))).json().okEvents, 1)
    assert.equal((await send(body(secret))).json().okEvents, 1)
    time.nowMs += 61_000
    assert.equal((await send(body(otherKey))).statusCode, 400)
    assert.equal((await send(body(secret))).json().okEvents, 0)
    time.nowMs -= 61_000
  })

  test('JSON is taken whatever the content-type, gzip too', async () => {
    const json = (): string => JSON.stringify(envelope(click()))
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense', '']) {
      const answer = await send(json(), { headers: { 'content-type': type } })
      assert.equal(answer.statusCode, 200, type)
      const zipped = await send(gzipSync(json()), {
        headers: { 'content-type': type, 'content-encoding': 'gzip' },
      })
      assert.equal(zipped.statusCode, 200, type)
    }
  })

  test('size is bounded, before and after inflating', async () => {
    const large = Buffer.alloc(EVENT_BATCH_MAX_BYTES + 1, ' ')
    assert.equal((await send(large)).statusCode, 413)
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
    const answer = await send(bomb, { headers: { 'content-encoding': 'gzip' } })
    assert.equal(answer.statusCode, 413)
    assert.deepEqual(Object.keys(answer.json()), ['error'])
    const repeated = (length: number) => gzipSync(JSON.stringify({ filler: 'abc '.repeat(length) }))
    const unfair = await send(repeated(100_000), { headers: { 'content-encoding': 'gzip' } })
    assert.deepEqual([unfair.statusCode, /more than 20 times/.test(unfair.body)], [413, true])
    const small = await send(repeated(10_000), { headers: { 'content-encoding': 'gzip' } })
    assert.equal(small.statusCode, 400, 'it is read, and is not a batch')
    const broken = await send('not gzip', { headers: { 'content-encoding': 'gzip' } })
    assert.equal(broken.statusCode, 400)
    const brotli = await send('x', { headers: { 'content-encoding': 'br' } })
    assert.equal(brotli.statusCode, 415)
  })

  test('preflights are answered there and nowhere else', async () => {
    const preflight = {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-retry-count',
    }
    const answer = await app.inject({ method: 'OPTIONS', url: '/v1/b', headers: preflight })
    assert.equal(answer.statusCode, 204)
    assert.equal(answer.headers['access-control-allow-origin'], 'https://shop.example')
    assert.equal(answer.headers['access-control-allow-credentials'], 'true')
    assert.equal(answer.headers['access-control-allow-headers'], 'authorization,x-retry-count')
    assert.equal(answer.headers['vary'], 'Origin, Access-Control-Request-Headers')
    for (const [url, status] of [
      ['/v1/search', 403],
      ['/analytics/event', 403],
      ['/health', 405],
    ] as const) {
      const refused = await app.inject({ method: 'OPTIONS', url, headers: preflight })
      assert.equal(refused.statusCode, status, url)
      assert.equal(refused.headers['access-control-allow-origin'], undefined)
    }
  })

  test('answers name the origin that asked, for requests with credentials', async () => {
    for (const [origin, allowed, credentials] of [
      ['https://shop.example', 'https://shop.example', 'true'],
      ['null', 'null', 'true'],
      [undefined, '*', undefined],
    ] as const) {
      const answer = await send(
        envelope(click()),
        origin === undefined ? {} : { headers: { origin } },
      )
      assert.equal(answer.headers['access-control-allow-origin'], allowed)
      assert.equal(answer.headers['access-control-allow-credentials'], credentials)
      assert.equal(answer.headers['vary'], 'Origin')
    }
    const elsewhere = await app.inject({
      method: 'POST',
      url: '/analytics/event',
      headers: { origin: 'https://shop.example' },
    })
    assert.equal(elsewhere.headers['access-control-allow-origin'], undefined)
    assert.equal(elsewhere.headers['access-control-allow-credentials'], undefined)
  })

  test('a compressed body to a path that does not exist is 404', async () => {
    for (const url of ['/v1/batch', '/nowhere']) {
      const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' }
      const answer = await send(gzipSync('{}'), { url, headers })
      assert.deepEqual([answer.statusCode, answer.json().code], [404, 'route_not_found'])
    }
  })

  test('an overloaded log is 503 with both headers that say when to come again', async () => {
    const { ApiError } = await import('@aisle/contract')
    const events = {
      ...testApp.events,
      append: () => Promise.reject(new ApiError('unavailable', 'x', { retryAfterSeconds: 1 })),
    }
    await using busy = await createTestApp({}, { events })
    const shop = await busy.createStore('busy')
    const key = await busy.call({ url: '/api/v3/account/analytics/writekey', headers: shop.write })
    const answer = await busy.app.inject({
      method: 'POST',
      url: '/v1/b',
      payload: { ...envelope(click()), writeKey: key.json().writeKey },
    })
    assert.equal(answer.statusCode, 503)
    assert.deepEqual(
      [answer.headers['retry-after'], answer.headers['x-ratelimit-reset']],
      ['1', '1'],
    )
  })

  test('alias paths exist when they are asked for', async () => {
    assert.equal((await send(envelope(click()), { url: '/v1/batch' })).statusCode, 404)
    await using open = await createTestApp({ ingestAliases: true })
    const shop = await open.createStore('alias')
    const key = (
      await open.call({ url: '/api/v3/account/analytics/writekey', headers: shop.write })
    ).json().writeKey as string
    const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
    const post = (url: string, body: object) =>
      open.app.inject({ method: 'POST', url, headers: { authorization }, payload: body })
    const { timestamp, ...rudder } = click({ originalTimestamp: now() })
    assert.ok(timestamp)
    for (const [url, body] of [
      ['/v1/batch', { batch: [click()] }],
      ['/v1/batch', { batch: [click()], sentAt: null }],
      ['/v1/track', rudder],
      ['/v1/t', click({ type: undefined })],
      ['/beacon/v1/batch', { batch: [click()], sentAt: now() }],
    ] as const) {
      const answer = await post(url, body)
      assert.deepEqual(answer.json(), { ok: true, okEvents: 1, receivedEvents: 1 }, url)
    }
    const wrong = await post('/v1/batch', { batch: [click()], sentAt: 'now' })
    assert.equal(wrong.statusCode, 400)
    assert.equal((await post('/v1/b', { batch: [click()] })).statusCode, 400)

    // Without the time of sending, the client's clock is trusted.
    const at = open.time.nowMs - 90_000
    await post('/v1/t', click({ timestamp: new Date(at).toISOString() }))
    const last = (await open.eventsOf('alias')).at(-1)
    assert.equal((last as { atMs: number }).atMs, at)

    // Jitsu's client sends a key of two parts in a header, and only a masked one in the body.
    for (const url of ['/api/s/track', '/api/s/s2s/track']) {
      const jitsu = (key: string | undefined) =>
        open.app.inject({
          method: 'POST',
          url,
          headers: key === undefined ? {} : { 'x-write-key': key },
          payload: click({ sentAt: now(), writeKey: `${key}:***` }),
        })
      for (const secret of ['', ':', ':shop']) {
        assert.equal((await jitsu(`${key}${secret}`)).json().okEvents, 1)
      }
      assert.equal((await jitsu('nobody:shop')).statusCode, 400)
      assert.equal((await jitsu(undefined)).statusCode, 400)
    }
  })
})

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { makeScopedToken } from '@aisle/client'
import type { TokenScope } from '@aisle/contract'
import { FIELDS, HIDDEN, SEEN } from './scoped-requests.ts'
import { ADMIN_TOKEN, createTestApp, type TestRequest } from './test-app.ts'

// Goal: a route enforces all that a scoped token says, or the token does not open it. Method: every
// route that accepts tokens, with a preset; events about documents that the token sees, or not.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { app, call, time } = testApp
const store = await testApp.createStore('shop')

let signingSecret = ''
const headersWith = async (changes: Partial<TokenScope> = {}) => ({
  'x-storeid': 'shop',
  'x-storesecret': await makeScopedToken(signingSecret, {
    expires_at: Math.floor(time.nowMs / 1_000) + 3_600,
    filter_by: 'tenant:=amber',
    ...changes,
  }),
})
const asked = async (request: TestRequest) => {
  const answer = await call(request)
  return { status: answer.statusCode, body: answer.json() }
}

before(async () => {
  const write = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const url = `/api/v1/stores/shop/${path}`
    const answer = await call({ method, url, headers: store.write, body })
    assert.ok(answer.statusCode < 300, answer.body)
  }
  await write('POST', 'schema', { fields: FIELDS })
  await write('POST', 'documents/bulk', { documents: [...SEEN, ...HIDDEN] })
  await write('PUT', 'presets/narrow', { value: { per_page: 1 } })
  const rotated = await call({
    method: 'POST',
    url: '/api/v1/admin/stores/shop/keys/signing/rotate',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    body: { grace_seconds: 0 },
  })
  signingSecret = rotated.json().secret
})

suite('a scoped token', () => {
  test('with a preset opens the routes that the preset binds, and no other', async () => {
    const headers = await headersWith({ preset_name: 'narrow' })
    const open: string[] = []
    for (const { method, url, config } of app.routeTable) {
      if (config?.scoped === undefined) continue
      const verb = String(method) as NonNullable<TestRequest['method']>
      const isReading = verb === 'GET' || verb === 'HEAD'
      const body = url === '/v1/multi-search' ? { queries: [{ q: 'tent' }] } : { q: 'tent' }
      const sent = isReading ? { url: `${url}?q=tent` } : { url, body }
      const answer = await call({ method: verb, headers, ...sent })
      if (answer.statusCode === 200) open.push(`${verb} ${url}`)
      else assert.equal(answer.statusCode, 403, `${verb} ${url}`)
    }
    assert.deepEqual(new Set(open), new Set(BOUND))
  })

  test('sends events about documents that it sees; others are answered and dropped', async () => {
    const headers = { ...(await headersWith()), 'x-anon-id': 'stranger' }
    const eventsBefore = (await testApp.eventsOf('shop')).length
    const send = (events: object[]) =>
      asked({ method: 'POST', url: '/analytics/batch', headers, body: { events } })
    const click = (id: string) => ({
      event_type: 'click',
      data: { query: 'tent', document_id: id, position: 1 },
    })
    const sale = (data: object) => ({
      event_type: 'conversion',
      data: { revenue: 5, currency: 'EUR', order_id: 'o1', ...data },
    })
    const { status, body } = await send([
      click('seen-1'),
      click('hidden-1'),
      click('nowhere'),
      sale({ document_id: 'hidden-2' }),
      sale({ products: [{ object_id: 'seen-1' }, { object_id: 'hidden-3' }] }),
      sale({ object_ids: ['hidden-1'] }),
      sale({ document_id: 'seen-2' }),
      { event_type: 'search', data: { query: 'tent' } },
    ])
    assert.deepEqual([status, body.accepted, body.rejected], [200, 8, 0])
    const one = await asked({
      method: 'POST',
      url: '/analytics/event',
      headers,
      body: click('hidden-1'),
    })
    assert.deepEqual([one.status, one.body.status], [200, 'accepted'])
    const stored = (await testApp.eventsOf('shop')).slice(eventsBefore)
    assert.deepEqual(
      stored.map(
        (entry) => entry.kind === 'event' && [entry.name, entry.properties['document_id']],
      ),
      [
        ['click', 'seen-1'],
        ['conversion', 'seen-2'],
        ['search', undefined],
      ],
    )
    const dropped = (await testApp.stored('shop')).flatMap((entry) =>
      entry.kind === 'tally' ? entry.counts : [],
    )
    const named = (name: string) =>
      dropped
        .filter((one_) => one_.name === name && one_.verdict === 'dropped_unknown')
        .reduce((sum, { count }) => sum + count, 0)
    assert.deepEqual([named('click'), named('conversion')], [3, 3])
  })

  test('whose filter takes too long sends no events, and recommends nothing', async () => {
    await using hurried = await createTestApp({ searchTimeoutMaxMs: -1 })
    const { write } = await hurried.createStore('shop')
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }
    for (const [path, body] of [
      ['schema', { fields: FIELDS }],
      ['documents/bulk', { documents: SEEN }],
    ] as const) {
      const url = `/api/v1/stores/shop/${path}`
      assert.ok(
        (await hurried.call({ method: 'POST', url, headers: write, body })).statusCode < 300,
      )
    }
    const rotated = await hurried.call({
      method: 'POST',
      url: '/api/v1/admin/stores/shop/keys/signing/rotate',
      headers: admin,
      body: { grace_seconds: 0 },
    })
    const headers = {
      'x-storeid': 'shop',
      'x-storesecret': await makeScopedToken(rotated.json().secret, {
        expires_at: Math.floor(hurried.time.nowMs / 1_000) + 3_600,
        filter_by: 'tenant:=amber',
      }),
      'x-anon-id': 'stranger',
    }
    const event = { event_type: 'click', data: { query: 'a', document_id: 'seen-1', position: 1 } }
    const sent = await hurried.call({
      method: 'POST',
      url: '/analytics/event',
      headers,
      body: event,
    })
    assert.deepEqual([sent.statusCode, sent.json().code], [503, 'unavailable'])
    assert.equal(sent.headers['retry-after'], '1')
    assert.match(sent.json().error, /no event was stored/)
    assert.deepEqual(await hurried.eventsOf('shop'), [])
    const body = { kind: 'related', ids: ['seen-1'] }
    const url = '/v1/recommendations'
    const page = await hurried.call({ method: 'POST', url, headers, body })
    assert.deepEqual([page.statusCode, page.json().hits], [200, []])
  })

  test('may exclude events', async () => {
    const headers = await headersWith({ events: false })
    for (const url of ['/analytics/event', '/analytics/batch']) {
      const body = { event_type: 'search', data: { query: 'tent' } }
      const refused = await asked({ method: 'POST', url, headers, body })
      assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'])
      assert.match(refused.body.error, /does not allow events/)
    }
    const found = await asked({ method: 'POST', url: '/v1/search', headers, body: { q: 'tent' } })
    assert.equal(found.status, 200)
  })
})

/** They have presets. */
const BOUND = [
  'POST /v1/search',
  'GET /v1/search',
  'HEAD /v1/search',
  'POST /v1/multi-search',
  'POST /v1/filters',
]

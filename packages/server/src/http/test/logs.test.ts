import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { ADMIN_TOKEN, createTestApp, fillStore } from './test-app.ts'

// Goal: the log says what the service did, never what somebody typed or knows. Method: send unique
// words through every kind of route, valid and invalid, and search for them in everything logged at
// level info.

const CANARY = 'kanarienvogel'

test('no secret, query, document or event is in the log', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  await using app = await createTestApp({ logger })
  const { call } = app
  const store = await app.createStore('shop')
  await fillStore(app, store)
  const base = '/api/v1/stores/shop'
  const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }
  const rotated = await call({
    method: 'POST',
    url: '/api/v1/admin/stores/shop/keys/events/rotate',
    headers: admin,
    body: { grace_seconds: 60 },
  })
  const writeKey = String(rotated.json().secret)
  const both = { ...store.read, ...store.write, 'x-user-id': CANARY, 'x-anon-id': CANARY }
  const event = { event: CANARY, type: 'track', messageId: CANARY, writeKey, anonymousId: CANARY }
  const requests: [string, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', unknown?][] = [
    ['/v1/search', 'POST', { q: CANARY, filter_by: `brand:=${CANARY}` }],
    ['/v1/search', 'POST', { q: CANARY, sort_by: CANARY, [CANARY]: 1 }],
    ['/v1/search', 'POST', `{"q": "${CANARY}"`],
    [`/v1/search?q=${CANARY}&${CANARY}=1&filter_by=((${CANARY}`, 'GET'],
    ['/v1/multi-search', 'POST', { queries: [{ q: CANARY }, { q: CANARY, page: 0 }] }],
    ['/v1/filters', 'POST', { q: CANARY }],
    [`${base}/documents`, 'POST', { id: CANARY, data: { title: CANARY } }],
    [`${base}/documents`, 'POST', { id: CANARY, data: { [CANARY]: CANARY } }],
    [`${base}/documents/${CANARY}`, 'GET'],
    [`${base}/documents/${CANARY}`, 'DELETE'],
    [`${base}/documents?filter_by=title:${CANARY}`, 'DELETE'],
    [`${base}/documents/bulk`, 'POST', { documents: [{ id: CANARY, title: CANARY }, CANARY] }],
    [`${base}/synonym-sets/${CANARY}`, 'PUT', { items: [{ synonyms: [CANARY, 'x'] }] }],
    [`${base}/presets/${CANARY}`, 'PUT', { value: { q: CANARY } }],
    [`${base}/settings`, 'PATCH', { language: CANARY }],
    ['/v1/b', 'POST', { writeKey, batch: [event], sentAt: '2026-01-01T00:00:00Z' }],
    ['/v1/b', 'POST', { writeKey: CANARY, batch: [event], sentAt: CANARY }],
    ['/analytics/event', 'POST', { event_type: 'search', query: CANARY }],
    [`/${CANARY}/${CANARY}?${CANARY}`, 'GET'],
    [`/api/v1/admin/stores/${CANARY}`, 'GET'],
  ]
  for (const [url, method, body] of requests) {
    for (const headers of [
      both,
      { ...both, 'x-storesecret': CANARY, 'x-store-write-secret': CANARY },
      admin,
    ]) {
      await app.app.inject({
        method,
        url,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      })
    }
  }
  assert.ok(lines.length >= 3 * requests.length, 'a line for each request')
  const log = lines.join('')
  for (const secret of [CANARY, store.readSecret, store.writeSecret, writeKey, ADMIN_TOKEN]) {
    const line = lines.find((one) => one.toLowerCase().includes(secret.toLowerCase()))
    assert.equal(line, undefined)
  }
  for (const line of lines)
    assert.ok(JSON.parse(line).reqId, 'every line has the id of its request')
  assert.match(log, /"route":"\/v1\/search"/)
})

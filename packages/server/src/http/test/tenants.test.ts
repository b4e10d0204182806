import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { ADMIN_TOKEN, createTestApp, fillStore, type TestRequest } from './test-app.ts'

// Goal: no key opens what it should not. Method: every route that exists, not a list of them here,
// times every combination of store and secret.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { app, call } = testApp
const a = await testApp.createStore('tenant-a')
const b = await testApp.createStore('tenant-b')
await fillStore(testApp, a)
await fillStore(testApp, b)

const bearer = { authorization: `Bearer ${ADMIN_TOKEN}` }
const events = async (id: string) => {
  const url = `/api/v1/admin/stores/${id}/keys/events/rotate`
  return (await call({ method: 'POST', url, headers: bearer })).json().secret as string
}
const eventsKey = await events(a.id)

const SECRETS: Readonly<Record<string, Record<string, string>>> = {
  none: {},
  'A.read': { 'x-storesecret': a.readSecret },
  'A.write': { 'x-store-write-secret': a.writeSecret },
  'A.both': { 'x-storesecret': a.readSecret, 'x-store-write-secret': a.writeSecret },
  'A.read as write': { 'x-store-write-secret': a.readSecret },
  'A.write as read': { 'x-storesecret': a.writeSecret },
  'A.events': { 'x-storesecret': eventsKey, 'x-store-write-secret': eventsKey },
  'B.read': { 'x-storesecret': b.readSecret },
  'B.write': { 'x-store-write-secret': b.writeSecret },
  'admin token': bearer,
  'admin token as secret': { 'x-storesecret': ADMIN_TOKEN, 'x-store-write-secret': ADMIN_TOKEN },
  wrong: { 'x-storesecret': 'wrong', 'x-store-write-secret': 'wrong' },
}
const HEADER_IDS = ['', 'tenant-a', 'unknown']
const PATH_IDS = ['tenant-a', 'tenant-b', 'unknown']

/** What a request must come to before its route does anything; undefined: it is let in. */
function expected(
  need: string,
  headerId: string,
  pathId: string | undefined,
  secret: string,
): string | undefined {
  if (need === 'none' || need === 'events') return undefined
  if (need === 'admin') {
    return secret === 'admin token' ? undefined : '401 missing_credentials'
  }
  const sent = SECRETS[secret]!
  const hasSecret = 'x-storesecret' in sent || 'x-store-write-secret' in sent
  if (headerId === '' || !hasSecret) return '401 missing_credentials'
  const isOfStore = ['A.read', 'A.write', 'A.both', 'A.read as write'].includes(secret)
  if (headerId !== 'tenant-a' || !isOfStore) return '401 invalid_credentials'
  if (need === 'read' && secret === 'A.read as write') return '401 invalid_credentials'
  const mayWrite = secret === 'A.write' || secret === 'A.both'
  if (need === 'write' && !mayWrite) return '403 forbidden'
  return pathId !== undefined && pathId !== headerId ? '403 forbidden' : undefined
}

suite('keys', () => {
  test('every route says which key it asks for', () => {
    for (const { method, url, config } of app.routeTable) {
      assert.ok(config?.auth !== undefined, `${String(method)} ${url}`)
      const isOpen = !/^\/(v1|api|analytics)\//.test(url)
      assert.equal(config.auth === 'none', isOpen, url)
      assert.equal(config.auth === 'admin', url.startsWith('/api/v1/admin/'), url)
    }
  })

  for (const { method, url, config } of app.routeTable) {
    const need = config?.auth ?? ''
    test(`${String(method)} ${url} lets in only whom it should (${need})`, async () => {
      const pathIds = url.includes(':id') ? PATH_IDS : [undefined]
      for (const pathId of pathIds) {
        for (const headerId of HEADER_IDS) {
          for (const [secret, headers] of Object.entries(SECRETS)) {
            const want = expected(need, headerId, pathId, secret)
            // Those who are let in are the matter of other tests; here they would delete things.
            if (want === undefined && method !== 'GET' && method !== 'HEAD') continue
            // A stream would never end.
            if (want === undefined && url.endsWith('/tail')) continue
            const answer = await call({
              method: method as NonNullable<TestRequest['method']>,
              url: url
                .replace(':id', pathId ?? '')
                .replace(':document_id', '1')
                .replace(':kind', 'read'),
              headers: { ...headers, ...(headerId === '' ? {} : { 'x-storeid': headerId }) },
            })
            const what = `${headerId} ${secret} ${pathId}`
            if (want === undefined) {
              assert.ok(answer.statusCode !== 401 && answer.statusCode !== 403, what)
            } else if (method === 'HEAD') {
              assert.equal(answer.statusCode, Number(want.slice(0, 3)), what)
            } else {
              assert.equal(`${answer.statusCode} ${answer.json().code}`, want, what)
            }
          }
        }
      }
    })
  }

  test('an unknown store and a wrong secret are answered byte for byte alike', async () => {
    const ask = async (id: string, secret: string) => {
      const answer = await call({
        method: 'POST',
        url: '/v1/search',
        headers: { 'x-storeid': id, 'x-storesecret': secret, 'x-request-id': 'same' },
        body: { q: '*' },
      })
      const { date: _, ...headers } = answer.headers
      return { body: answer.body, headers }
    }
    const unknown = await ask('unknown', a.readSecret)
    assert.deepEqual(await ask('tenant-a', 'wrong'), unknown)
    assert.deepEqual(await ask('tenant-b', a.readSecret), unknown)
    assert.deepEqual(await ask('../tenant-a', a.readSecret), unknown)
  })

  test('the admin token is compared as a whole', async () => {
    for (const token of [
      '',
      'x',
      ADMIN_TOKEN.slice(1),
      `${ADMIN_TOKEN}x`,
      ADMIN_TOKEN.toUpperCase(),
    ]) {
      const answer = await call({
        url: '/api/v1/admin/stores',
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(answer.statusCode, 401)
    }
    const basic = { authorization: `Basic ${ADMIN_TOKEN}` }
    assert.equal((await call({ url: '/api/v1/admin/stores', headers: basic })).statusCode, 401)
    const lower = { authorization: `bearer ${ADMIN_TOKEN}` }
    assert.equal((await call({ url: '/api/v1/admin/stores', headers: lower })).statusCode, 200)
  })

  test('one store never finds what another holds', async () => {
    const document = { id: 'secret-of-b', data: { title: 'confidential' } }
    const url = `/api/v1/stores/${b.id}/documents`
    assert.equal(
      (await call({ method: 'POST', url, headers: b.write, body: document })).statusCode,
      201,
    )
    const search = async (headers: Record<string, string>) =>
      (
        await call({ method: 'POST', url: '/v1/search', headers, body: { q: 'confidential' } })
      ).json()
    assert.equal((await search(b.read)).found, 1)
    assert.equal((await search(a.read)).found, 0)
    const other = { url: `/api/v1/stores/${a.id}/documents/secret-of-b`, headers: a.read }
    assert.equal((await call(other)).statusCode, 404)
  })
})

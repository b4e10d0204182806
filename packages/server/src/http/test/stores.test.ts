import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { ADMIN_TOKEN, createTestApp } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call, time } = testApp
const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
const STORES = '/api/v1/admin/stores'
const create = (body: unknown) => call({ method: 'POST', url: STORES, headers, body })

suite('stores', () => {
  test('are created, listed, read and deleted', async () => {
    const made = (await create({ name: 'Outdoor' })).json()
    assert.match(made.store_id, /^[A-Za-z0-9_-]{1,64}$/)
    assert.equal(made.name, 'Outdoor')
    assert.equal(new Set([made.read_secret, made.write_secret, made.events_write_key]).size, 3)
    const list = await call({ url: STORES, headers })
    assert.equal(list.json().stores.length, 1)
    assert.ok(!list.body.includes(made.write_secret))
    const one = (await call({ url: `${STORES}/${made.store_id}`, headers })).json()
    assert.deepEqual([one.store_id, one.documents], [made.store_id, 0])
    const deleted = await call({ method: 'DELETE', url: `${STORES}/${made.store_id}`, headers })
    assert.deepEqual(deleted.json(), { store_id: made.store_id, status: 'deleted' })
    const search = await call({
      method: 'POST',
      url: '/v1/search',
      headers: { 'x-storeid': made.store_id, 'x-storesecret': made.read_secret },
      body: { q: '*' },
    })
    assert.deepEqual([search.statusCode, search.json().code], [401, 'invalid_credentials'])
  })

  test('are renamed', async () => {
    const { store_id: id } = (await create({ name: 'Before' })).json()
    const rename = (body: unknown) =>
      call({ method: 'PATCH', url: `${STORES}/${id}`, headers, body })
    assert.equal((await rename({ name: 'After' })).json().name, 'After')
    assert.equal((await call({ url: `${STORES}/${id}`, headers })).json().name, 'After')
    for (const body of [{}, { name: '' }, { name: 5 }]) {
      assert.equal((await rename(body)).statusCode, 400)
    }
  })

  test('of a taken id are refused', async () => {
    assert.equal((await create({ name: 'a', id: 'taken' })).statusCode, 201)
    const again = await create({ name: 'b', id: 'taken' })
    assert.deepEqual([again.statusCode, again.json().code], [409, 'store_exists'])
  })

  test('that do not exist are 404', async () => {
    for (const request of [
      { url: `${STORES}/none` },
      { method: 'DELETE', url: `${STORES}/none` },
      { method: 'PATCH', url: `${STORES}/none`, body: { name: 'x' } },
      { method: 'POST', url: `${STORES}/none/keys/read/rotate` },
      { url: `${STORES}/none/keys` },
      { method: 'DELETE', url: `${STORES}/none/keys/read/previous` },
    ] as const) {
      const answer = await call({ ...request, headers })
      assert.deepEqual([answer.statusCode, answer.json().code], [404, 'store_not_found'])
    }
  })

  const refused: readonly (readonly [unknown, string])[] = [
    ['', 'malformed_json'],
    [{}, 'missing_parameter'],
    [{ name: '' }, 'invalid_parameter'],
    [{ name: 5 }, 'invalid_parameter'],
    [{ name: 'x', id: '' }, 'invalid_parameter'],
    [{ name: 'x', id: '../x' }, 'invalid_parameter'],
    [{ name: 'x', id: 'x'.repeat(65) }, 'invalid_parameter'],
    ['{"__proto__":{"name":"x"}}', 'missing_parameter'],
  ]
  for (const [body, code] of refused) {
    test(`${JSON.stringify(body).slice(0, 50)} is 400 ${code}`, async () => {
      const answer = await create(body)
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code], answer.body)
    })
  }
})

suite('key rotation', () => {
  const search = (id: string, secret: string) =>
    call({
      method: 'POST',
      url: '/v1/search',
      headers: { 'x-storeid': id, 'x-storesecret': secret },
      body: { q: '*' },
    })
  const rotate = (id: string, kind: string, body?: unknown) =>
    call({ method: 'POST', url: `${STORES}/${id}/keys/${kind}/rotate`, headers, body })

  test('keeps the old secret for the grace period, and not longer', async () => {
    const store = await testApp.createStore('rotated')
    const rotated = (await rotate('rotated', 'read', { grace_seconds: 60 })).json()
    assert.equal(rotated.previous_valid_until, new Date(time.nowMs + 60_000).toISOString())
    assert.equal((await search('rotated', store.readSecret)).statusCode, 200)
    assert.equal((await search('rotated', rotated.secret)).statusCode, 200)
    time.nowMs += 60_001
    assert.equal((await search('rotated', store.readSecret)).statusCode, 401)
    assert.equal((await search('rotated', rotated.secret)).statusCode, 200)
    const atOnce = (await rotate('rotated', 'read', { grace_seconds: 0 })).json()
    time.nowMs += 1
    assert.equal((await search('rotated', rotated.secret)).statusCode, 401)
    assert.equal((await search('rotated', atOnce.secret)).statusCode, 200)
  })

  test('has a day of grace by default, without a body', async () => {
    await testApp.createStore('day')
    const rotated = (await rotate('day', 'write')).json()
    assert.equal(rotated.previous_valid_until, new Date(time.nowMs + 86_400_000).toISOString())
    assert.equal((await rotate('day', 'events')).statusCode, 200)
  })

  test('shows again what is public by design, and when each key was used', async () => {
    const store = await testApp.createStore('shown')
    const url = `${STORES}/shown/keys`
    const keys = async () => (await call({ url, headers })).json().keys
    const createdAt = new Date(time.nowMs).toISOString()
    const [read, write, events] = await keys()
    assert.deepEqual(read, { kind: 'read', secret: store.readSecret, created_at: createdAt })
    assert.deepEqual(write, { kind: 'write', created_at: createdAt })
    assert.match(events.secret, /^[0-9a-f-]{36}$/)

    await rotate('shown', 'read', { grace_seconds: 3_600 })
    time.nowMs += 90_000
    await search('shown', store.readSecret)
    await call({ url: `/api/v1/stores/shown/settings`, headers: store.write })
    await testApp.uses.flush()
    const usedAt = new Date(time.nowMs).toISOString()
    const [rotated, used] = await keys()
    assert.equal(rotated.last_used_at, undefined)
    assert.equal(rotated.previous.last_used_at, usedAt)
    assert.equal(used.last_used_at, usedAt)

    time.nowMs += 30_000
    await search('shown', store.readSecret)
    await testApp.uses.flush()
    assert.equal((await keys())[0].previous.last_used_at, usedAt, 'once a minute is enough')
  })

  test('can end a grace period before its time', async () => {
    const store = await testApp.createStore('hasty')
    const { secret } = (await rotate('hasty', 'read')).json()
    assert.equal((await search('hasty', store.readSecret)).statusCode, 200)
    const revoke = () =>
      call({ method: 'DELETE', url: `${STORES}/hasty/keys/read/previous`, headers })
    assert.deepEqual((await revoke()).json(), { kind: 'read', status: 'revoked', revoked: 1 })
    assert.equal((await search('hasty', store.readSecret)).statusCode, 401)
    assert.equal((await search('hasty', secret)).statusCode, 200)
    assert.equal((await revoke()).json().revoked, 0)
  })

  test('takes only known kinds and periods in range', async () => {
    await testApp.createStore('picky')
    for (const answer of [
      await rotate('picky', 'admin'),
      await rotate('picky', 'read', { grace_seconds: -1 }),
      await rotate('picky', 'read', { grace_seconds: 604_801 }),
    ]) {
      assert.deepEqual([answer.statusCode, answer.json().code], [400, 'invalid_parameter'])
    }
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { ServiceActivity, SlowSearch } from '@aisle/contract'
import { until } from '@aisle/testing'
import { ADMIN_TOKEN, createTestApp, fillStore, PASSWORD, type TestRequest } from './test-app.ts'

// Goal: a person may work in some stores and not know of others. Method: the routes of users, and
// what a member sees; tenants.test.ts tries every operation.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call, time } = testApp
const bearer = { authorization: `Bearer ${ADMIN_TOKEN}` }
const USERS = '/api/v1/admin/users'
const STORES = '/api/v1/admin/stores'

const shop = await testApp.createStore('shop')
const outlet = await testApp.createStore('outlet')
await fillStore(testApp, shop)
await fillStore(testApp, outlet)

const admin = async (method: NonNullable<TestRequest['method']>, url: string, body?: object) =>
  await call({ method, url, headers: bearer, ...(body === undefined ? {} : { body }) })
const create = (login: string, rights: object) =>
  admin('POST', USERS, { login, password: PASSWORD, ...rights })
const storesOf = async (headers: Record<string, string>): Promise<string[]> =>
  (await call({ url: STORES, headers }))
    .json()
    .stores.map(({ store_id: id }: { store_id: string }) => id)
const enter = (login: string) => testApp.logIn(login, 'owner')

suite('members of some stores', () => {
  test('have a role in each, and see these only', async () => {
    const stores = { shop: 'editor', outlet: 'analyst' }
    const made = await create('ada', { role: 'member', stores })
    assert.equal(made.statusCode, 201, made.body)
    assert.deepEqual([made.json().role, made.json().stores], ['member', stores])
    const few = await create('ben', { role: 'member', stores: { outlet: 'analyst' } })
    assert.deepEqual(few.json().stores, { outlet: 'analyst' })
    const ada = await enter('ada')
    const session = (await call({ url: '/api/v1/admin/session', headers: ada })).json()
    assert.deepEqual([session.role, session.stores], ['member', stores])
    assert.deepEqual(await storesOf(ada), ['outlet', 'shop'])
    assert.deepEqual(await storesOf(await enter('ben')), ['outlet'])

    const search = (storeId: string, headers: Record<string, string>) =>
      call({
        method: 'POST',
        url: '/v1/search',
        headers: { ...headers, 'x-storeid': storeId },
        body: { q: '*' },
      })
    const put = (storeId: string) =>
      call({
        method: 'PUT',
        url: `/api/v1/stores/${storeId}/presets/p`,
        headers: ada,
        body: { value: { per_page: 3 } },
      })
    assert.equal((await search('shop', ada)).statusCode, 200)
    assert.equal((await put('shop')).statusCode, 200)
    const refused = await put('outlet')
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'forbidden'])
    assert.match(refused.json().error, /needs the role `editor`, yours is `analyst`/)
    const hidden = await search('shop', await enter('ben'))
    const unknown = await search('nowhere', await enter('ben'))
    assert.deepEqual([hidden.statusCode, hidden.json().error], [404, unknown.json().error])
    const audit = await admin('GET', '/api/v1/admin/audit?login=ada&store_id=shop')
    assert.equal(audit.json().entries[0].action, 'putPreset')
  })

  test('are changed as a whole; anybody else has no roles per store', async () => {
    await create('eve', { role: 'editor' })
    const change = (body: object) => admin('PATCH', `${USERS}/eve`, body)
    const seen = async () => {
      const { role, stores } = (await admin('GET', `${USERS}/eve`)).json()
      return { role, stores }
    }
    assert.deepEqual(await seen(), { role: 'editor', stores: undefined })
    const narrowed = await change({ role: 'member', stores: { shop: 'editor' } })
    assert.deepEqual(narrowed.json().stores, { shop: 'editor' })
    await change({ stores: { outlet: 'analyst' } })
    await change({ role: 'member' })
    await change({ password: 'another password' })
    assert.deepEqual(await seen(), { role: 'member', stores: { outlet: 'analyst' } })
    const sessionsBefore = await admin('GET', `${USERS}/eve/sessions`)
    assert.deepEqual(sessionsBefore.json().sessions, [], 'a change ends sessions')
    await change({ role: 'analyst' })
    assert.deepEqual(await seen(), { role: 'analyst', stores: undefined })

    for (const [body, param] of [
      [{ stores: { shop: 'editor' } }, 'stores'],
      [{ role: 'owner', stores: { shop: 'editor' } }, 'stores'],
      [{ role: 'owner', stores: {} }, 'stores'],
      [{ role: 'member', stores: { nowhere: 'editor' } }, 'stores.nowhere'],
      [{ role: 'member', stores: { __proto__x: 'editor' } }, 'stores.__proto__x'],
      [{ role: 'member', stores: { shop: 'owner' } }, 'stores.shop'],
      [{ role: 'member', stores: { shop: null } }, 'stores.shop'],
      [{ role: 'member', stores: ['shop'] }, 'stores'],
      [{ role: 'guest' }, 'role'],
    ] as const) {
      const refused = await change(body)
      const { code, param: named } = refused.json()
      const what = JSON.stringify(body)
      assert.deepEqual([refused.statusCode, code, named], [400, 'invalid_parameter', param], what)
    }
    assert.deepEqual(await seen(), { role: 'analyst', stores: undefined })
  })

  test('have no role in a store that was re-created under the same id', async () => {
    await testApp.createStore('pop-up')
    await create('ida', { role: 'member', stores: { 'pop-up': 'editor', shop: 'analyst' } })
    const ida = await enter('ida')
    assert.deepEqual(await storesOf(ida), ['pop-up', 'shop'])
    await admin('DELETE', `${STORES}/pop-up`)
    assert.deepEqual(await storesOf(ida), ['shop'])
    assert.deepEqual((await admin('GET', `${USERS}/ida`)).json().stores, { shop: 'analyst' })
    time.nowMs += 1_000
    await testApp.createStore('pop-up')
    assert.deepEqual(await storesOf(ida), ['shop'])
    const url = '/api/v1/stores/pop-up/settings'
    assert.equal((await call({ url, headers: ida })).statusCode, 404)
  })

  test('see the activity of their stores, without queries and threads; owners see all', async () => {
    const slow = (storeId: string): SlowSearch => ({
      at: new Date(time.nowMs).toISOString(),
      store_id: storeId,
      kind: 'search',
      took_ms: 900,
      found: 1,
      cut_off: false,
      q: 'secret wish',
    })
    for (const id of ['shop', 'outlet', 'gone']) testApp.app.activity.noteSlow(slow(id))
    await create('amy', { role: 'member', stores: { shop: 'editor' } })
    await create('meg', { role: 'member', stores: {} })
    const activityOf = async (headers: Record<string, string>): Promise<ServiceActivity> => {
      const answer = await call({ url: '/api/v1/admin/activity', headers })
      assert.equal(answer.statusCode, 200)
      return answer.json()
    }
    await until('they are noted', async () => (await activityOf(bearer)).slow_searches.length === 3)
    const amy = await activityOf(await enter('amy'))
    const { q: _, ...shown } = slow('shop')
    assert.deepEqual(amy.slow_searches, [shown])
    assert.deepEqual([amy.threads, amy.refusals, amy.jobs], [[], [], []])
    assert.deepEqual((await activityOf(await enter('meg'))).slow_searches, [])
    const owner = await activityOf(await testApp.logIn('olga', 'owner'))
    assert.equal(owner.slow_searches.length, 3)
  })

  test('see nothing of the service as a whole, and no store of the others', async () => {
    await create('uma', { role: 'member', stores: {} })
    const uma = await enter('uma')
    assert.deepEqual(await storesOf(uma), [])
    for (const url of [
      '/api/v1/admin/metrics',
      '/api/v1/admin/audit',
      '/api/v1/admin/snapshots',
      USERS,
    ]) {
      const refused = await call({ url, headers: uma })
      assert.deepEqual([refused.statusCode, refused.json().code], [403, 'forbidden'], url)
    }
    const keys = await call({ url: `${STORES}/shop/keys`, headers: uma })
    assert.deepEqual([keys.statusCode, keys.json().code], [404, 'store_not_found'])
    const own = await call({ url: '/api/v1/admin/sessions', headers: uma })
    assert.equal(own.json().sessions.length, 1)
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { ADMIN_TOKEN, createTestApp, type TestStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp
const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }
const swapUrl = (id: string, other: string) => `/api/v1/admin/stores/${id}/swap/${other}`
const swap = (id: string, other: string, headers: Record<string, string> = admin) =>
  call({ method: 'POST', url: swapUrl(id, other), headers })

/** Sends a request that must be answered with 200, and gives back what was answered. */
async function done(request: Parameters<typeof call>[0]) {
  const answer = await call(request)
  assert.equal(Math.floor(answer.statusCode / 100), 2, answer.body)
  return answer.json()
}

/** A store with one product of that title, in a field of that name. */
async function storeOf(id: string, field: string, title: string): Promise<TestStore> {
  const store = await testApp.createStore(id)
  const url = `/api/v1/stores/${id}`
  const headers = store.write
  const fields = [{ name: field, type: 'string', searchable: true, facet: true }]
  await done({ method: 'POST', url: `${url}/schema`, headers, body: { fields } })
  const documents = [{ id: 'one', data: { [field]: title } }]
  await done({ method: 'POST', url: `${url}/documents/bulk`, headers, body: { documents } })
  return store
}

async function titles({ read }: TestStore, body: object = { q: '*' }): Promise<unknown[]> {
  const { hits } = await done({ method: 'POST', url: '/v1/search', headers: read, body })
  return hits.map(({ document }: { document: object }) => document)
}

suite('stores that are swapped', () => {
  test('have documents, schema and settings of the other, with their own keys', async () => {
    const shop = await storeOf('shop', 'title', 'Old lamp')
    const next = await storeOf('shop-next', 'name', 'New lamp')
    const put = (path: string, body: object) =>
      done({ method: 'PUT', url: `/api/v1/stores/shop-next/${path}`, headers: next.write, body })
    await put('presets/first', { value: { per_page: 1 } })
    await put('synonym-sets/lights', {
      items: [{ synonyms: ['lamp', 'light'] }],
      default: true,
    })
    await put('rules/hide', {
      when: [{ query: 'secret', match: 'exact' }],
      redirect: 'https://shop.example/',
    })
    await done({
      method: 'PATCH',
      url: '/api/v1/stores/shop-next/settings',
      headers: next.write,
      body: { language: 'de' },
    })
    const cached = { q: 'lamp', cache_results: true }
    assert.deepEqual(await titles(shop, cached), [{ id: 'one', title: 'Old lamp' }])
    const answer = await swap('shop', 'shop-next')
    assert.equal(answer.statusCode, 200, answer.body)
    const { status, stores } = answer.json()
    assert.equal(status, 'swapped')
    const shown = stores.map((store: Record<string, unknown>) => [store['store_id'], store['name']])
    assert.deepEqual(shown, [
      ['shop', 'Store shop'],
      ['shop-next', 'Store shop-next'],
    ])
    // Nothing of before is in the cache.
    assert.deepEqual(await titles(shop, cached), [{ id: 'one', name: 'New lamp' }])
    assert.deepEqual(await titles(shop, { q: 'light', preset_name: 'first' }), [
      { id: 'one', name: 'New lamp' },
    ])
    assert.deepEqual(await titles(next), [{ id: 'one', title: 'Old lamp' }])
    const settings = await done({ url: '/api/v1/stores/shop/settings', headers: shop.write })
    assert.equal(settings.language, 'de')
    const rules = await done({ url: '/api/v1/stores/shop/rules', headers: shop.write })
    assert.equal(rules.items?.length ?? rules.rules?.length, 1)
    const gone = await call({
      url: '/api/v1/stores/shop-next/presets/first',
      headers: next.write,
    })
    assert.equal(gone.json().code, 'preset_not_found')
    // Keys stay: those of one store do not open the other one.
    const stranger = { ...shop.read, 'x-storeid': 'shop-next' }
    const refused = await call({
      method: 'POST',
      url: '/v1/search',
      headers: stranger,
      body: { q: '*' },
    })
    assert.equal(refused.json().code, 'invalid_credentials')
    // And back again.
    await swap('shop-next', 'shop')
    assert.deepEqual(await titles(shop, cached), [{ id: 'one', title: 'Old lamp' }])
  })

  test('take writes where they are now', async () => {
    const a = await storeOf('write-a', 'title', 'A')
    const b = await storeOf('write-b', 'name', 'B')
    await swap('write-a', 'write-b')
    const write = (id: string, store: TestStore, data: object) =>
      call({
        method: 'POST',
        url: `/api/v1/stores/${id}/documents`,
        headers: store.write,
        body: { id: 'two', data },
      })
    const written = await write('write-a', a, { name: 'fits' })
    assert.equal(written.statusCode < 300, true, written.body)
    assert.equal((await write('write-b', b, { title: 5 })).json().code, 'invalid_type')
    assert.equal((await write('write-b', b, { name: 'x' })).json().code, 'unknown_field')
    const filter = encodeURIComponent('name:=fits')
    const gone = await done({
      method: 'DELETE',
      url: `/api/v1/stores/write-a/documents?filter_by=${filter}`,
      headers: a.write,
    })
    assert.equal(gone.documents_deleted, 1)
    const lines = await call({ url: '/api/v1/stores/write-a/documents', headers: a.write })
    assert.equal(lines.body, '{"id":"one","data":{"name":"B"}}\n')
  })

  test('keep their events', async () => {
    const a = await storeOf('events-a', 'title', 'A')
    await storeOf('events-b', 'title', 'B')
    await titles(a, { q: 'lamp' })
    const before = (await testApp.eventsOf('events-a')).length
    assert.equal(before, 1)
    await swap('events-a', 'events-b')
    await titles(a, { q: 'lamp' })
    assert.equal((await testApp.eventsOf('events-a')).length, 2)
    assert.equal((await testApp.eventsOf('events-b')).length, 0)
  })

  test('are two that exist, and not the same', async () => {
    await testApp.createStore('alone')
    for (const [id, other, status, code, param] of [
      ['alone', 'none', 404, 'store_not_found', 'other'],
      ['none', 'alone', 404, 'store_not_found', 'id'],
      ['alone', 'alone', 400, 'invalid_parameter', 'other'],
      ['alone', '..%2Falone', 404, 'store_not_found', 'other'],
    ] as const) {
      const answer = await swap(id, other)
      assert.equal(answer.statusCode, status, answer.body)
      assert.deepEqual([answer.json().code, answer.json().param], [code, param])
    }
    const empty = await testApp.createStore('empty')
    assert.equal((await swap('alone', 'empty')).statusCode, 200)
    assert.deepEqual(await titles(empty), [])
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const answer = await call({ method, url: swapUrl('alone', 'empty'), headers: admin })
      assert.equal(answer.statusCode, 405, method)
    }
  })

  test('are swapped by owners and the admin token alone, which the audit log tells', async () => {
    const a = await storeOf('rights-a', 'title', 'A')
    await testApp.createStore('rights-b')
    for (const [headers, status] of [
      [{}, 401],
      [a.read, 401],
      [a.write, 401],
      [{ authorization: 'Bearer wrong' }, 401],
      [await testApp.logIn('ana@example.com', 'analyst'), 403],
      [await testApp.logIn('ed@example.com', 'editor'), 403],
    ] as const) {
      const answer = await swap('rights-a', 'rights-b', headers)
      assert.equal(answer.statusCode, status, answer.body)
    }
    assert.deepEqual(await titles(a), [{ id: 'one', title: 'A' }])
    const owner = await testApp.logIn('olga@example.com', 'owner')
    assert.equal((await swap('rights-a', 'rights-b', owner)).statusCode, 200)
    const { 'x-csrf-token': _, ...forged } = owner
    assert.equal((await swap('rights-a', 'rights-b', forged)).json().code, 'invalid_csrf_token')
    assert.deepEqual(await titles(a), [])
    const { entries } = await done({
      url: '/api/v1/admin/audit?action=swapStores&result=done',
      headers: admin,
    })
    const { login, store_id: storeId, target } = entries[0]
    assert.deepEqual([login, storeId, target], ['olga@example.com', 'rights-a', 'rights-b'])
  })
})

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { makeScopedToken } from '@aisle/client'
import { EXPRESSION_MAX_CHARS } from '@aisle/contract'
import { ADMIN_TOKEN, createTestApp, type TestRequest } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call, time } = testApp
const store = await testApp.createStore('shop')
const BASE = '/api/v1/stores/shop'

const write = (
  method: TestRequest['method'] & string,
  path: string,
  body?: unknown,
  headers = {},
) => call({ method, url: `${BASE}/${path}`, headers: { ...store.write, ...headers }, body })
async function search(body: object, headers: Record<string, string> = store.read) {
  const answer = await call({
    method: 'POST',
    url: '/v1/search',
    headers,
    body: { q: '*', ...body },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const idsOf = (answer: { hits: readonly { id: string }[] }): string =>
  answer.hits
    .map(({ id }) => id)
    .toSorted()
    .join()
const found = async (filterBy: string, more: object = {}): Promise<string> =>
  idsOf(await search({ filter_by: filterBy, ...more }))
async function put(name: string, value: object): Promise<void> {
  const answer = await write('PUT', `collections/${encodeURIComponent(name)}`, value)
  assert.equal(answer.statusCode, 200, answer.body)
}

const DAY = Date.UTC(2026, 0, 1)
before(async () => {
  await write('POST', 'schema', {
    fields: [
      { name: 'title', type: 'string', searchable: true },
      { name: 'brand', type: 'string', searchable: true, facet: true },
      { name: 'price', type: 'float', facet: true, sort: true },
      { name: 'sold_out', type: 'bool', facet: true },
      { name: 'added', type: 'date', facet: true },
    ],
  })
  const documents = [
    { id: '1', title: 'Dome tent', brand: 'Norrby', price: 199, added: '2025-12-31T12:00:00Z' },
    { id: '2', title: 'Family tent', brand: 'Fells', price: 329, added: '2025-06-01' },
    { id: '3', title: 'Tent pegs', brand: 'Fells', price: 9, added: '2025-06-01' },
    { id: '4', title: 'Stove', brand: 'Norrby', price: 49, sold_out: true, added: '2025-06-01' },
  ]
  await write('POST', 'documents/bulk', { documents })
  await put('cheap', { title: 'Under 50', filter_by: 'price:<50' })
  await put('new in', { filter_by: 'added:>=now-1d' })
  await put('fells', { filter_by: 'brand:=Fells' })
})

suite('collections', () => {
  test('are kept like other resources: list, read, replace with If-Match, delete', async () => {
    const one = await write('GET', 'collections/cheap')
    assert.deepEqual(one.json(), { name: 'cheap', title: 'Under 50', filter_by: 'price:<50' })
    const { etag } = one.headers
    const other = { title: 'Under 60', filter_by: 'price:<60' }
    const late = await write('PUT', 'collections/cheap', other, { 'if-match': '"0"' })
    assert.deepEqual([late.statusCode, late.json().current.title], [412, 'Under 50'])
    const right = await write('PUT', 'collections/cheap', other, { 'if-match': String(etag) })
    assert.equal(right.json().title, 'Under 60')
    await put('cheap', { title: 'Under 50', filter_by: 'price:<50' })
    const { collections } = (await write('GET', 'collections')).json()
    const names = collections.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['cheap', 'fells', 'new in'])
    await put('gone', { filter_by: 'id:=1' })
    assert.equal((await write('DELETE', 'collections/gone')).json().status, 'deleted')
    const absent = await write('GET', 'collections/gone')
    assert.deepEqual([absent.statusCode, absent.json().code], [404, 'collection_not_found'])
  })

  test('filter searches, alone and among other conditions', async () => {
    assert.equal(await found('_collection:cheap'), '3,4')
    assert.equal(await found('_collection:!=cheap'), '1,2')
    assert.equal(await found('!_collection:cheap && brand:=Fells'), '2')
    assert.equal(await found('_collection:[fells, cheap]'), '2,3,4')
    assert.equal(await found('_collection:cheap && _collection:fells'), '3')
    assert.equal(await found('_collection:`new in` or _collection:cheap'), '1,3,4')
    assert.equal(await found('_collection:fells', { q: 'pegs' }), '3')
    const { hits } = await search({ sort_by: '_eval(_collection:fells):desc,price:asc' })
    assert.deepEqual(
      hits.map(({ id }: { id: string }) => id),
      ['3', '2', '4', '1'],
    )
  })

  test('a disjunctive facet stays inside of the collection', async () => {
    const { facets } = await search({
      filter_by: '_collection:fells && brand:=Norrby',
      facet_by: 'brand',
      facet_mode: 'disjunctive',
    })
    assert.deepEqual(facets.brand, [{ value: 'Fells', count: 2 }])
  })

  test('hold in filters, presets, recommendations, exports, edits and deletes by filter', async () => {
    const filters = await call({
      method: 'POST',
      url: '/v1/filters',
      headers: store.read,
      body: { filter_by: '_collection:fells', facet_by: 'brand' },
    })
    assert.deepEqual(filters.json().facets.brand, [{ value: 'Fells', count: 2 }])
    await write('PUT', 'presets/sale', { value: { filter_by: '_collection:cheap' } })
    assert.equal(idsOf(await search({ preset_name: 'sale' })), '3,4')
    const recommended = await call({
      method: 'POST',
      url: '/v1/recommendations',
      headers: store.read,
      body: { kind: 'trending', filter_by: '_collection:cheap' },
    })
    assert.equal(idsOf(recommended.json()), '3,4')
    const lines = await write('GET', 'documents?filter_by=_collection:cheap')
    assert.equal(lines.body.trim().split('\n').length, 2)
    await write('PATCH', 'documents?filter_by=_collection:cheap', { set: { title: 'Cheap' } })
    assert.equal(idsOf(await search({ q: 'cheap' })), '3,4')
    await write('POST', 'documents', { id: '9', data: { title: 'X', brand: 'X', price: 1 } })
    await put('of-x', { filter_by: 'brand:=X' })
    const deleted = await write('DELETE', 'documents?filter_by=_collection:of-x')
    assert.equal(deleted.json().documents_deleted, 1, deleted.body)
  })

  test('are conditions, filters and boosts of rules, which follow their changes', async () => {
    await write('PUT', 'rules/page', { when: [{ filter_by: '_collection:fells' }], banner: 'F' })
    await write('PUT', 'rules/boost', {
      when: [{ query: 'tent', match: 'contains' }],
      boost: [{ filter_by: '_collection:fells', weight: 5 }],
      filter_by: '!_collection:cheap',
    })
    const page = await search({ filter_by: 'price:>0 && _collection:fells' })
    assert.deepEqual(page.applied_rules, ['page'])
    assert.equal((await search({ filter_by: 'brand:=Fells' })).applied_rules, undefined)
    const first = async () => {
      const { hits } = await search({ q: 'tent' })
      return hits.map(({ id }: { id: string }) => id).join()
    }
    assert.equal(await first(), '2,1')
    await put('fells', { filter_by: 'brand:=Norrby' })
    assert.equal(await first(), '1,2')
    await put('fells', { filter_by: 'brand:=Fells' })
    await write('DELETE', 'collections/cheap')
    const { applied_rules, warnings } = await search({ q: 'tent' })
    assert.equal(applied_rules, undefined)
    assert.match(warnings[0], /^Rule `boost` is ignored: .*there is no collection `cheap`/)
    await put('cheap', { filter_by: 'price:<50' })
    assert.equal(await first(), '2,1')
    for (const id of ['page', 'boost']) await write('DELETE', `rules/${id}`)
  })

  test('cached answers follow them, and the time', async () => {
    const ask = async (filterBy: string) => {
      const answer = await search({ filter_by: filterBy, cache_results: true })
      return [idsOf(answer), answer.cached]
    }
    await ask('_collection:cheap')
    assert.deepEqual(await ask('_collection:cheap'), ['3,4', true])
    await put('cheap', { filter_by: 'price:<10' })
    assert.deepEqual(await ask('_collection:cheap'), ['3', false])
    await put('cheap', { filter_by: 'price:<50' })
    assert.deepEqual(await ask('_collection:`new in`'), ['1', false])
    assert.deepEqual(await ask('_collection:`new in`'), ['1', true])
    time.nowMs = DAY + 13 * 3_600_000
    assert.deepEqual(await ask('_collection:`new in`'), ['', false])
    // A time zone of the request does not change what is in a collection.
    time.nowMs = DAY
    await put('today', { filter_by: 'added:[2025-12-31T12:00..2025-12-31T12:30]' })
    assert.equal(await found('_collection:today', { time_zone: 'Asia/Tokyo' }), '1')
  })

  test('a token restricts them, and may be restricted by one', async () => {
    const url = '/api/v1/admin/stores/shop/keys/signing/rotate'
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
    const { secret } = (await call({ method: 'POST', url, headers, body: {} })).json()
    const expires_at = Math.floor(time.nowMs / 1_000) + 3_600
    const asToken = async (filterBy: string, asked?: string) => {
      const token = await makeScopedToken(secret, { expires_at, filter_by: filterBy })
      return await call({
        method: 'POST',
        url: '/v1/search',
        headers: { 'x-storeid': 'shop', 'x-storesecret': token },
        body: { q: '*', facet_by: 'brand', ...(asked === undefined ? {} : { filter_by: asked }) },
      })
    }
    assert.equal(idsOf((await asToken('brand:=Fells', '_collection:cheap')).json()), '3')
    assert.equal(idsOf((await asToken('_collection:cheap')).json()), '3,4')
    await put('cheap', { filter_by: 'price:<10' })
    assert.equal(idsOf((await asToken('_collection:cheap')).json()), '3')
    await put('cheap', { filter_by: 'price:<50' })
    const refused = await asToken('_collection:nothing')
    assert.deepEqual([refused.statusCode, refused.json().code], [403, 'forbidden'])
  })

  test('a new schema that they do not fit is named by searches', async () => {
    const late = await testApp.createStore('late')
    const put = (method: 'POST' | 'PUT', path: string, body: object) =>
      call({ method, url: `/api/v1/stores/late/${path}`, headers: late.write, body })
    await put('POST', 'schema', { fields: [{ name: 'size', type: 'int32', facet: true }] })
    await put('PUT', 'collections/big', { filter_by: 'size:>3' })
    await put('PUT', 'rules/big', { filter_by: '_collection:big', banner: 'x' })
    await put('POST', 'schema', { mode: 'replace', fields: [{ name: 't', type: 'string' }] })
    const { warnings } = (await call({ url: '/v1/search?q=*', headers: late.read })).json()
    assert.match(warnings[0], /^Rule `big` is ignored because it does not fit the schema: .*`big`/)
    const url = '/v1/search?q=*&filter_by=_collection:big'
    const answer = await call({ url, headers: late.read })
    assert.deepEqual([answer.statusCode, answer.json().code], [400, 'unknown_field'])
    assert.match(answer.json().error, /the collection `big` cannot be used \(.*`size`/)
  })

  test('bad input is refused with its code and its place', async () => {
    const table: readonly (readonly [name: string, body: unknown, code: string, param: string])[] =
      [
        ['x', {}, 'missing_parameter', 'filter_by'],
        ['x', { filter_by: '' }, 'invalid_parameter', 'filter_by'],
        ['x', { filter_by: ' ' }, 'invalid_filter', 'filter_by'],
        ['x', { filter_by: 7 }, 'invalid_parameter', 'filter_by'],
        [
          'x',
          { filter_by: 'a'.repeat(EXPRESSION_MAX_CHARS + 1) },
          'invalid_parameter',
          'filter_by',
        ],
        ['x', { filter_by: 'price:<' }, 'invalid_filter', 'filter_by'],
        ['x', { filter_by: 'colour:red' }, 'unknown_field', 'filter_by'],
        ['x', { filter_by: '_collection:cheap' }, 'invalid_filter', 'filter_by'],
        ['x', { filter_by: 'price:<1', title: '' }, 'invalid_parameter', 'title'],
        ['x', { filter_by: 'price:<1', title: 'x'.repeat(201) }, 'invalid_parameter', 'title'],
        ['x', [], 'invalid_parameter', ''],
        ['-x', { filter_by: 'price:<1' }, 'invalid_parameter', 'name'],
        ['x'.repeat(129), { filter_by: 'price:<1' }, 'invalid_parameter', 'name'],
      ]
    for (const [name, body, code, param] of table) {
      const answer = await write('PUT', `collections/${name}`, body)
      const told = [answer.statusCode, answer.json().code, answer.json().param ?? '']
      assert.deepEqual(told, [400, code, param], answer.body)
    }
    const searched = await call({
      url: '/v1/search?q=*&filter_by=_collection:no',
      headers: store.read,
    })
    assert.deepEqual([searched.statusCode, searched.json().code], [400, 'unknown_collection'])
    const read = await call({ url: `${BASE}/collections`, headers: store.read })
    assert.equal(read.statusCode, 403)
    for (const path of ['documents?filter_by=_collection:no']) {
      for (const method of ['GET', 'DELETE'] as const) {
        assert.equal((await write(method, path)).json().code, 'unknown_collection')
      }
    }
    const rule = await write('PUT', 'rules/r', {
      boost: [{ filter_by: '_collection:no', weight: 2 }],
    })
    assert.equal(rule.json().details[0].param, 'boost[0].filter_by')
    assert.equal(rule.json().code, 'unknown_collection')
    const preset = await write('PUT', 'presets/p', { value: { filter_by: '_collection:no' } })
    assert.equal(preset.json().code, 'unknown_collection')
    const ranking = { sort_by: '_eval(_collection:cheap):desc' }
    assert.equal((await write('PATCH', 'settings', { ranking })).statusCode, 400)
  })
})

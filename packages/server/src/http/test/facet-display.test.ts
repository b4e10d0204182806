import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { ShownFacets } from '@aisle/contract'
import { createTestApp, fillStore, type TestRequest } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp
const store = await testApp.createStore('shop')
await fillStore(testApp, store)
const BASE = '/api/v1/stores/shop'

const write = (
  method: TestRequest['method'] & string,
  path: string,
  body?: unknown,
  headers = {},
) => call({ method, url: `${BASE}/${path}`, headers: { ...store.write, ...headers }, body })
const ask = (body: object, url = '/v1/search') =>
  call({ method: 'POST', url, headers: store.read, body: { q: '*', ...body } })
async function shown(body: object, url?: string): Promise<ShownFacets | undefined> {
  const answer = await ask(body, url)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().facet_display
}
async function set(value: object | null): Promise<void> {
  await write('PATCH', 'settings', { facet_display: null })
  const answer = await write('PATCH', 'settings', { facet_display: value })
  assert.equal(answer.statusCode, 200, answer.body)
}
/** Without the members that differ each time. */
const lasting = (body: string): string =>
  body.replace(/"(search_id|search_time_ms)":("[^"]*"|[\d.]+)/g, '')

suite('facet_display', () => {
  test('is absent until it is set, and answers are otherwise the same to the byte', async () => {
    const body = { facet_by: 'brand,price', q: 'shoe' }
    const before = (await ask(body)).body
    assert.doesNotMatch(before, /facet_display/)
    await set({ order: ['price'] })
    const after = (await ask(body)).body
    const member = ',"facet_display":{"order":["price","brand"],"facets":{}}'
    assert.equal(lasting(after.replace(member, '')), lasting(before))
    assert.doesNotMatch((await ask({})).body, /facet_display/)
    await set(null)
    assert.equal(lasting((await ask(body)).body), lasting(before))
  })

  test('names the facets of the answer in order, and how their values are shown', async () => {
    const brand = { sort: 'alpha', pin: ['Salomon'], hide: ['Other'], limit: 5 }
    await set({ order: ['price', 'brand'], hide: ['stock'], facets: { brand } })
    const all = { order: ['price', 'brand'], facets: { brand } }
    assert.deepEqual(await shown({ facet_by: 'stock,brand,price' }), all)
    assert.deepEqual(await shown({ facet_by: 'brand,price' }, '/v1/filters'), all)
    assert.deepEqual(await shown({ facet_by: 'price' }), { order: ['price'], facets: {} })
    const first = await ask({ facet_by: 'brand' })
    assert.ok(first.json().facets.brand.length > 0)
    await set(null)
  })

  test('a rule overrides each part of it, for its searches only', async () => {
    const alpha = { sort: 'alpha' }
    await set({ order: ['brand', 'price'], facets: { brand: alpha, price: alpha } })
    await write('PUT', 'rules/low', {
      when: [{ query: 'shoe', match: 'contains' }],
      facet_display: { order: ['price', 'brand'], facets: { brand: { limit: 2 } } },
    })
    await write('PUT', 'rules/high', {
      priority: 5,
      when: [{ query: 'trail', match: 'contains' }],
      facet_display: { facets: { brand: { limit: 3 } } },
    })
    const both = { facet_by: 'brand,price' }
    const plain = { order: ['brand', 'price'], facets: { brand: alpha, price: alpha } }
    const low = { order: ['price', 'brand'], facets: { brand: { limit: 2 }, price: alpha } }
    const high = { order: ['price', 'brand'], facets: { brand: { limit: 3 }, price: alpha } }
    assert.deepEqual(await shown(both), plain)
    assert.deepEqual(await shown({ ...both, q: 'shoe' }), low)
    assert.deepEqual(await shown({ ...both, q: 'trail shoe' }), high)
    assert.deepEqual(await shown({ ...both, q: 'trail shoe' }, '/v1/filters'), high)
    assert.deepEqual(await shown({ ...both, q: 'trail shoe', apply_rules: false }), plain)
    const { live, preview } = (
      await write('POST', 'rules/preview', {
        rule: { id: 'low', facet_display: { hide: ['price'] } },
        search: { q: 'shoe', ...both },
      })
    ).json()
    assert.deepEqual(live.facet_display, low)
    assert.deepEqual(preview.facet_display, { order: ['brand'], facets: { brand: alpha } })
    for (const id of ['low', 'high']) await write('DELETE', `rules/${id}`)
    await set(null)
  })

  test('is a setting like others: versions, If-Match, rollback, drafts', async () => {
    const read = await write('GET', 'settings')
    assert.equal(read.json().facet_display, null)
    const etag = String(read.headers['etag'])
    const patch = { facet_display: { order: ['brand'] } }
    const first = await write('PATCH', 'settings', patch, { 'if-match': etag })
    assert.deepEqual(first.json().facet_display, { order: ['brand'] })
    const late = await write('PATCH', 'settings', patch, { 'if-match': etag })
    assert.equal(late.statusCode, 412)
    const draft = { facet_display: { hide: ['price'], order: null } }
    const searches = [{ q: '*', facet_by: 'brand,price' }]
    const compared = (await write('POST', 'relevance/compare', { draft, searches })).json()
    const [{ live, draft: drafted }] = compared.results
    assert.deepEqual(live.facet_display.order, ['brand', 'price'])
    assert.deepEqual(drafted.facet_display.order, ['brand'])
    assert.deepEqual((await shown(searches[0]!))?.order, ['brand', 'price'])
    const published = await write('POST', 'relevance/publish', { draft })
    assert.deepEqual(published.json().settings.facet_display, { hide: ['price'] })
    assert.deepEqual((await shown(searches[0]!))?.order, ['brand'])
    const { version } = read.json()
    await write('POST', 'settings/rollback', { version })
    assert.equal(await shown(searches[0]!), undefined)
    const emptied = await write('PATCH', 'settings', { facet_display: {} })
    assert.equal(emptied.json().facet_display, null)
  })

  test('bad input is refused with its code and its place, as a setting and in rules', async () => {
    const long = Array.from({ length: 201 }, () => 'brand')
    const table: readonly (readonly [value: unknown, code: string, param: string])[] = [
      ['brand', 'invalid_parameter', ''],
      [{ sort: 'count' }, 'invalid_parameter', '.sort'],
      [{ order: 'brand' }, 'invalid_parameter', '.order'],
      [{ order: [''] }, 'invalid_parameter', '.order[0]'],
      [{ order: [7] }, 'invalid_parameter', '.order[0]'],
      [{ order: long }, 'invalid_parameter', '.order'],
      [{ order: ['colour'] }, 'unknown_field', '.order[0]'],
      [{ order: ['title'] }, 'field_not_facetable', '.order[0]'],
      [{ order: ['brand', 'brand'] }, 'invalid_parameter', '.order[1]'],
      [{ order: ['brand'], hide: ['brand'] }, 'invalid_parameter', '.hide[0]'],
      [{ facets: [] }, 'invalid_parameter', '.facets'],
      [{ facets: { brand: 'alpha' } }, 'invalid_parameter', '.facets.brand'],
      [{ facets: { colour: {} } }, 'unknown_field', '.facets.colour'],
      [{ facets: { brand: { sort: 'size' } } }, 'invalid_parameter', '.facets.brand.sort'],
      [{ facets: { brand: { limit: 0 } } }, 'invalid_parameter', '.facets.brand.limit'],
      [{ facets: { brand: { limit: 1.5 } } }, 'invalid_parameter', '.facets.brand.limit'],
      [{ facets: { brand: { pin: [''] } } }, 'invalid_parameter', '.facets.brand.pin[0]'],
      [{ facets: { brand: { pin: ['a', 'a'] } } }, 'invalid_parameter', '.facets.brand.pin[1]'],
      [{ facets: { brand: { sort: 'pinned' } } }, 'invalid_parameter', '.facets.brand.pin'],
      [{ facets: { brand: { colour: 1 } } }, 'invalid_parameter', '.facets.brand.colour'],
    ]
    for (const [value, code, param] of table) {
      const setting = await write('PATCH', 'settings', { facet_display: value })
      const rule = await write('PUT', 'rules/bad', { facet_display: value })
      for (const answer of [setting, rule]) {
        const told = [answer.statusCode, answer.json().code, answer.json().param]
        assert.deepEqual(told, [400, code, `facet_display${param}`], answer.body)
      }
    }
    assert.equal((await write('GET', 'settings')).json().facet_display, null)
  })

  test('outlives a schema without its facets, in settings and in rules', async () => {
    const late = await testApp.createStore('late')
    const put = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) =>
      call({ method, url: `/api/v1/stores/late/${path}`, headers: late.write, body })
    const facet = (name: string) => ({ name, type: 'string', facet: true })
    await put('POST', 'schema', { fields: [facet('a'), facet('b')] })
    await put('PATCH', 'settings', { facet_display: { order: ['b', 'a'] } })
    await put('PUT', 'rules/r', { facet_display: { facets: { b: { limit: 1 } } }, banner: 'x' })
    await put('POST', 'schema', { mode: 'replace', fields: [facet('a')] })
    const answer = await call({ url: '/v1/search?q=*&facet_by=*', headers: late.read })
    const { facet_display: display, applied_rules: rules } = answer.json()
    assert.deepEqual([display, rules], [{ order: ['a'], facets: {} }, ['r']])
  })
})

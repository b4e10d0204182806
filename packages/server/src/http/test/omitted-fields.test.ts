import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

// Goal: what a store omits can be read by nobody who searches, whatever the request asks for.
// Method: every value of the omitted fields occurs nowhere else, and no answer may contain one.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('lamps')
const admin = `/api/v1/stores/${store.id}`

const write = async (url: string, body: unknown, method: 'POST' | 'PATCH' = 'POST') => {
  const answer = await testApp.call({ method, url: `${admin}${url}`, headers: store.write, body })
  assert.ok(answer.statusCode < 300, answer.body)
}
const patch = (body: unknown) =>
  testApp.call({ method: 'PATCH', url: `${admin}/settings`, headers: store.write, body })
await write('/schema', {
  fields: [
    { name: 'title', type: 'string', searchable: true },
    { name: 'brand', type: 'string', searchable: true, facet: true },
    { name: 'category', type: 'string', facet: true },
    { name: 'keywords', type: 'string', searchable: true },
    { name: 'cost', type: 'int32', facet: true, sort: true },
    { name: 'supplier', type: 'object' },
    { name: 'supplier.name', type: 'string', searchable: true, facet: true },
    { name: 'place', type: 'geopoint' },
  ],
})
await write('/documents/bulk', {
  documents: [
    {
      id: '1',
      title: 'Desk lamp',
      brand: 'Norrby',
      category: 'Lamps',
      keywords: 'secretword reading',
      cost: 4711,
      supplier: { name: 'Hiddenworks' },
      place: [48.8, 2.3],
    },
    { id: '2', title: 'Floor lamp', brand: 'Norrby', category: 'Lamps', cost: 4712 },
  ],
})
const OMITTED = ['cost', 'keywords', 'supplier', 'place', 'category']
const VALUES = /471[12]|secretword|Hiddenworks|48\.8|geo_distance|"Lamps"/

const ask = async (url: string, body: object, headers: Record<string, string> = store.read) =>
  testApp.call({ method: 'POST', url, headers, body })

const READS: readonly (readonly [string, string, object])[] = [
  ['a search', '/v1/search', { q: 'lamp' }],
  ['a search that asks for it', '/v1/search', { q: 'lamp', return_fields: OMITTED }],
  ['a search that omits something else', '/v1/search', { q: 'lamp', omit_fields: ['title'] }],
  ['a flat search', '/v1/search', { q: 'lamp', hit_format: 'flat' }],
  ['marks', '/v1/search', { q: 'secretword', search_fields: ['keywords'] }],
  [
    'snippets',
    '/v1/search',
    { q: 'lamp', include_snippets: true, full_snippet_fields: ['keywords', 'supplier.name'] },
  ],
  ['all facets', '/v1/search', { q: '*', facet_by: '*' }],
  ['facets of an object', '/v1/search', { q: '*', facet_by: 'supplier.*' }],
  ['an order', '/v1/search', { q: '*', sort_by: 'cost:desc' }],
  ['a distance', '/v1/search', { q: '*', sort_by: 'place(48, 2):asc' }],
  ['grouped hits', '/v1/search', { q: '*', group_by: 'brand' }],
  ['an explanation', '/v1/search', { q: 'lamp', explain: true }],
  ['several searches', '/v1/multi-search', { queries: [{ q: 'lamp', facet_by: '*' }] }],
  ['all filters', '/v1/filters', {}],
  ['recommendations', '/v1/recommendations', { kind: 'trending', return_fields: OMITTED }],
  [
    'suggestions',
    '/v1/suggestions/queries',
    {
      q: 'lamp',
      include_dropdown_product_list: true,
      include_dropdown_recommendations: true,
      include_facets: true,
      include_categories: true,
    },
  ],
  ['tabs', '/v1/suggestions/queries', { q: 'lamp', tabs: [{ label: 'All' }] }],
]

suite('fields that a store omits', () => {
  test('would be answered without the setting', async () => {
    for (const [name, url, body] of READS.slice(0, 2)) {
      assert.match((await ask(url, body)).body, VALUES, name)
    }
  })

  test('are in no answer to who searches', async () => {
    const card = { metadata: ['cost', 'brand'], price: 'cost' }
    const changed = await patch({ omit_fields: OMITTED, product_card: card })
    assert.equal(changed.statusCode, 200, changed.body)
    assert.deepEqual(changed.json().omit_fields, OMITTED)
    for (const [name, url, body] of READS) {
      const answer = await ask(url, body)
      assert.equal(answer.statusCode, 200, `${name}: ${answer.body}`)
      assert.doesNotMatch(answer.body, VALUES, name)
    }
    const { hits, warnings } = (await ask('/v1/search', { q: 'secretword' })).json()
    assert.deepEqual(
      hits.map(({ id }: { id: string }) => id),
      ['1'],
      'words of it are found',
    )
    assert.equal(warnings, undefined)
    const ordered = (await ask('/v1/search', { q: '*', sort_by: 'cost:desc' })).json()
    assert.equal(ordered.hits[0].id, '2', 'it orders results')
  })

  test('are neither facets nor groups', async () => {
    const facets = await ask('/v1/search', { q: '*', facet_by: 'cost' })
    assert.equal(facets.json().code, 'field_not_facetable', facets.body)
    const searched = await ask('/v1/search', { q: '*', facet_query: 'category:la' })
    assert.equal(searched.json().code, 'field_not_facetable')
    const groups = await ask('/v1/search', { q: '*', group_by: 'cost' })
    assert.equal(groups.statusCode, 400)
    assert.match(groups.body, /Cannot group by `cost`/)
  })

  test('are in a document for the write secret alone', async () => {
    const read = async (headers: Record<string, string>) =>
      (await testApp.call({ url: `${admin}/documents/1`, headers })).json().data
    assert.deepEqual(await read(store.read), { title: 'Desk lamp', brand: 'Norrby' })
    assert.equal((await read(store.write)).cost, 4711)
    assert.equal((await read({ ...store.write, ...store.read })).cost, 4711)
  })

  test('must be in the schema when they are set, and may be gone later', async () => {
    const refused = await patch({ omit_fields: ['cots'] })
    assert.equal(refused.statusCode, 400)
    assert.match(refused.body, /Did you mean `cost`/)
    await write('/schema', {
      mode: 'replace',
      fields: [{ name: 'title', type: 'string', searchable: true }],
    })
    const answer = await ask('/v1/search', { q: 'lamp' })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.json().warnings, undefined)
  })
})

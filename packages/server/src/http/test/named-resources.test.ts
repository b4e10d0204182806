import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, fillStore, type TestRequest } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shop')
await fillStore(testApp, store)

const BASE = `/api/v1/stores/${store.id}`
const call = (method: TestRequest['method'] & string, path: string, body?: unknown) =>
  testApp.call({ method, url: `${BASE}/${path}`, headers: store.write, body })
const search = (body: object, url = '/v1/search') =>
  testApp.call({ method: 'POST', url, headers: store.read, body })
const found = async (body: object): Promise<number> => (await search(body)).json().found

const KINDS = [
  {
    path: 'synonym-sets',
    key: 'synonym_sets',
    notFound: 'synonym_set_not_found',
    body: { items: [{ id: '7', synonyms: ['shoe', 'sneaker'] }] },
    kept: { items: [{ id: '7', synonyms: ['shoe', 'sneaker'] }], default: false },
  },
  {
    path: 'stopword-sets',
    key: 'stopword_sets',
    notFound: 'stopword_set_not_found',
    body: { stopwords: ['cheap'] },
    kept: { stopwords: ['cheap'], default: false },
  },
  {
    path: 'presets',
    key: 'presets',
    notFound: 'preset_not_found',
    body: { value: { per_page: 1, filters: { stock: { min: 1 } } } },
    kept: { value: { per_page: 1, filters: { stock: { min: 1 } } } },
  },
] as const

for (const { path, key, notFound, body, kept } of KINDS) {
  suite(path, () => {
    test('are made, read, listed, replaced and deleted', async () => {
      const absent = await call('GET', `${path}/none`)
      assert.deepEqual([absent.statusCode, absent.json().code], [404, notFound])
      const put = await call('PUT', `${path}/my%20name`, body)
      assert.equal(put.statusCode, 200, put.body)
      assert.deepEqual(put.json(), { name: 'my name', ...kept })
      assert.equal((await call('PUT', `${path}/my%20name`, body)).body, put.body)
      assert.equal((await call('GET', `${path}/my%20name`)).body, put.body)
      await call('PUT', `${path}/Another`, body)
      const list = (await call('GET', path)).json()[key]
      assert.deepEqual(
        list.map((one: { name: string }) => one.name),
        ['Another', 'my name'],
      )
      const deleted = await call('DELETE', `${path}/my%20name`)
      assert.deepEqual(deleted.json(), { name: 'my name', status: 'deleted' })
      const again = await call('DELETE', `${path}/my%20name`)
      assert.deepEqual([again.statusCode, again.json().code], [404, notFound])
      await call('DELETE', `${path}/Another`)
      assert.deepEqual((await call('GET', path)).json()[key], [])
    })

    for (const name of ['%20x', 'a%2Cb', 'a%2Fb', '%00', 'x'.repeat(129), '%F0%9F%91%9F']) {
      test(`the name ${name.slice(0, 20)} is 400`, async () => {
        const answer = await call('PUT', `${path}/${name}`, body)
        assert.deepEqual([answer.statusCode, answer.json().param], [400, 'name'], answer.body)
      })
    }
  })
}

suite('bad bodies', () => {
  const refused: readonly (readonly [string, unknown, string, string?])[] = [
    ['synonym-sets/x', '', 'malformed_json'],
    ['synonym-sets/x', {}, 'missing_parameter', 'items'],
    ['synonym-sets/x', { items: {} }, 'invalid_parameter', 'items'],
    ['synonym-sets/x', { items: [{ root: 'a' }] }, 'missing_parameter', 'items[0].synonyms'],
    ['synonym-sets/x', { items: [{ synonyms: ['a'] }] }, 'invalid_parameter', 'items[0].synonyms'],
    [
      'synonym-sets/x',
      { items: [{ synonyms: ['a', 5] }] },
      'invalid_parameter',
      'items[0].synonyms[1]',
    ],
    [
      'synonym-sets/x',
      { items: [{ synonyms: ['a', '…'] }] },
      'invalid_parameter',
      'items[0].synonyms[1]',
    ],
    ['synonym-sets/x', { items: [], synonyms: 1 }, 'invalid_parameter', 'synonyms'],
    ['synonym-sets/x', { items: [], default: 'yes' }, 'invalid_parameter', 'default'],
    ['stopword-sets/x', {}, 'missing_parameter', 'stopwords'],
    ['stopword-sets/x', { stopwords: 'a' }, 'invalid_parameter', 'stopwords'],
    ['stopword-sets/x', { stopwords: ['a', ''] }, 'invalid_parameter', 'stopwords[1]'],
    ['stopword-sets/x', { stopwords: ['a', '?'] }, 'invalid_parameter', 'stopwords[1]'],
    ['presets/x', { per_page: 5 }, 'missing_parameter', 'value'],
    ['presets/x', { value: [] }, 'invalid_parameter', 'value'],
    ['presets/x', { value: { per_page: 300 } }, 'invalid_parameter', 'value.per_page'],
    ['presets/x', { value: { perpage: 3 } }, 'invalid_parameter', 'value.perpage'],
    ['presets/x', { value: { preset_name: 'y' } }, 'invalid_parameter', 'value.preset_name'],
    ['presets/x', { value: { filter_by: 'colour:red' } }, 'unknown_field', 'value.filter_by'],
    ['presets/x', { value: { filter_by: 'price:<' } }, 'invalid_filter', 'value.filter_by'],
    ['presets/x', { value: { sort_by: 'title' } }, 'field_not_sortable', 'value.sort_by'],
    ['presets/x', { value: { search_fields: ['x'] } }, 'unknown_field', 'value.search_fields[0]'],
    ['presets/x', { value: { synonym_sets: ['none'] } }, 'unknown_set', 'value.synonym_sets[0]'],
  ]
  for (const [path, body, code, param] of refused) {
    test(`${path} ${JSON.stringify(body)} is 400 ${code}`, async () => {
      const answer = await call('PUT', path, body)
      const { code: actual, param: at } = answer.json()
      assert.deepEqual([answer.statusCode, actual, at], [400, code, param], answer.body)
    })
  }
})

suite('sets in searches', () => {
  test('a stopword set leaves its words out when it is named, or is there by default', async () => {
    const q = { q: 'trail gadget', require_all_terms: true }
    assert.equal(await found(q), 0)
    await call('PUT', 'stopword-sets/noise', { stopwords: ['gadget'] })
    assert.equal(await found(q), 0)
    assert.equal(await found({ ...q, stopword_sets: ['noise'] }), 2)
    await call('PUT', 'stopword-sets/noise', { stopwords: ['gadget'], default: true })
    assert.equal(await found(q), 2)
    assert.equal(await found({ ...q, stopword_sets: [] }), 0)
    const got = await testApp.call({
      url: '/v1/search?q=trail+gadget&require_all_terms=1&stopword_sets=noise',
      headers: store.read,
    })
    assert.equal(got.json().found, 2)
    assert.equal(await found({ ...q, stopwords: false }), 0)
    assert.equal(await found({ ...q, stopwords: false, stopword_sets: ['noise'] }), 0)
    await call('DELETE', 'stopword-sets/noise')
    assert.equal(await found(q), 0)
  })

  for (const [param, url] of [
    ['synonym_sets', '/v1/search'],
    ['stopword_sets', '/v1/search'],
    ['synonym_sets', '/v1/filters'],
  ] as const) {
    test(`an unknown name in ${param} of ${url} is 400 unknown_set`, async () => {
      const answer = await search({ q: 'a', [param]: ['none'] }, url)
      const { code, param: at } = answer.json()
      assert.deepEqual([answer.statusCode, code, at], [400, 'unknown_set', `${param}[0]`])
    })
  }

  test('a set of one store is none of another', async () => {
    const other = await testApp.createStore('other')
    await call('PUT', 'stopword-sets/mine', { stopwords: ['x'] })
    const answer = await testApp.call({
      method: 'POST',
      url: '/v1/search',
      headers: other.read,
      body: { q: '*', stopword_sets: ['mine'] },
    })
    assert.equal(answer.json().code, 'unknown_set')
  })
})

suite('presets in searches', () => {
  test('those of the request win, also when the preset has the query', async () => {
    const value =
      '{"q":"shoe","per_page":1,"facet_by":"brand","filters":{"stock":9007199254740993}}'
    await call('PUT', 'presets/front', `{"value":${value}}`)
    const kept = await call('GET', 'presets/front')
    assert.match(kept.body, /9007199254740993/)
    const preset = { preset_name: 'front' }
    const plain = (await search({ ...preset, filters: {} })).json()
    assert.deepEqual([plain.found, plain.per_page, plain.warnings], [2, 1, undefined])
    assert.deepEqual(plain.facets.brand, [{ value: 'Fells', count: 2 }])
    assert.equal(await found(preset), 0)
    const own = (await search({ ...preset, filters: {}, q: 'red', per_page: 5 })).json()
    assert.deepEqual([own.found, own.per_page], [2, 5])
    const got = await testApp.call({
      url: '/v1/search?preset_name=front&filters={}',
      headers: store.read,
    })
    assert.equal(got.json().found, 2)
  })

  test('they serve multi-search and filters, which takes what it knows of them', async () => {
    await call('PUT', 'presets/red', { value: { q: 'red', per_page: 1, facet_by: 'brand' } })
    const multi = { queries: [{ preset_name: 'red' }, { preset_name: 'none' }] }
    const { results } = (await search(multi, '/v1/multi-search')).json()
    assert.deepEqual([results[0].found, results[1].code], [2, 'unknown_preset'])
    const filters = (await search({ preset_name: 'red' }, '/v1/filters')).json()
    assert.deepEqual(Object.keys(filters), ['facets'])
    assert.deepEqual(Object.keys(filters.facets), ['brand'])
  })

  test('an unknown one is 400 unknown_preset, one that is not a name 400 invalid_parameter', async () => {
    for (const [name, code] of [
      ['none', 'unknown_preset'],
      ['__proto__', 'unknown_preset'],
      [5, 'invalid_parameter'],
    ]) {
      for (const url of ['/v1/search', '/v1/filters']) {
        const answer = await search({ q: '*', preset_name: name }, url)
        const { code: actual, param } = answer.json()
        assert.deepEqual([answer.statusCode, actual, param], [400, code, 'preset_name'])
      }
    }
  })

  test('one that a new schema has made wrong is refused like a request', async () => {
    const late = await testApp.createStore('late')
    await fillStore(testApp, late)
    const url = `/api/v1/stores/late/presets/p`
    const headers = late.write
    await testApp.call({ method: 'PUT', url, headers, body: { value: { sort_by: 'price:asc' } } })
    await testApp.call({
      method: 'POST',
      url: '/api/v1/stores/late/schema',
      headers,
      body: { mode: 'replace', fields: [{ name: 'x', type: 'string', searchable: true }] },
    })
    const body = { q: '*', preset_name: 'p' }
    const answer = await testApp.call({ method: 'POST', url: '/v1/search', headers, body })
    assert.deepEqual([answer.statusCode, answer.json().code], [400, 'unknown_field'])
  })
})

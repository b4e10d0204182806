import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { HAS_VECTORS, until } from '@aisle/testing'
import { QueryVectorsForTest } from '../../ports/search/query-vectors-for-test.ts'
import { embeddersOf, WordEmbedder } from '../../ports/search/word-embedder-for-test.ts'
import { createTestApp, type TestApp, type TestStore } from './test-app.ts'

const synonyms = {
  flashlight: 'torch',
  lantern: 'torch',
  lamp: 'torch',
  cooker: 'stove',
  boots: 'shoe',
}
const embedder = new WordEmbedder({ synonyms })
const embedders = embeddersOf(embedder)
const queryVectors = new QueryVectorsForTest(embedders)

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'category', type: 'string[]', searchable: true, facet: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'line', type: 'string', facet: true },
]
const PRODUCTS = [
  {
    id: 'stove',
    data: { title: 'Gas stove', category: ['Camping', 'Camping > Stoves'], price: 40 },
  },
  { id: 'torch', data: { title: 'Torch', category: ['Light'], price: 20, line: 'a' } },
  { id: 'lamp', data: { title: 'Gas lamp', category: ['Light'], price: 30, line: 'a' } },
  { id: 'shoe', data: { title: 'Mountain shoe', category: ['Shoes'], price: 90 } },
]

const WITH_VECTORS = HAS_VECTORS ? {} : { skip: 'NOT RUN: this cluster runs no scripts' }

let shop: TestApp
let store: TestStore
let plain: TestStore

const settings = (semantic: object | null, of = store) =>
  shop.call({
    method: 'PATCH',
    url: `/api/v1/stores/${of.id}/settings`,
    headers: of.write,
    body: { semantic },
  })

const search = async (body: object, of = store) => {
  const answer = await shop.call({ method: 'POST', url: '/v1/search', headers: of.read, body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const idsOf = ({ hits }: { hits: { id: string }[] }) => hits.map(({ id }) => id)

const fill = async (of: TestStore): Promise<void> => {
  await shop.call({
    method: 'POST',
    url: `/api/v1/stores/${of.id}/schema`,
    headers: of.write,
    body: { fields: FIELDS },
  })
  const body = PRODUCTS.map((one) => JSON.stringify(one)).join('\n')
  const headers = { ...of.write, 'content-type': 'application/x-ndjson' }
  const answer = await shop.call({
    method: 'POST',
    url: `/api/v1/stores/${of.id}/documents/bulk`,
    headers,
    body,
  })
  assert.equal(answer.statusCode, 207, answer.body)
}

const embedded = (of = store) =>
  until('all documents have a vector', async () => {
    const answer = await shop.call({ url: `/api/v1/stores/${of.id}/settings`, headers: of.write })
    const { embedding } = answer.json()
    return embedding?.state === 'ready' && embedding.documents_done === PRODUCTS.length
  })

suite('the setting semantic', WITH_VECTORS, () => {
  before(async () => {
    shop = await createTestApp({}, { embedders, queryVectors })
    store = await shop.createStore('shop')
    plain = await shop.createStore('plain')
    await fill(store)
    await fill(plain)
  })
  after(() => shop[Symbol.asyncDispose]())

  test('is refused if it names what is not there', async () => {
    for (const [semantic, code, param] of [
      [{ embedder: 'words2' }, 'invalid_parameter', 'semantic.embedder'],
      [{ weight: 0.5 }, 'missing_parameter', 'semantic.embedder'],
      [{ embedder: 'words', fields: ['nope'] }, 'unknown_field', 'semantic.fields[0]'],
      [{ embedder: 'words', fields: ['price'] }, 'invalid_parameter', 'semantic.fields[0]'],
      [{ embedder: 'words', fields: [] }, 'invalid_parameter', 'semantic.fields'],
      [{ embedder: 'words', weight: 2 }, 'invalid_parameter', 'semantic.weight'],
      [{ embedder: 'words', min_similarity: -2 }, 'invalid_parameter', 'semantic.min_similarity'],
      [{ embedder: 'words', size: 1 }, 'invalid_parameter', 'semantic.size'],
    ] as const) {
      const answer = await settings(semantic)
      assert.equal(answer.statusCode, 400, JSON.stringify(semantic))
      assert.deepEqual([answer.json().code, answer.json().param], [code, param], answer.body)
    }
    const answer = await settings({ embedder: 'words2' })
    assert.match(answer.json().error, /embedder of this installation \(words\)/)
  })

  test('without it, on is an error, and all else is as before to the byte', async () => {
    const ask = (body: object) =>
      shop.call({ method: 'POST', url: '/v1/search', headers: plain.read, body })
    const refused = await ask({ q: 'torch', semantic: 'on' })
    assert.equal(refused.json().code, 'semantic_not_configured')
    const asked = queryVectors.asked.length
    const timeless = ({ body }: { body: string }) =>
      body.replace(/"search_id":"[^"]*"|"search_time_ms":[\d.]+/g, '')
    for (const q of ['torch', 'gas', '*', 'something for the mountains']) {
      const usual = timeless(await ask({ q, facet_by: 'category' }))
      assert.doesNotMatch(usual, /semantic/)
      for (const semantic of ['off', 'auto']) {
        assert.equal(timeless(await ask({ q, facet_by: 'category', semantic })), usual)
      }
    }
    assert.equal(queryVectors.asked.length, asked)
  })

  test('products are found by meaning, and counted', async () => {
    const set = await settings({ embedder: 'words', min_similarity: 0.5 })
    assert.equal(set.statusCode, 200)
    assert.equal(set.json().embedding?.embedder, 'words', set.body)
    await embedded()
    const found = await search({ q: 'flashlight', semantic: 'on', facet_by: 'category' })
    assert.deepEqual([idsOf(found), found.found, found.found_semantic], [['torch', 'lamp'], 2, 2])
    assert.equal(found.facet_counts[0].counts[0].value, 'Light')
    const off = await search({ q: 'flashlight', semantic: 'off' })
    assert.deepEqual([off.found, off.found_semantic, off.semantic], [0, undefined, undefined])
    const filters = await shop.call({
      method: 'POST',
      url: '/v1/filters',
      headers: store.read,
      body: { q: 'flashlight' },
    })
    assert.equal(filters.json().facets.category[0].value, 'Light')
    const both = await search({ q: 'gas lantern', explain: true })
    assert.deepEqual(idsOf(both).slice(0, 2), ['lamp', 'stove'])
    assert.ok(both.hits[0].explanation.meaning.similarity > 0.3)
    assert.equal(both.hits[0].vector_similarity, undefined)
  })

  test('a vector does not change the ETag of a document', async () => {
    const tagIn = async (of: TestStore) => {
      const url = `/api/v1/stores/${of.id}/documents/shoe`
      return (await shop.call({ url, headers: of.write })).headers['etag']
    }
    const tag = await tagIn(plain)
    assert.equal(typeof tag, 'string')
    assert.equal(await tagIn(store), tag)
    const written = await shop.call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/documents`,
      headers: { ...store.write, 'if-match': String(tag) },
      body: { id: 'shoe', action: 'update', data: { price: 90 } },
    })
    assert.equal(written.statusCode, 200, written.body)
    await embedded()
  })

  test('the settings and the store show progress', async () => {
    const { embedding, semantic } = (
      await shop.call({ url: '/api/v1/stores/shop/settings', headers: store.write })
    ).json()
    assert.deepEqual(embedding, {
      embedder: 'words',
      fields: ['title', 'category'],
      state: 'ready',
      documents_done: 4,
      documents_total: 4,
    })
    assert.deepEqual(semantic, {
      embedder: 'words',
      fields: null,
      weight: 0.3,
      questions: true,
      min_similarity: 0.5,
    })
    const metrics = await shop.call({ url: '/metrics' })
    assert.match(metrics.body, /aisle_documents_without_vector\{store="all"\} 0/)
  })

  test('a late vector makes the answer one by words, which is not cached', async () => {
    queryVectors.isLate = true
    const body = { q: 'cooker', cache_results: true }
    const late = await search(body)
    assert.deepEqual([late.found, late.semantic, late.cached], [0, 'skipped', false])
    const again = await search(body)
    assert.deepEqual([again.semantic, again.cached], ['skipped', false])
    queryVectors.isLate = false
    const inTime = await search(body)
    assert.deepEqual([idsOf(inTime), inTime.semantic, inTime.cached], [['stove'], undefined, false])
    assert.deepEqual([idsOf(await search(body)), (await search(body)).cached], [['stove'], true])
    const metrics = await shop.call({ url: '/metrics' })
    assert.match(metrics.body, /aisle_search_semantic_skipped_total\{store="all"\} 2/)
  })

  test('a word that is being typed is not waited for, a complete one is', async () => {
    const texts = () => queryVectors.asked.map(({ text }) => text)
    const asked = texts().length
    const typing = await search({ q: 'Mountain sho' })
    assert.equal(typing.semantic, 'skipped')
    assert.equal(texts().length, asked)
    for (const parameters of [
      { q: 'mountain shoe' },
      { q: 'mountain boots' },
      { q: 'Mountain  sto', prefix_mode: 'off' },
      { q: 'mountain tor', semantic: 'on' },
      { q: 'mountain la ' },
    ]) {
      assert.equal((await search(parameters)).semantic, undefined, JSON.stringify(parameters))
    }
    assert.deepEqual(texts().slice(asked), [
      'mountain shoe',
      'mountain boots',
      'mountain sto',
      'mountain tor',
      'mountain la',
    ])
    // Now it is cached.
    assert.equal((await search({ q: 'mountain tor' })).semantic, undefined)
  })

  test('other orders are as without it', async () => {
    const asked = queryVectors.asked.length
    const byPrice = await search({ q: 'flashlight', sort_by: 'price:asc', semantic: 'on' })
    assert.equal(byPrice.found, 0)
    assert.match(byPrice.warnings[0], /`semantic` has no effect/)
    assert.equal((await search({ q: '*' })).found, 4)
    assert.equal(queryVectors.asked.length, asked)
  })

  test('groups have what words and meaning find, and are counted', async () => {
    const parameters = { facet_by: 'category', facet_count: 'groups', explain: true }
    const grouped = await search({ q: 'flashlight', group_by: 'line', ...parameters })
    assert.equal(grouped.warnings, undefined)
    assert.deepEqual(
      [grouped.found, grouped.found_groups, grouped.found_semantic],
      [2, 1, 2],
      JSON.stringify(grouped),
    )
    const [group] = grouped.grouped_hits
    assert.deepEqual([group.group_key, group.found, idsOf(group)], [['a'], 2, ['torch', 'lamp']])
    assert.equal(group.hits[0].explanation.meaning.alone, true)
    assert.deepEqual(grouped.facet_counts[0].counts[0].count, 1)
    const apart = await search({ q: 'gas lantern', group_by: 'line', group_missing: 'apart' })
    const keys = apart.grouped_hits.map(({ group_key: [key] }: { group_key: unknown[] }) => key)
    assert.deepEqual([apart.found, apart.found_groups, keys], [2, 2, ['a', null]])
  })

  test('a setting that demands all words adds no products without any', async () => {
    const set = (value: unknown) =>
      shop.call({
        method: 'PATCH',
        url: '/api/v1/stores/shop/settings',
        headers: store.write,
        body: { ranking: { require_all_terms: value } },
      })
    assert.equal((await set(true)).statusCode, 200)
    assert.equal((await search({ q: 'flashlight' })).found, 0)
    assert.equal((await search({ q: 'flashlight', require_all_terms: 'auto' })).found, 2)
    assert.equal((await set('auto')).statusCode, 200)
    assert.equal((await search({ q: 'flashlight' })).found, 2)
    assert.equal((await search({ q: 'flashlight', min_relevance: 0.5 })).found, 0)
    assert.equal((await search({ q: 'flashlight', min_relevance: 0 })).found, 2)
  })

  test('a preset may turn it off', async () => {
    const put = await shop.call({
      method: 'PUT',
      url: '/api/v1/stores/shop/presets/plain',
      headers: store.write,
      body: { value: { semantic: 'off' } },
    })
    assert.equal(put.statusCode, 200, put.body)
    assert.equal((await search({ q: 'flashlight', preset_name: 'plain' })).found, 0)
    assert.equal((await search({ q: 'flashlight' })).found, 2)
  })

  test('its weight is that of the request, then of a rule, the preset, the setting', async () => {
    const put = async (path: string, body: object) => {
      const url = `/api/v1/stores/shop/${path}`
      const answer = await shop.call({ method: 'PUT', url, headers: store.write, body })
      assert.equal(answer.statusCode, 200, answer.body)
    }
    const weightOf = async (parameters: object): Promise<number | undefined> => {
      const body = { q: 'gas cooker', explain: true, ...parameters }
      return (await search(body)).hits[0]?.explanation?.meaning?.weight
    }
    await put('presets/strong', { value: { semantic_weight: 0.8 } })
    assert.equal(await weightOf({}), 0.3)
    assert.equal(await weightOf({ preset_name: 'strong' }), 0.8)
    assert.equal(await weightOf({ preset_name: 'strong', semantic_weight: 0 }), 0)
    await put('rules/gas', { when: [{ query: 'gas', match: 'contains' }], semantic_weight: 0.6 })
    assert.equal(await weightOf({}), 0.6)
    assert.equal(await weightOf({ preset_name: 'strong' }), 0.6)
    assert.equal(await weightOf({ semantic_weight: 0.1 }), 0.1)
    assert.equal(await weightOf({ semantic_weight: null }), 0.6)
    assert.equal(await weightOf({ q: 'mountain cooker' }), 0.3)
    const answer = await shop.call({
      method: 'PUT',
      url: '/api/v1/stores/shop/rules/bad',
      headers: store.write,
      body: { semantic_weight: 2 },
    })
    assert.deepEqual([answer.statusCode, answer.json().param], [400, 'semantic_weight'])
  })

  test('a rule turns it on or off, unless the request does', async () => {
    const rule = async (semantic: string, of: TestStore): Promise<void> => {
      const url = `/api/v1/stores/${of.id}/rules/light`
      const body = { when: [{ query: 'flashlight', match: 'contains' }], semantic }
      const answer = await shop.call({ method: 'PUT', url, headers: of.write, body })
      assert.equal(answer.statusCode, 200, answer.body)
    }
    const found = async (parameters: object) =>
      (await search({ q: 'flashlight', cache_results: true, ...parameters })).found
    const filters = async (parameters: object) => {
      const body = { q: 'flashlight', facet_by: 'category', ...parameters }
      const call = { method: 'POST', url: '/v1/filters', headers: store.read, body } as const
      return (await shop.call(call)).json().facets.category.length
    }
    await rule('off', store)
    assert.deepEqual([await found({}), await filters({})], [0, 0])
    assert.equal(await found({ semantic: 'auto' }), 0)
    assert.deepEqual([await found({ semantic: 'on' }), await filters({ semantic: 'on' })], [2, 1])
    assert.equal(await found({}), 0)
    await rule('on', store)
    assert.equal(await found({ preset_name: 'plain' }), 2)
    assert.equal(await found({ semantic: 'off' }), 0)
    // Without the setting, a rule does nothing, and does not fail.
    await rule('on', plain)
    assert.deepEqual((await search({ q: 'flashlight' }, plain)).applied_rules, ['light'])
  })

  test('null turns it off, and the vectors go', async () => {
    const answer = await settings({ embedder: null, weight: 0.5 } as object)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.json().semantic, null)
    assert.equal((await search({ q: 'flashlight' })).found, 0)
    await until('no vectors', async () => {
      const now = await shop.call({ url: '/api/v1/stores/shop/settings', headers: store.write })
      return now.json().embedding === undefined
    })
  })
})

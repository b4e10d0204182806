import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { SETTINGS_VERSIONS_MAX, type ScoreExplanation } from '@aisle/contract'
import { ADMIN_TOKEN, createTestApp, fillStore, type TestStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
let storeCount = 0

async function newStore(): Promise<TestStore> {
  const store = await testApp.createStore(`settings-${storeCount++}`)
  await fillStore(testApp, store)
  return store
}

const pathOf = (store: TestStore, path = '') => `/api/v1/stores/${store.id}/settings${path}`
const get = async (store: TestStore, path = '') =>
  (await testApp.call({ url: pathOf(store, path), headers: store.write })).json()
const patch = (store: TestStore, body: unknown) =>
  testApp.call({ method: 'PATCH', url: pathOf(store), headers: store.write, body })
const rollback = (store: TestStore, body: unknown) =>
  testApp.call({ method: 'POST', url: pathOf(store, '/rollback'), headers: store.write, body })
const search = async (store: TestStore, body: object) =>
  (await testApp.call({ method: 'POST', url: '/v1/search', headers: store.read, body })).json()
const idsOf = (answer: { hits: { id: string }[] }) => answer.hits.map((hit) => hit.id)

suite('settings', () => {
  test('have defaults, and a product card that is guessed', async () => {
    assert.deepEqual(await get(await newStore()), {
      language: 'en',
      symbols_to_index: [],
      token_separators: [],
      cors_origins: [],
      identity: 'open',
      interpretation: { mode: 'off', price_field: null, fields: null },
      ranking: {
        field_weights: null,
        sort_by: null,
        min_relevance: 0,
        popularity_weight: 0,
        learning: 'off',
        learning_limit: 0.2,
        numeric: null,
        personalize: null,
        accessories: 'off',
        typo_max: 2,
        typo_min_len_1: 4,
        typo_min_len_2: 7,
        typo_numbers: false,
        prefix_mode: 'always',
        infix_mode: 'off',
        require_all_terms: 'auto',
        exact_match_boost: null,
      },
      popularity_trial: null,
      distinct: null,
      embedders: [],
      semantic: null,
      facet_display: null,
      omit_fields: [],
      cache: { ttl_seconds: 60, max_bytes: 16_000_000 },
      quota: {
        searches_per_month: null,
        searches_used: 0,
        resets_at: '2026-02-01T00:00:00.000Z',
      },
      events: { retention_days: 400, max_bytes_per_day: 2_000_000_000 },
      product_card: {
        title: 'title',
        url: null,
        image: null,
        price: 'price',
        currency: null,
        category: null,
        brand: 'brand',
        metadata: [],
      },
      guessed: ['title', 'price', 'brand'],
      version: 0,
      analysis: { language: 'en', state: 'ready', documents_done: 4, documents_total: 4 },
    })
  })

  test('are changed by merging, null goes back to the default', async () => {
    const store = await newStore()
    const body = {
      product_card: { title: 'brand', metadata: ['stock'] },
      cache: { ttl_seconds: 5 },
    }
    const changed = (await patch(store, body)).json()
    assert.equal(changed.version, 1)
    assert.equal(changed.changed_at, new Date(testApp.time.nowMs).toISOString())
    assert.deepEqual([changed.product_card.title, changed.guessed], ['brand', ['price', 'brand']])
    const again = (
      await patch(store, { cache: { max_bytes: 0 }, product_card: { title: null } })
    ).json()
    assert.deepEqual(again.cache, { ttl_seconds: 5, max_bytes: 0 })
    assert.deepEqual([again.product_card.title, again.product_card.metadata], ['title', ['stock']])
    assert.deepEqual(await get(store), again)
  })

  test('that change nothing make no version', async () => {
    const store = await newStore()
    await patch(store, { cache: { ttl_seconds: 5 } })
    assert.equal((await patch(store, { cache: { ttl_seconds: 5 } })).json().version, 1)
    assert.equal((await patch(store, {})).json().version, 1)
  })

  test('changes at the same time all count', async () => {
    const store = await newStore()
    const parts = [
      { cache: { ttl_seconds: 7 } },
      { quota: { searches_per_month: 9 } },
      { cors_origins: ['https://a.example'] },
    ]
    await Promise.all(parts.map((body) => patch(store, body)))
    const settings = await get(store)
    assert.deepEqual(
      [settings.version, settings.cache.ttl_seconds, settings.quota.searches_per_month],
      [3, 7, 9],
    )
  })

  const refused: readonly (readonly [unknown, string, string?])[] = [
    ['', 'malformed_json'],
    [[], 'invalid_parameter'],
    [{ colour: 1 }, 'invalid_parameter', 'colour'],
    [{ language: 5 }, 'invalid_parameter', 'language'],
    [{ language: 'not a language' }, 'invalid_parameter', 'language'],
    [{ cache: { ttl_seconds: 0 } }, 'invalid_parameter', 'cache.ttl_seconds'],
    [{ cache: { ttl: 1 } }, 'invalid_parameter', 'cache.ttl'],
    [{ cors_origins: 'https://a.example' }, 'invalid_parameter', 'cors_origins'],
    [{ cors_origins: ['https://a.example/'] }, 'invalid_parameter', 'cors_origins[0]'],
    [{ cors_origins: ['*', 'ftp://a.example'] }, 'invalid_parameter', 'cors_origins[1]'],
    [
      { ranking: { field_weights: { title: -1 } } },
      'invalid_parameter',
      'ranking.field_weights.title',
    ],
    [{ ranking: { field_weights: { titel: 1 } } }, 'unknown_field', 'ranking.field_weights.titel'],
    [
      { ranking: { field_weights: { price: 1 } } },
      'field_not_searchable',
      'ranking.field_weights.price',
    ],
    [{ ranking: { min_relevance: 1.5 } }, 'invalid_parameter', 'ranking.min_relevance'],
    [{ ranking: { min_relevance: '0.5' } }, 'invalid_parameter', 'ranking.min_relevance'],
    [{ ranking: { sort_by: 'price:up' } }, 'invalid_sort', 'ranking.sort_by'],
    [{ ranking: { sort_by: 'title' } }, 'field_not_sortable', 'ranking.sort_by'],
    [{ product_card: { title: 'titel' } }, 'unknown_field', 'product_card.title'],
    [{ product_card: { metadata: ['x'] } }, 'unknown_field', 'product_card.metadata[0]'],
    ['{"__proto__":{"language":"de"}}', 'invalid_parameter', '__proto__'],
  ]
  test('that are wrong are refused as a whole', async () => {
    const store = await newStore()
    for (const [body, code, param] of refused) {
      const answer = await patch(store, body)
      const { code: actual, param: at } = answer.json()
      assert.deepEqual([answer.statusCode, actual, at], [400, code, param], answer.body)
    }
    assert.equal((await get(store)).version, 0)
  })

  test('keep a history, and go back to any version in it', async () => {
    const store = await newStore()
    await patch(store, { cache: { ttl_seconds: 1 } })
    await patch(store, { cache: { ttl_seconds: 2 }, language: 'de' })
    const { versions } = await get(store, '/history')
    assert.deepEqual(
      versions.map((one: { version: number; settings: object }) => [one.version, one.settings]),
      [
        [2, { cache: { ttl_seconds: 2 }, language: 'de' }],
        [1, { cache: { ttl_seconds: 1 } }],
        [0, {}],
      ],
    )
    const back = (await rollback(store, { version: 1 })).json()
    assert.deepEqual([back.version, back.cache.ttl_seconds, back.language], [3, 1, 'en'])
    await until('the former language', async () => (await get(store)).analysis.language === 'en')
    const first = (await rollback(store, { version: 0 })).json()
    assert.deepEqual([first.version, first.cache.ttl_seconds], [4, 60])
    for (const [body, code] of [
      [{ version: 9 }, 'invalid_parameter'],
      [{ version: -1 }, 'invalid_parameter'],
      [{}, 'missing_parameter'],
    ]) {
      const answer = await rollback(store, body)
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code])
    }
  })

  test('keep a limited number of versions', async () => {
    const store = await newStore()
    for (let i = 1; i <= SETTINGS_VERSIONS_MAX + 2; i++)
      await patch(store, { cache: { ttl_seconds: i } })
    const { versions } = await get(store, '/history')
    assert.deepEqual(
      [versions.length, versions[0].version, versions.at(-1).version],
      [SETTINGS_VERSIONS_MAX, SETTINGS_VERSIONS_MAX + 2, 3],
    )
  })
})

suite('settings in searches', () => {
  test('what is hardly relevant is left out, by the request, its preset, or the settings', async () => {
    const store = await newStore()
    const found = async (body: object, url = '/v1/search') => {
      const asked = { q: 'red trail shoe', sort_by: 'price:asc', facet_by: 'brand', ...body }
      const answer = await testApp.call({ method: 'POST', url, headers: store.read, body: asked })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }
    const ids = async (body: object) =>
      (await found(body)).hits.map(({ id }: { id: string }) => id).join('')
    const brands = (answer: { facets: { brand: { value: string }[] } }) =>
      answer.facets.brand.map(({ value }) => value)
    assert.equal(await ids({}), '123')
    assert.equal(await ids({ min_relevance: 0.5 }), '12')
    const pages = []
    for (const page of [1, 2, 3]) {
      const answer = await found({ min_relevance: 0.5, per_page: 1, page })
      assert.deepEqual([answer.found, answer.total_pages], [2, 2])
      assert.deepEqual(brands(answer), ['Fells'])
      pages.push(answer.hits.map(({ id }: { id: string }) => id).join(''))
    }
    assert.deepEqual(pages, ['1', '2', ''])
    // Filters do not affect relevance.
    assert.equal(await ids({ min_relevance: 0.5, filter_by: 'brand:=Norrby' }), '')

    await patch(store, { ranking: { min_relevance: 0.5 } })
    assert.equal(await ids({}), '12')
    assert.equal(await ids({ min_relevance: 0 }), '123')
    assert.deepEqual(brands(await found({ sort_by: undefined }, '/v1/filters')), ['Fells'])
    await testApp.call({
      method: 'PUT',
      url: `/api/v1/stores/${store.id}/presets/all`,
      headers: store.write,
      body: { value: { min_relevance: 0 } },
    })
    assert.equal(await ids({ preset_name: 'all' }), '123')
    assert.equal(await ids({ q: '*' }), '4123')
    await patch(store, { ranking: { min_relevance: null } })
    assert.equal(await ids({}), '123')
  })

  test('the ranking of the request wins, then the preset, then the settings', async () => {
    const store = await newStore()
    await patch(store, { ranking: { sort_by: 'price:desc', field_weights: { brand: 9 } } })
    const url = `/api/v1/stores/${store.id}/presets/cheap`
    const body = { value: { sort_by: 'price:asc' } }
    await testApp.call({ method: 'PUT', url, headers: store.write, body })
    assert.deepEqual(idsOf(await search(store, { q: '*' })), ['3', '2', '1', '4'])
    assert.deepEqual(idsOf(await search(store, { q: '*', preset_name: 'cheap' })), [
      '4',
      '1',
      '2',
      '3',
    ])
    const own = { q: '*', preset_name: 'cheap', sort_by: 'stock:desc' }
    assert.deepEqual(idsOf(await search(store, own)).slice(0, 2), ['3', '1'])
    const narrow = await search(store, { q: 'red', search_fields: ['title'] })
    assert.deepEqual([narrow.found, narrow.warnings], [2, undefined])
  })

  test('accessories come behind the things themselves, and the answer says why', async () => {
    const store = await newStore()
    await testApp.call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/documents/bulk`,
      headers: store.write,
      body: {
        documents: [
          { id: '8', title: 'Nova 5 phone in black with charger' },
          { id: '9', title: 'Case for Nova 5' },
        ],
      },
    })
    const asked = { q: 'nova 5', explain: true }
    const before = await search(store, asked)
    assert.deepEqual(idsOf(before), ['8', '9'])
    assert.equal('leading' in before.hits[0].explanation, false)
    const changed = (await patch(store, { ranking: { accessories: 'down' } })).json()
    assert.equal(changed.ranking.accessories, 'down')
    const { hits } = await search(store, asked)
    assert.deepEqual(
      hits.map(({ id, explanation }: { id: string; explanation: ScoreExplanation }) => [
        id,
        explanation.leading!.map(({ word }) => word),
      ]),
      [
        ['8', ['nova', '5']],
        ['9', []],
      ],
    )
    const refused = await patch(store, { ranking: { accessories: 'up' } })
    assert.equal(refused.statusCode, 400)
    assert.equal(refused.json().param, 'ranking.accessories')
    await patch(store, { ranking: { accessories: null } })
    assert.deepEqual(idsOf(await search(store, asked)), ['8', '9'])
  })

  test('weights of 0 leave a field out, of filters too', async () => {
    const store = await newStore()
    await patch(store, { ranking: { field_weights: { title: 0 } } })
    assert.deepEqual(idsOf(await search(store, { q: 'red' })), ['1'])
    const headers = store.read
    const answer = await testApp.call({
      method: 'POST',
      url: '/v1/filters',
      headers,
      body: { q: 'red' },
    })
    assert.deepEqual(answer.json().facets.brand, [{ value: 'Fells', count: 1 }])
    assert.equal((await search(store, { q: 'red', field_weights: { title: 1 } })).found, 2)
  })

  test('what a new schema has made wrong counts for nothing, and keeps nobody from other changes', async () => {
    const store = await newStore()
    await patch(store, {
      ranking: { sort_by: 'price:desc', field_weights: { title: 3 } },
      product_card: { image: 'brand' },
    })
    await testApp.call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/schema`,
      headers: store.write,
      body: { mode: 'replace', fields: [{ name: 'x', type: 'string', searchable: true }] },
    })
    assert.equal((await search(store, { q: 'a' })).found, 0)
    assert.equal((await patch(store, { language: 'fr' })).json().language, 'fr')
  })

  test('a language changes what is found, and is seen in the store', async () => {
    const store = await newStore()
    const found = async (q: string) =>
      (await search(store, { q, typo_max: 0, prefix_mode: 'off' })).found
    assert.equal(await found('shoes'), 2)
    const changed = (await patch(store, { language: 'TLH' })).json()
    assert.equal(changed.language, 'tlh')
    const analysis = async () => {
      const url = `/api/v1/admin/stores/${store.id}`
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
      return (await testApp.call({ url, headers })).json().analysis
    }
    // Until then what was found before is found as before.
    await until('the other language', async () => (await analysis()).state === 'ready')
    assert.equal(await found('shoes'), 0)
    assert.equal(await found('shoe'), 2)
    assert.deepEqual(await analysis(), {
      language: 'tlh',
      state: 'ready',
      documents_done: 4,
      documents_total: 4,
    })
  })
})

suite('cross-origin calls', () => {
  const SHOP = 'https://shop.example'

  test('no store answers them unless it lists the origin', async () => {
    const store = await newStore()
    const call = (origin: string, headers = store.read, method: 'POST' | 'GET' = 'POST') =>
      testApp.call({
        method,
        url: '/v1/search?q=*',
        headers: { ...headers, origin },
        ...(method === 'POST' ? { body: { q: '*' } } : {}),
      })
    const allowed = (answer: { headers: Record<string, unknown> }) =>
      answer.headers['access-control-allow-origin']
    assert.equal(allowed(await call(SHOP)), undefined)
    await patch(store, { cors_origins: [SHOP] })
    const answer = await call(SHOP)
    assert.deepEqual(
      [answer.statusCode, allowed(answer), String(answer.headers['vary']).split(',')[0]],
      [200, SHOP, 'origin'],
    )
    assert.match(String(answer.headers['access-control-expose-headers']), /x-request-id/)
    assert.equal(allowed(await call(SHOP, store.read, 'GET')), SHOP)
    assert.equal(allowed(await call('https://evil.example')), undefined)
    assert.equal(allowed(await call('null')), undefined)
    const other = await newStore()
    assert.equal(allowed(await call(SHOP, other.read)), undefined)
    const wrong = await call(SHOP, { 'x-storeid': store.id, 'x-storesecret': 'wrong' })
    assert.deepEqual([wrong.statusCode, allowed(wrong)], [401, undefined])
    const bad = await testApp.call({
      method: 'POST',
      url: '/v1/search',
      headers: { ...store.read, origin: SHOP },
      body: {},
    })
    assert.deepEqual([bad.statusCode, allowed(bad)], [400, SHOP], 'a page may read its errors')
  })

  test('preflights are answered for read routes of listed origins alone', async () => {
    const store = await newStore()
    await patch(store, { cors_origins: ['https://pre.example'] })
    const preflight = (url: string, origin: string, method = 'POST') =>
      testApp.call({
        method: 'OPTIONS',
        url,
        headers: { origin, 'access-control-request-method': method },
      })
    const good = await preflight('/v1/search', 'https://pre.example')
    assert.deepEqual(
      [
        good.statusCode,
        good.headers['access-control-allow-origin'],
        good.headers['access-control-allow-methods'],
      ],
      [204, 'https://pre.example', 'POST'],
    )
    assert.match(String(good.headers['access-control-allow-headers']), /x-storesecret/)
    assert.doesNotMatch(String(good.headers['access-control-allow-headers']), /write/)
    const documents = `/api/v1/stores/${store.id}/documents/1`
    assert.equal((await preflight(documents, 'https://pre.example', 'GET')).statusCode, 204)
    for (const [url, origin, method, status] of [
      ['/v1/search', 'https://other.example', 'POST', 403],
      ['/v1/search', 'https://pre.example', 'DELETE', 405],
      [documents, 'https://pre.example', 'DELETE', 405],
      [pathOf(store), 'https://pre.example', 'GET', 405],
      ['/api/v1/stores/none/documents/1', 'https://pre.example', 'GET', 403],
    ] as const) {
      const answer = await preflight(url, origin, method)
      assert.equal(answer.statusCode, status, url)
      assert.equal(answer.headers['access-control-allow-origin'], undefined)
      if (status !== 403) continue
      const { error, code, param } = answer.json()
      assert.deepEqual([code, param], ['forbidden', 'cors_origins'])
      assert.equal(
        error,
        `Pages of "${origin}" may not call this route: add the origin to the setting cors_origins of the store`,
      )
    }
    const star = await newStore()
    await patch(star, { cors_origins: ['*'] })
    assert.equal((await preflight('/v1/search', 'https://any.example')).statusCode, 204)
  })
})

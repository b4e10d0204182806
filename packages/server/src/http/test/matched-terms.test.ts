import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { makeScopedToken } from '@aisle/client'
import { ADMIN_TOKEN, createTestApp } from './test-app.ts'

// Goal: a shop that has set nothing shows products with all words of a query while there are
// enough. Method: 12 red shoes, 3 of them of wool, and products that have one of the words.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call, time } = testApp
const store = await testApp.createStore('shop')

const send = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) => {
  const url = `/api/v1/stores/shop/${path}`
  const answer = await call({ method, url, headers: store.write, body })
  assert.ok(answer.statusCode < 300, answer.body)
}
const search = async (body: object, headers: Record<string, string> = store.read) => {
  const answer = await call({ method: 'POST', url: '/v1/search', headers, body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
/** How many are found, and of which words. */
const outcome = async (body: object, headers?: Record<string, string>) => {
  const { found, matched_terms: terms } = await search({ per_page: 0, ...body }, headers)
  return [found, terms]
}

before(async () => {
  const shoe = (i: number) => ({
    id: `shoe-${i}`,
    title: `Red shoe ${i < 3 ? 'of wool' : 'of leather'}`,
    tenant: i < 4 ? 'amber' : 'blue',
    price: 50 + i,
  })
  await send('POST', 'schema', {
    fields: [
      { name: 'title', type: 'string', searchable: true },
      { name: 'tenant', type: 'string', facet: true },
      { name: 'price', type: 'float', facet: true, sort: true },
    ],
  })
  await send('POST', 'documents/bulk', {
    documents: [
      ...Array.from({ length: 12 }, (_, i) => shoe(i)),
      { id: 'hat', title: 'Red hat', tenant: 'amber', price: 5 },
      { id: 'boot', title: 'Brown shoe', tenant: 'amber', price: 7 },
      { id: 'sock', title: 'Sock of wool', tenant: 'blue', price: 3 },
    ],
  })
})

suite('which words must match', () => {
  for (const [body, expected] of [
    [{ q: 'red shoe' }, [12, 'all']],
    [{ q: 'red shoe', require_all_terms: null }, [12, 'all']],
    [{ q: 'red shoe', require_all_terms: 'auto' }, [12, 'all']],
    [{ q: 'red shoe', require_all_terms: false }, [14, 'any']],
    [{ q: 'red shoe', require_all_terms: true }, [12, 'all']],
    // Any form, correction or beginning of a word counts.
    [{ q: 'red shoes' }, [12, 'all']],
    [{ q: 'red shoee' }, [12, 'all']],
    [{ q: 'red sho' }, [12, 'all']],
    // Only three have all of these words.
    [{ q: 'red shoe wool' }, [15, 'any']],
    [{ q: 'red shoe wool', require_all_terms: true }, [3, 'all']],
    // Little words, and words that no document has, decide nothing.
    [{ q: 'the red shoe' }, [12, 'all']],
    [{ q: 'red shoe qqqqqq' }, [12, 'all']],
    [{ q: 'red shoe qqqqqq', require_all_terms: true }, [0, 'all']],
    [{ q: 'wool' }, [4, 'all']],
    [{ q: '*' }, [15, 'all']],
    // Neither filters nor conditions of the query decide: they never add results.
    [{ q: 'red shoe', filter_by: 'price:<52' }, [2, 'all']],
    [{ q: 'red shoe', filters: { tenant: 'amber' } }, [4, 'all']],
    [{ q: 'red shoe -wool' }, [9, 'all']],
    [{ q: 'red shoe "of wool"' }, [4, 'any']],
    [{ q: 'red shoe', filter_by: 'price:<10', sort_by: 'price:asc' }, [0, 'all']],
    [{ q: 'red shoe', page: 9, per_page: 10 }, [12, 'all']],
    [{ q: 'red shoe', min_relevance: 0.9 }, [12, 'all']],
    [{ q: 'red shoe', group_by: ['tenant'] }, [12, 'all']],
  ] as const) {
    test(`${JSON.stringify(body)} finds ${expected.join(', ')}`, async () => {
      assert.deepEqual(await outcome(body), expected)
    })
  }

  test('facets, orders and groups are those of what is found', async () => {
    const answer = await search({ q: 'red shoe', facet_by: 'tenant', sort_by: 'price:asc' })
    assert.deepEqual(answer.facets.tenant, [
      { value: 'blue', count: 8 },
      { value: 'amber', count: 4 },
    ])
    assert.equal(answer.hits[0].id, 'shoe-0')
    const grouped = await search({ q: 'red shoe', group_by: ['tenant'], group_limit: 99 })
    assert.deepEqual(
      grouped.grouped_hits.map(({ found }: { found: number }) => found).toSorted(),
      [4, 8],
    )
    const url = '/v1/filters'
    const body = { q: 'red shoe', facet_by: 'tenant' }
    const filters = await call({ method: 'POST', url, headers: store.read, body })
    assert.deepEqual(filters.json().facets, answer.facets)
  })

  test('each query of a multi-search decides alone', async () => {
    const body = { queries: [{ q: 'red shoe' }, { q: 'red shoe wool' }] }
    const url = '/v1/multi-search'
    const { results } = (await call({ method: 'POST', url, headers: store.read, body })).json()
    assert.deepEqual(
      results.map((one: { matched_terms: string }) => one.matched_terms),
      ['all', 'any'],
    )
  })

  test('a search by GET may say so, too', async () => {
    for (const [value, expected] of [
      ['auto', 12],
      ['true', 12],
      ['0', 14],
    ] as const) {
      const url = `/v1/search?q=red+shoe&require_all_terms=${value}`
      assert.equal((await call({ method: 'GET', url, headers: store.read })).json().found, expected)
    }
    const url = '/v1/search?q=red+shoe&require_all_terms=perhaps'
    const refused = await call({ method: 'GET', url, headers: store.read })
    assert.deepEqual([refused.statusCode, refused.json().param], [400, 'require_all_terms'])
  })

  test('a setting or a preset decides for searches that say nothing', async () => {
    await send('PUT', 'presets/wide', { value: { require_all_terms: false } })
    assert.deepEqual(await outcome({ q: 'red shoe', preset_name: 'wide' }), [14, 'any'])
    await send('PATCH', 'settings', { ranking: { require_all_terms: false } })
    assert.deepEqual(await outcome({ q: 'red shoe' }), [14, 'any'])
    assert.deepEqual(await outcome({ q: 'red shoe', require_all_terms: 'auto' }), [12, 'all'])
    await send('PATCH', 'settings', { ranking: { require_all_terms: 'auto' } })
    assert.deepEqual(await outcome({ q: 'red shoe' }), [12, 'all'])
    await send('PATCH', 'settings', { ranking: { require_all_terms: null } })
  })

  test('a scoped token decides by what it lets see', async () => {
    const rotated = await call({
      method: 'POST',
      url: '/api/v1/admin/stores/shop/keys/signing/rotate',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      body: {},
    })
    const expiresAt = Math.floor(time.nowMs / 1_000) + 3_600
    const scope = { expires_at: expiresAt, filter_by: 'tenant:=amber' }
    const token = await makeScopedToken(rotated.json().secret, scope)
    const headers = { 'x-storeid': 'shop', 'x-storesecret': token }
    // It sees 4 red shoes, a hat and a shoe.
    assert.deepEqual(await outcome({ q: 'red shoe' }, headers), [6, 'any'])
    const filter_by = 'price:>49'
    assert.deepEqual(await outcome({ q: 'red shoe', filter_by }, headers), [4, 'any'])
  })
})

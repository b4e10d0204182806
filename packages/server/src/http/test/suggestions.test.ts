import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { createTestApp, fillStore, type TestApp, type TestStore } from './test-app.ts'

async function shop(app: TestApp): Promise<TestStore> {
  const store = await app.createStore('shop')
  await fillStore(app, store)
  return store
}

const DAY_MS = 86_400_000

/** This many sessions search for it, this long ago. Afterwards their typing is over. */
async function search(
  app: TestApp,
  store: TestStore,
  q: string,
  sessions: number,
  options: { tags?: string[]; daysAgo?: number; headers?: Record<string, string> } = {},
): Promise<void> {
  const { tags, daysAgo = 0, headers } = options
  const timestamp = new Date(app.time.nowMs - daysAgo * DAY_MS).toISOString()
  for (let i = 0; i < sessions; i++) {
    const answer = await app.call({
      method: 'POST',
      url: '/analytics/event',
      headers: { ...store.read, ...(headers ?? { 'x-session-id': `${q} ${i}` }) },
      body: {
        event_type: 'search',
        timestamp,
        data: {
          query: q,
          total_results: 2,
          ...(tags === undefined ? {} : { analytics_tags: tags }),
        },
      },
    })
    assert.equal(answer.statusCode, 200, answer.body)
  }
  app.time.nowMs += 6_000
}

async function suggest(
  app: TestApp,
  store: TestStore,
  body: object,
  headers: Record<string, string> = {},
) {
  const answer = await app.call({
    method: 'POST',
    url: '/v1/suggestions/queries',
    headers: { ...store.read, ...headers },
    body,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function texts(
  app: TestApp,
  store: TestStore,
  body: object,
  headers = {},
): Promise<string[]> {
  const { suggestions } = await suggest(app, store, body, headers)
  return suggestions.map(({ query }: { query: string }) => query)
}

async function configure(app: TestApp, store: TestStore, body: object): Promise<number> {
  const answer = await app.call({
    method: 'PUT',
    url: `/api/v1/stores/${store.id}/suggestions/config`,
    headers: store.write,
    body,
  })
  return answer.statusCode
}

suite('suggestions', () => {
  test('queries of visitors, by popularity in the time range', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    await search(app, store, 'red shoe', 3)
    await search(app, store, 'rain jacket', 2)
    await search(app, store, 'Rain Jackets', 2)
    await search(app, store, 'red stove', 9, { daysAgo: 20 })
    assert.deepEqual(await suggest(app, store, { q: 'r', include_dropdown_product_list: false }), {
      suggestions: [
        { query: 'red stove', popularity: 9 },
        { query: 'rain jacket', popularity: 4 },
        { query: 'red shoe', popularity: 3 },
      ],
      meta: { query: 'r', page: 0, hitsPerPage: 10, totalHits: 3 },
    })
    assert.deepEqual(await texts(app, store, { q: 'r', time_range: '7d' }), [
      'rain jacket',
      'red shoe',
    ])
    assert.deepEqual(await texts(app, store, { q: 'r', min_popularity: 5 }), ['red stove'])
    assert.deepEqual(await texts(app, store, { q: 'r', hitsPerPage: 1, page: 2 }), ['red shoe'])
    assert.deepEqual(await texts(app, store, { query: 'jaket' }), ['rain jacket'])
    assert.deepEqual(await texts(app, store, { query: 'jaket', disable_typo_tolerance: true }), [])
  })

  test('searches of the service count, and bursts of typing are one', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    for (const q of ['t', 'tr', 'trail', 'trail shoe']) {
      const headers = { ...store.read, 'x-session-id': 'anna' }
      await app.call({ method: 'POST', url: '/v1/search', headers, body: { q } })
      app.time.nowMs += 400
    }
    app.time.nowMs += 6_000
    assert.deepEqual((await suggest(app, store, { q: 't' })).suggestions, [
      { query: 'trail shoe', popularity: 1 },
    ])
  })

  test('a search that was corrected counts for what it was corrected to, kept answers or not', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    for (const session of ['anna', 'ben']) {
      const headers = { ...store.read, 'x-session-id': session }
      const body = { q: 'trial shoe', cache_results: true }
      const answer = await app.call({ method: 'POST', url: '/v1/search', headers, body })
      assert.equal(answer.json().corrected_query, 'trail shoe')
      assert.equal(answer.json().cached, session === 'ben')
      app.time.nowMs += 6_000
    }
    assert.deepEqual((await suggest(app, store, { q: 'tr' })).suggestions, [
      { query: 'trail shoe', popularity: 2 },
    ])
  })

  test('what finds nothing today, looks personal or is a misspelling is not suggested', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    for (const q of ['unicorn', 'anna@example.com', 'call 0170 1234567'])
      await search(app, store, q, 3)
    await search(app, store, 'trail shoe', 3)
    await search(app, store, 'trial shoe', 2)
    for (const q of ['u', 'a', 'c'])
      assert.deepEqual(await texts(app, store, { q }), await catalogOnly(q))
    assert.deepEqual(await texts(app, store, { q: 'tri' }), [])
    assert.deepEqual(await texts(app, store, { q: 'trial' }), ['trail shoe'])
    await app.call({
      method: 'DELETE',
      url: `/api/v1/stores/${store.id}/documents`,
      headers: store.write,
    })
    assert.deepEqual(await texts(app, store, { q: 'tr' }), [])

    async function catalogOnly(q: string): Promise<string[]> {
      await using empty = await createTestApp()
      return await texts(empty, await shop(empty), { q })
    }
  })

  test('of what others typed, only texts are shown of which the catalog knows every word', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    const spam = ['red shoe cheapviagra', 'red shoe at evil.com', '<b>red</b> shoe', 'red shoe']
    for (const q of spam) await search(app, store, q, 4)
    await search(app, store, 'trailshoe red', 3)
    const about = (q: string): Promise<string[]> => texts(app, store, { q })
    assert.deepEqual(await about('red s'), ['red shoe', 'trail shoe red'])
    assert.deepEqual(await about('red shoe c'), [])
    assert.deepEqual(await about('trailsh'), ['trail shoe red'])
    const tabs = { q: 'red', filtered_tabs: [{ label: 'a', filters: {}, enabled: true }] }
    const [, beside] = (await suggest(app, store, tabs)).results
    const { trending_searches: trending, related_searches: related } = beside.extensions
    assert.deepEqual(
      [...trending, ...related].filter(({ query }: { query: string }) =>
        /viagra|evil|</.test(query),
      ),
      [],
    )
  })

  test('before anybody searched, brands and words of the catalog complete what is typed', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    assert.deepEqual((await suggest(app, store, { q: 'fe' })).suggestions, [
      { query: 'fells', popularity: 0 },
    ])
    assert.deepEqual(await texts(app, store, { q: 'rain j' }), ['rain jacket'])
    // A rain jacket that is red, but no title goes on so.
    assert.deepEqual(await texts(app, store, { q: 'red j' }), [])
  })

  test('tags, any and all', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    await search(app, store, 'red shoe', 3, { tags: ['web'] })
    await search(app, store, 'red jacket', 2, { tags: ['app', 'web'] })
    await search(app, store, 'red stove', 4)
    const q = 'red'
    assert.deepEqual(await texts(app, store, { q, analytics_tags: ['app'] }), ['red jacket'])
    const both = { q, analytics_tags: ['app', 'web'] }
    assert.deepEqual(await texts(app, store, both), ['red shoe', 'red jacket'])
    assert.deepEqual(await texts(app, store, { ...both, tags_match_mode: 'all' }), ['red jacket'])
  })

  test('categories, facets, products, and nothing of all that for an empty query', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    const patched = await app.call({
      method: 'PATCH',
      url: `/api/v1/stores/${store.id}/settings`,
      headers: store.write,
      body: { product_card: { category: 'brand', metadata: ['stock'] } },
    })
    assert.equal(patched.statusCode, 200, patched.body)
    const asked = { include_categories: true, include_facets: true, max_facets: 1 }
    const answer = await suggest(app, store, { q: 'shoe', ...asked })
    assert.deepEqual(answer.categories, [{ name: 'Fells', count: 2 }])
    assert.deepEqual(answer.facets, [{ field: 'brand', values: ['Fells'] }])
    const [card] = answer.dropdown_product_list
    assert.deepEqual(card, {
      id: '2',
      title: 'Blue trail shoe',
      url: null,
      image: null,
      price: 99,
      currency: null,
      metadata: { stock: 0 },
      reason: 'matches',
    })
    assert.deepEqual((await suggest(app, store, { q: '' })).dropdown_product_list, [])
    const empty = { q: '', include_empty_query_recommendations: true }
    await search(app, store, 'trail shoe', 2)
    assert.deepEqual(await texts(app, store, { q: '' }), [])
    assert.equal((await texts(app, store, empty))[0], 'trail shoe')
    const reasons = async () => {
      const answer = await suggest(app, store, {
        ...empty,
        include_dropdown_recommendations: true,
      })
      return [answer.dropdown_product_list, answer.dropdown_recommendations].map((cards) =>
        cards.map(({ id, reason }: Record<string, string>) => `${id} ${reason}`),
      )
    }
    const newest = ['4 recent', '3 recent', '2 recent', '1 recent']
    assert.deepEqual(await reasons(), [newest, newest])
  })

  test('an empty query is answered with what several sessions asked for, in words of the catalog', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    await app.call({
      method: 'PUT',
      url: `/api/v1/stores/${store.id}/synonym-sets/words`,
      headers: store.write,
      body: { items: [{ synonyms: ['sneaker', 'shoe'] }], default: true },
    })
    await search(app, store, 'red shoe', 2)
    await search(app, store, 'trailshoe', 3)
    await search(app, store, 'red sneaker', 4)
    await search(app, store, 'jackte', 5)
    await search(app, store, 'red jackte', 6)
    await search(app, store, 's', 9)
    await search(app, store, 'blue shoe', 1)
    const empty = { q: '', include_empty_query_recommendations: true }
    const found = await texts(app, store, empty)
    assert.deepEqual(found.slice(0, 3), ['red jacket', 'jacket', 'red sneaker'])
    assert.deepEqual(found.slice(3, 5), ['trail shoe', 'red shoe'])
    assert.deepEqual(
      found.slice(5),
      ['Fells', 'Norrby'].map((name) => name.toLowerCase()),
    )
    assert.ok((await texts(app, store, { q: 'blue' })).includes('blue shoe'))
  })

  test('recommendations say why', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    for (const session of ['a', 'b', 'c']) {
      await app.call({
        method: 'POST',
        url: '/analytics/event',
        headers: { ...store.read, 'x-session-id': session },
        body: { event_type: 'click', data: { query: 'shoe', document_id: '1', position: 2 } },
      })
    }
    const asked = { include_dropdown_recommendations: true, include_dropdown_product_list: false }
    const answer = await suggest(app, store, { q: 'shoe', ...asked })
    assert.deepEqual(
      answer.dropdown_recommendations.map(({ id, reason }: Record<string, string>) => [id, reason]),
      [
        ['1', 'trending'],
        ['2', 'matches'],
      ],
    )
    assert.equal(answer.dropdown_product_list, undefined)
  })

  test('tabs give the other shape; one that makes no sense costs only itself', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    for (const session of ['a', 'b']) {
      await search(app, store, 'red shoe', 2, { headers: { 'x-session-id': session } })
      await search(app, store, 'red jacket', 1, { headers: { 'x-session-id': session } })
    }
    const tabs = [
      { id: 'fells', label: 'Fells', filters: { brand: 'Fells' }, limit: 1 },
      { label: 'Odd', filters: { colour: 'red' } },
      { label: 'Off', enabled: false },
    ]
    const url = `/v1/suggestions/queries?q=re&filtered_tabs=${encodeURIComponent(JSON.stringify(tabs))}`
    const answer = await app.call({ url, headers: store.read })
    const { results, warnings } = answer.json()
    const [suggested, recommended] = results
    assert.deepEqual(suggested.hits[0], {
      objectID: 'red jacket',
      query: 'red jacket',
      popularity: 2,
      _highlightResult: { query: { value: '<mark>re</mark>d jacket' } },
    })
    assert.equal(suggested.extensions.metadata.totalHits, 2)
    const {
      filtered_tabs: [fells, odd, ...others],
      ...lists
    } = recommended.extensions
    assert.equal(fells.nb_hits, 1)
    assert.deepEqual(
      fells.products.map(({ id, reason }: Record<string, string>) => [id, reason]),
      [['1', 'matches']],
    )
    assert.ok(recommended.hits.every(({ reason }: { reason: string }) => reason === 'matches'))
    assert.deepEqual([odd.id, odd.nb_hits, odd.products], ['Odd', 0, []])
    assert.equal(others.length, 0)
    assert.match(warnings[0], /Tab `Odd`.*`colour`/)
    assert.deepEqual(
      lists.top_searches.map(({ query }: { query: string }) => query),
      ['red jacket', 'red shoe'],
    )
    assert.deepEqual(lists.related_searches, [{ query: 'red shoe', popularity: 2 }])
    assert.deepEqual(lists.popular_brands, [
      { name: 'Fells', count: 1 },
      { name: 'Norrby', count: 1 },
    ])
    const plain = await suggest(app, store, {
      q: 're',
      filtered_tabs: tabs,
      include_filtered_tabs: false,
    })
    assert.equal(plain.results, undefined)
    assert.equal((await suggest(app, store, { q: 're', filtered_tabs: null })).results, undefined)
  })

  test('what fits a visitor comes earlier, for them alone', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    await search(app, store, 'red shoe', 3)
    await search(app, store, 'red jacket', 2)
    const anna = { 'x-user-id': 'anna' }
    await search(app, store, 'rain jacket', 1, { headers: anna })
    await search(app, store, 'red jacket', 1, { headers: anna })
    await search(app, store, 'red shoe', 1)
    assert.deepEqual(await texts(app, store, { q: 'red' }), ['red jacket', 'red shoe'])
    await search(app, store, 'red shoe', 1, { headers: { 'x-session-id': 'another' } })
    assert.deepEqual(await texts(app, store, { q: 'red' }), ['red shoe', 'red jacket'])
    assert.deepEqual(await texts(app, store, { q: 'red' }, anna), ['red jacket', 'red shoe'])
    assert.deepEqual(await texts(app, store, { q: 'red' }, { 'x-user-id': 'bob' }), [
      'red shoe',
      'red jacket',
    ])
    assert.equal(await configure(app, store, { personalization_enabled: false }), 200)
    assert.deepEqual(await texts(app, store, { q: 'red' }, anna), ['red shoe', 'red jacket'])
  })

  test('block list, allow list, manual entries and guards apply at once', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    await search(app, store, 'red shoe', 3)
    await search(app, store, 'red jacket', 1)
    const q = 'red'
    await configure(app, store, { blocklist: ['Jackets'] })
    assert.deepEqual(await texts(app, store, { q }), ['red shoe'])
    await configure(app, store, { allowlist: ['red jackets'] })
    assert.deepEqual(await texts(app, store, { q }), ['red jacket'])
    await configure(app, store, {
      pinned: [{ query: 'Redwood sale', popularity: 2 }],
      max_suggestions: 2,
    })
    assert.deepEqual((await suggest(app, store, { q })).suggestions, [
      { query: 'red shoe', popularity: 3 },
      { query: 'redwood sale', popularity: 2 },
    ])
    await configure(app, store, { min_sessions: 2 })
    assert.deepEqual(await texts(app, store, { q }), ['red shoe'])
    await configure(app, store, { min_query_length: 4 })
    assert.deepEqual(await texts(app, store, { q }), [])
    const config = await app.call({ url: '/v1/suggestions/config', headers: store.read })
    assert.deepEqual(config.json(), {
      max_suggestions: 100,
      max_categories: 20,
      max_facets: 20,
      supported_time_ranges: ['7d', '30d', '90d'],
      personalization_enabled: true,
      typo_tolerance_enabled: true,
      min_query_length: 4,
    })
  })

  test('products are under the rules of the store: what a rule hides is in no list', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    const asked = { q: 'red', include_dropdown_recommendations: true }
    const idsOf = async (): Promise<string[][]> => {
      const answer = await suggest(app, store, asked)
      const lists = [answer.dropdown_product_list, answer.dropdown_recommendations]
      return lists.map((list) => list.map(({ id }: { id: string }) => id))
    }
    const [before] = await idsOf()
    const [first, last] = [before![0]!, before!.at(-1)!]
    const when = [{ query: 'red', match: 'exact' }]
    const rule = { when, hide: [first], pin: [{ id: last, position: 1 }] }
    const url = `/api/v1/stores/${store.id}/rules/red`
    const put = await app.call({ method: 'PUT', url, headers: store.write, body: rule })
    assert.equal(put.statusCode, 200, put.body)
    const [products, recommendations] = await idsOf()
    assert.equal(products![0], last)
    assert.ok(!products!.includes(first) && !recommendations!.includes(first))
  })

  test('a bad configuration is refused', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    for (const [body, param] of [
      [{ min_sessions: 0 }, 'min_sessions'],
      [{ supported_time_ranges: [] }, 'supported_time_ranges'],
      [{ blocklist: ['!!'] }, 'blocklist[0]'],
      [{ pinned: [{ query: 'call 0170 1234567', popularity: 1 }] }, 'pinned[0].query'],
      [{ color: 1 }, 'color'],
    ] as const) {
      const answer = await app.call({
        method: 'PUT',
        url: `/api/v1/stores/${store.id}/suggestions/config`,
        headers: store.write,
        body,
      })
      assert.equal(answer.statusCode, 400, JSON.stringify(body))
      assert.equal(answer.json().param, param)
    }
  })
})

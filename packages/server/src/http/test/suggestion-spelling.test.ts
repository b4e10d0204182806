import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestApp, type TestApp, type TestStore } from './test-app.ts'

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', searchable: true, facet: true },
  { name: 'category', type: 'string', searchable: true, facet: true },
]

/** Number of titles each; a misspelling of the catalog has a tenth of them at most. */
const TITLES: readonly (readonly [
  count: number,
  title: string,
  brand: string,
  category: string,
])[] = [
  [40, 'Foam mattress', 'Restwell', 'Beds'],
  [2, 'Spring matress', 'Restwell', 'Beds'],
  [60, 'Wireless headphones', 'Clarity', 'Audio'],
  [3, 'Wireles headphones', 'Clarity', 'Audio'],
  [40, 'Nike running shoe', 'Nike', 'Shoes'],
  [1, 'Nikee running shoe', 'Nikee', 'Shoes'],
  [30, 'Table lamp', 'Solhus', 'Lighting'],
  [12, 'Running hat of lambswool', 'Shoptop', 'Hats'],
  [40, 'Transparent electrical tape', 'Solhus', 'Tools'],
  [30, 'Кроссовки для бега', 'Север', 'Обувь'],
  [2, 'Кросовки белые', 'Север', 'Обувь'],
]

async function shop(app: TestApp): Promise<TestStore> {
  const store = await app.createStore('shop')
  const base = `/api/v1/stores/${store.id}`
  const send = async (url: string, body: object): Promise<void> => {
    const answer = await app.call({ method: 'POST', url, headers: store.write, body })
    assert.ok(answer.statusCode < 300, url)
  }
  await send(`${base}/schema`, { fields: FIELDS })
  const documents = TITLES.flatMap(([count, title, brand, category], t) =>
    Array.from({ length: count }, (_, i) => ({ id: `${t}-${i}`, title, brand, category })),
  )
  await send(`${base}/documents/bulk`, { documents })
  return store
}

/** A client says that visitors searched for it. */
async function searched(app: TestApp, store: TestStore, q: string, visitors = 1): Promise<void> {
  for (let i = 0; i < visitors; i++) {
    const answer = await app.call({
      method: 'POST',
      url: '/analytics/event',
      headers: { ...store.read, 'x-session-id': `${q} ${i}` },
      body: { event_type: 'search', data: { query: q, total_results: 2 } },
    })
    assert.equal(answer.statusCode, 200, answer.body)
  }
  app.time.nowMs += 6_000
}

async function post(app: TestApp, store: TestStore, url: string, body: object) {
  const answer = await app.call({ method: 'POST', url, headers: store.read, body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function suggested(app: TestApp, store: TestStore, body: object) {
  return await post(app, store, '/v1/suggestions/queries', {
    include_dropdown_product_list: false,
    ...body,
  })
}

async function texts(app: TestApp, store: TestStore, q: string): Promise<string[]> {
  const { suggestions } = await suggested(app, store, { q })
  return suggestions.map(({ query }: { query: string }) => query)
}

suite('what our own spelling rules would correct', async () => {
  await using app = await createTestApp()
  const store = await shop(app)
  const typed: readonly (readonly [string, string])[] = [
    ['wireles', 'wireless'],
    ['matress', 'mattress'],
    ['foam matres', 'foam mattress'],
    ['nikee running shoe', 'nike running shoe'],
    ['runningshoe', 'running shoe'],
    // Known by its stem alone.
    ['transparant electrical tape', 'transparent electrical tape'],
    ['кросовки', 'кроссовки'],
  ]
  for (const [query] of typed) await searched(app, store, query)
  await searched(app, store, 'wireless', 2)
  const suggestions = new Map<string, { query: string; popularity: number }[]>()
  for (const q of [
    'wire',
    'mat',
    'foam m',
    'nike',
    'nikee r',
    'run',
    'trans',
    'elec',
    'крос',
    'matress',
  ])
    suggestions.set(q, (await suggested(app, store, { q })).suggestions)
  const tabs = { q: '', filtered_tabs: [{ label: 'a', filters: {}, enabled: true }] }
  const [, { extensions }] = (await suggested(app, store, tabs)).results
  const [, { extensions: related }] = (await suggested(app, store, { ...tabs, q: 'wireles' }))
    .results
  const stored = await app.eventsOf(store.id)

  const cases: readonly (readonly [string, string, number])[] = [
    ['wire', 'wireless', 3],
    ['mat', 'mattress', 1],
    ['foam m', 'foam mattress', 1],
    ['nike', 'nike running shoe', 1],
    ['nikee r', 'nike running shoe', 1],
    ['run', 'running shoe', 1],
    ['trans', 'transparent electrical tape', 1],
    ['крос', 'кроссовки', 1],
  ]
  for (const [q, query, popularity] of cases) {
    test(`${q} is completed to ${query}`, () => {
      const [first] = suggestions.get(q)!
      assert.deepEqual(first, { query, popularity })
    })
  }

  test('is not suggested, whatever the catalog misspells too', () => {
    const wrong = new Set(typed.map(([query]) => query))
    for (const list of [
      ...suggestions.values(),
      extensions.top_searches,
      extensions.trending_searches,
    ])
      for (const { query } of list) assert.ok(!wrong.has(query), query)
    const all = JSON.stringify([[...suggestions.values()], extensions, related])
    assert.doesNotMatch(
      all,
      /"query":"[^"]*(wireles\b|matres|nikee|runningshoe|transparant|кросовки)/,
    )
  })

  test('is in the log, and so in the reports, as it was typed', () => {
    const queries = stored.flatMap((entry) =>
      entry.kind === 'event' ? [entry.properties['query']] : [],
    )
    for (const [query] of typed) assert.ok(queries.includes(query), query)
  })
})

suite('what the catalog completes', () => {
  test('is a piece of a name, spelt as most names are', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    assert.deepEqual(await texts(app, store, 'running sho'), ['running shoe'])
    assert.deepEqual(await texts(app, store, 'running shop'), [])
    assert.deepEqual(await texts(app, store, 'wireles'), ['wireless'])
    assert.deepEqual(await texts(app, store, 'spring mat'), [])
    assert.deepEqual(await texts(app, store, 'wireles he'), ['wireless headphones'])
    const answer = await post(app, store, '/v1/search', { q: 'mat', include_suggestions: true })
    assert.deepEqual(
      answer.suggestions.map(({ text }: { text: string }) => text),
      ['mattress'],
    )
  })

  test('has the categories of what is suggested', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    const asked = { include_categories: true }
    const lam = await suggested(app, store, { q: 'lam', ...asked })
    assert.equal(lam.suggestions[0].query, 'lamp')
    assert.deepEqual(lam.categories, [{ name: 'Lighting', count: 30 }])
    const lambs = await suggested(app, store, { q: 'lambs', ...asked })
    assert.deepEqual(lambs.categories, [{ name: 'Hats', count: 12 }])
    const tabs = { q: 'lam', filtered_tabs: [{ label: 'a', filters: {}, enabled: true }] }
    const [queries] = (await suggested(app, store, tabs)).results
    assert.deepEqual(queries.extensions.queryCategorization, [{ name: 'Lighting', count: 30 }])
  })
})

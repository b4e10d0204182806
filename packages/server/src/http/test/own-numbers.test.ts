import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

/** What a shop's own numbers (price, margin, rating, date) do to the order by relevance. */
const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call, time } = testApp

const NOW_MS = Date.UTC(2026, 0, 1, 12)
time.nowMs = NOW_MS

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'about', type: 'string', searchable: true },
  { name: 'price', type: 'float', sort: true },
  { name: 'margin', type: 'int32', sort: true },
  { name: 'sales', type: 'int64', facet: true },
  { name: 'released', type: 'date', sort: true },
  { name: 'ratings', type: 'float[]', facet: true },
  { name: 'plain', type: 'float' },
]

/** Two close titles, one that only mentions the word, and one without one of two words. */
const TENTS = [
  { id: 'short', title: 'Red tent, light', price: 90, margin: 5 },
  { id: 'long', title: 'Red tent with a porch for two', price: 60, margin: 30 },
  { id: 'mention', title: 'Lamp', about: 'Hangs in a red tent.', price: 9, margin: 90 },
  { id: 'lacks', title: 'Tent', price: 1, margin: 99 },
  ...Array.from({ length: 10 }, (_, i) => ({ id: `other${i}`, title: `Lamp ${i}`, price: i })),
]

const store = await testApp.createStore('tents')
const url = '/api/v1/stores/tents'
await call({ method: 'POST', url: `${url}/schema`, headers: store.write, body: { fields: FIELDS } })
const bulk = { documents: TENTS }
await call({ method: 'POST', url: `${url}/documents/bulk`, headers: store.write, body: bulk })

async function search(q: string, parameters: object) {
  const body = { q, ...parameters }
  const answer = await call({ method: 'POST', url: '/v1/search', headers: store.read, body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function idsOf(q: string, parameters: object): Promise<string[]> {
  const { hits } = await search(q, parameters)
  return hits.map(({ id }: { id: string }) => id)
}

suite('buckets of the text match', () => {
  const inOrder = (sort_by: string) => idsOf('red tent', { sort_by, require_all_terms: false })

  test('within a bucket, the next key decides', async () => {
    assert.deepEqual(await inOrder('_text_match'), ['short', 'long', 'mention', 'lacks'])
    const byPrice = ['long', 'short', 'mention', 'lacks']
    assert.deepEqual(await inOrder('_text_match(buckets: 4),price'), byPrice)
    assert.deepEqual(await inOrder('_text_match(buckets: 4),margin:desc'), byPrice)
    assert.deepEqual(await inOrder('_text_match(buckets: 4),price:desc'), [
      'short',
      'long',
      'mention',
      'lacks',
    ])
  })

  test('one bucket leaves the order to the next key, but keeps the tiers', async () => {
    assert.deepEqual(await inOrder('_text_match(buckets: 1),price'), [
      'mention',
      'long',
      'short',
      'lacks',
    ])
  })

  test('ties of all keys go to the better match', async () => {
    const byMatch = ['short', 'long', 'mention', 'lacks']
    assert.deepEqual(await inOrder('_text_match(buckets: 4)'), byMatch)
    assert.deepEqual(await inOrder('_text_match(buckets: 1000),price'), byMatch)
  })

  test('pages and groups follow the same order', async () => {
    const parameters = { sort_by: '_text_match(buckets: 4),price', require_all_terms: false }
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => idsOf('red tent', { ...parameters, per_page: 1, page })),
    )
    assert.deepEqual(pages.flat(), ['long', 'short', 'mention', 'lacks'])
    const { grouped_hits } = await search('red tent', { ...parameters, group_by: ['margin'] })
    assert.deepEqual(
      grouped_hits.map(({ hits }: { hits: { id: string }[] }) => hits[0]!.id),
      ['long', 'short', 'mention', 'lacks'],
    )
  })

  test('anything else in the parentheses is 400', async () => {
    for (const options of ['', 'buckets: 0', 'buckets: 1001', 'bucket_size: 3', '10']) {
      const body = { q: 'tent', sort_by: `price,_text_match(${options})` }
      const answer = await call({ method: 'POST', url: '/v1/search', headers: store.read, body })
      assert.equal(answer.statusCode, 400)
      assert.equal(answer.json().code, 'invalid_sort')
      assert.match(answer.json().error, /^sort_by, column \d+: expected /)
    }
  })
})

interface Points {
  readonly points: number
}

interface ExplainedHit {
  readonly id: string
  readonly text_match_score: number
  readonly explanation: {
    readonly tier: number
    readonly exact_value: number
    readonly words: readonly Points[]
    readonly pairs: readonly Points[]
    readonly numeric: { readonly factor: number }
  }
}

suite('the setting ranking.numeric', () => {
  const settings = (numeric: unknown) =>
    call({
      method: 'PATCH',
      url: `${url}/settings`,
      headers: store.write,
      body: { ranking: { numeric } },
    })
  const set = async (numeric: unknown) => {
    const answer = await settings(numeric)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().ranking.numeric
  }

  /** Equal titles: without the setting the newest, the last one, comes first. */
  const ITEMS = [
    { id: 'a', title: 'Blue mug', margin: 40, sales: 1000, released: ago(400) },
    { id: 'b', title: 'Blue mug', margin: 10, sales: 30, released: ago(30) },
    { id: 'c', title: 'Blue mug', margin: 80, sales: 2, released: ago(1) },
    { id: 'd', title: 'Blue mug' },
    { id: 'e', title: 'Blue pot', margin: 1000, sales: 9e9, released: ago(0) },
  ]
  const add = () =>
    call({
      method: 'POST',
      url: `${url}/documents/bulk`,
      headers: store.write,
      body: { documents: ITEMS },
    })
  const factors = async (): Promise<[string, number][]> => {
    const { hits } = await search('blue mug', { explain: true, require_all_terms: false })
    return hits.map((hit: ExplainedHit) => {
      const { numeric, tier, exact_value, words, pairs } = hit.explanation
      const sum = (parts: readonly Points[]) => parts.reduce((all, { points }) => all + points, 0)
      const times = (points: number) => Math.floor(points * numeric.factor + 0.5)
      const score = tier + exact_value + times(sum(words)) + times(sum(pairs))
      assert.equal(score, hit.text_match_score)
      return [hit.id, Math.round(numeric.factor * 1000) / 1000]
    })
  }

  test('each shape moves the order within its tier, and is explained', async () => {
    assert.equal((await add()).json().summary.failed, 0)
    assert.deepEqual(await idsOf('blue mug', {}), ['d', 'c', 'b', 'a', 'e'])
    const linear = { field: 'margin', weight: 0.5, shape: 'linear', scale: 50 }
    assert.deepEqual(await set(linear), linear)
    assert.deepEqual(await factors(), [
      ['c', 1.5],
      ['a', 1.4],
      ['b', 1.1],
      ['d', 1],
      ['e', 1.5],
    ])
    await set({ field: 'sales', weight: 1, shape: 'log', scale: 999 })
    assert.deepEqual(await factors(), [
      ['a', 2],
      ['b', 1.497],
      ['c', 1.159],
      ['d', 1],
      ['e', 2],
    ])
    await set(null)
    await set({ field: 'margin', weight: 1, shape: 'decay', scale: 10, origin: 20 })
    assert.deepEqual(await factors(), [
      ['b', 1.5],
      ['a', 1.25],
      ['c', 1.016],
      ['d', 1],
      ['e', 1],
    ])
  })

  test('a date fades from its origin', async () => {
    await set(null)
    await set({ field: 'released', weight: 1, shape: 'decay', scale: '30d', origin: 'now' })
    const found = await factors()
    assert.deepEqual(
      found.map(([id]) => id),
      ['c', 'b', 'a', 'd', 'e'],
    )
    assert.ok(Math.abs(found[1]![1] - 1.5) < 0.01, String(found[1]))
    await set(null)
    await set({ field: 'released', weight: 1, shape: 'decay', scale: 86_400, origin: ago(400) })
    assert.deepEqual((await factors())[0], ['a', 2])
  })

  test('a cached response is valid until the hour of `now` ends', async () => {
    await set(null)
    await set({ field: 'released', weight: 1, shape: 'decay', scale: '1h', origin: 'now' })
    const ask = async (minutes: number) => {
      time.nowMs = NOW_MS + minutes * 60_000
      const { cached, hits } = await search('blue pot', { cache_results: true, explain: true })
      return [cached, hits[0].explanation.numeric.factor]
    }
    // Longer than an hour; the setting changes nothing else.
    const patch = { cache: { ttl_seconds: 7_200 } }
    await call({ method: 'PATCH', url: `${url}/settings`, headers: store.write, body: patch })
    assert.deepEqual(await ask(0), [false, 2])
    assert.deepEqual(await ask(59), [true, 2])
    assert.deepEqual(await ask(61), [false, 1.5])
    time.nowMs = NOW_MS
  })

  test('null removes it, and a search without words ignores it', async () => {
    const browse = { filter_by: 'sales:>0', explain: true }
    const { hits } = await search('*', browse)
    assert.equal(hits[0].explanation?.numeric, undefined)
    assert.equal(await set(null), null)
    const plain = await search('blue mug', { explain: true })
    assert.equal(plain.hits[0].explanation.numeric, undefined)
    assert.equal(plain.hits[0].id, 'd')
  })

  test('bad input is 400 and names what was expected', async () => {
    const good = { field: 'margin', weight: 0.5, shape: 'linear', scale: 50 }
    const date = { ...good, field: 'released', shape: 'decay', origin: 'now' }
    for (const [numeric, code, member, expected] of [
      [{ ...good, field: 'nope' }, 'unknown_field', '.field', /not in the schema/],
      [{ ...good, field: 'plain' }, 'invalid_parameter', '.field', /`facet` or `sort`/],
      [{ ...good, field: 'ratings' }, 'invalid_parameter', '.field', /single number.*float\[\]/],
      [{ ...good, field: 'title' }, 'invalid_parameter', '.field', /single number or date/],
      [{ ...good, weight: 2 }, 'invalid_parameter', '.weight', /1/],
      [{ ...good, shape: 'exp' }, 'invalid_parameter', '.shape', /linear/],
      [{ ...good, scale: 0 }, 'invalid_parameter', '.scale', /./],
      [{ ...good, scale: '30d' }, 'invalid_parameter', '.scale', /number above 0/],
      [{ ...date, scale: '30x' }, 'invalid_parameter', '.scale', /./],
      [{ ...good, origin: 3 }, 'invalid_parameter', '.origin', /only with the shape `decay`/],
      [{ ...good, shape: 'decay' }, 'invalid_parameter', '.origin', /must be a number/],
      [{ ...good, shape: 'decay', origin: 'now' }, 'invalid_parameter', '.origin', /a number/],
      [{ ...date, origin: 'soon' }, 'invalid_parameter', '.origin', /ISO 8601 time.*`now`/],
      [{ ...date, shape: 'log' }, 'invalid_parameter', '.shape', /`decay` for a date/],
      [{ ...good, power: 3 }, 'invalid_parameter', '', /power/],
    ] as const) {
      const answer = await settings(numeric)
      const text = `${JSON.stringify(numeric)}: ${answer.body}`
      assert.equal(answer.statusCode, 400, text)
      assert.equal(answer.json().code, code, text)
      if (member !== '') assert.equal(answer.json().param, `ranking.numeric${member}`, text)
      assert.match(answer.json().error, expected)
    }
  })
})

function ago(days: number): string {
  return new Date(NOW_MS - days * 86_400_000).toISOString()
}

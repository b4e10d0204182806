import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

/** What a shop's own numbers (price, margin, rating, date) do to the order by relevance. */
const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'about', type: 'string', searchable: true },
  { name: 'price', type: 'float', sort: true },
  { name: 'margin', type: 'int32', sort: true },
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

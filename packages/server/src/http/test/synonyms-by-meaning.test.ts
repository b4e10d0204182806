import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MendList } from '@aisle/contract'
import { HAS_VECTORS, until } from '@aisle/testing'
import { QueryVectorsForTest } from '../../ports/search/query-vectors-for-test.ts'
import { embeddersOf, WordEmbedder } from '../../ports/search/word-embedder-for-test.ts'
import { createTestApp, type TestApp, type TestStore } from './test-app.ts'

const embedder = new WordEmbedder({
  synonyms: { flashlight: 'torch', cooker: 'stove', garbage: 'trash', hiking: 'mountain' },
})
const embedders = embeddersOf(embedder)
const queryVectors = new QueryVectorsForTest(embedders)

const TITLES = [
  'Torch for camping',
  'Red torch',
  'Torches and lamps',
  'Gas stove',
  'Small stove',
  'Trash can',
  'Mountain shoe',
]

const WITH_VECTORS = HAS_VECTORS ? {} : { skip: 'NOT RUN: this cluster runs no scripts' }

let shop: TestApp
let store: TestStore

suite('synonyms by meaning', WITH_VECTORS, () => {
  before(async () => {
    shop = await createTestApp({ searchTimeoutDefaultMs: 60_000 }, { embedders, queryVectors })
    store = await shop.createStore('shop')
    await write('POST', '/schema', {
      fields: [{ name: 'title', type: 'string', searchable: true }],
    })
    const lines = TITLES.map((title, i) => JSON.stringify({ id: String(i), data: { title } }))
    const answer = await shop.call({
      method: 'POST',
      url: '/api/v1/stores/shop/documents/bulk',
      headers: { ...store.write, 'content-type': 'application/x-ndjson' },
      body: lines.join('\n'),
    })
    assert.equal(answer.statusCode, 207, answer.body)
  })
  after(() => shop[Symbol.asyncDispose]())

  const write = async (method: 'POST' | 'PATCH' | 'PUT', path: string, body: object) => {
    const url = `/api/v1/stores/shop${path}`
    const answer = await shop.call({ method, url, headers: store.write, body })
    assert.ok(answer.statusCode < 300, answer.body)
  }
  const mendsOf = async (query: string): Promise<MendList['mends']> => {
    const url = `/api/v1/stores/shop/missed-searches/mends?query=${encodeURIComponent(query)}`
    const answer = await shop.call({ url, headers: store.write })
    assert.equal(answer.statusCode, 200, answer.body)
    return (answer.json() as MendList).mends
  }
  const proposed = async (query: string) =>
    (await mendsOf(query))
      .filter(({ source }) => source === 'meaning')
      .map(({ mend, finds }) => [mend.kind, mend.from, mend.to, finds])

  test('there are none without the setting', async () => {
    assert.deepEqual(await proposed('flashlight'), [])
    assert.equal(queryVectors.asked.length, 0)
  })

  test('the nearest word of the catalog is proposed, with what it finds and why', async () => {
    await write('PATCH', '/settings', { semantic: { embedder: 'words' } })
    await until('all documents have a vector', async () => {
      const answer = await shop.call({ url: '/api/v1/stores/shop/settings', headers: store.write })
      const { embedding } = answer.json()
      return embedding?.state === 'ready' && embedding.documents_done === TITLES.length
    })
    const [first, ...others] = await mendsOf('Flashlight')
    assert.deepEqual(others, [])
    const { mend, finds, source, similarity } = first!
    assert.deepEqual(
      { mend, finds, source },
      { mend: { kind: 'synonym', from: 'flashlight', to: 'torch' }, finds: 3, source: 'meaning' },
    )
    assert.ok(Math.abs(similarity! - 1) < 1e-6)
  })

  test('each rare word of a query has its own, and a known word none', async () => {
    assert.deepEqual(await proposed('garbage cooker'), [
      ['synonym', 'garbage', 'trash', 1],
      ['synonym', 'cooker', 'stove', 2],
    ])
    assert.deepEqual(await proposed('zzzz 123 for'), [])
  })

  test('a late or broken model leaves the other proposals', async () => {
    queryVectors.isLate = true
    assert.deepEqual(await proposed('hiking'), [])
    queryVectors.isLate = false
    assert.deepEqual(await proposed('hiking'), [['synonym', 'hiking', 'mountain', 1]])
  })

  test('a synonym that the store has is not proposed again, and a rejected one never', async () => {
    const body = { query: 'hiking', mend: { kind: 'synonym', from: 'hiking', to: 'mountain' } }
    await write('POST', '/missed-searches/fix', body)
    assert.deepEqual(await proposed('hiking'), [])
    await write('POST', '/synonym-suggestions/reject', { from: 'torch', to: 'flashlights' })
    assert.deepEqual(await proposed('flashlight'), [])
  })
})

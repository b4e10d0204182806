import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { createTestApp, type TestApp, type TestStore } from './test-app.ts'
import { clickAs } from './visitor-clicks.ts'

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'float', sort: true, facet: true },
]

/** Three tents; without clicks the newest comes first. */
async function shop(app: TestApp): Promise<TestStore> {
  const store = await app.createStore('shop')
  const schema = `/api/v1/stores/${store.id}/schema`
  await app.call({ method: 'POST', url: schema, headers: store.write, body: { fields: FIELDS } })
  for (const id of ['a', 'b', 'c']) {
    const document = { id, data: { title: 'Red tent', price: 10 } }
    const url = `/api/v1/stores/${store.id}/documents`
    const answer = await app.call({ method: 'POST', url, headers: store.write, body: document })
    assert.equal(answer.statusCode, 201, answer.body)
  }
  return store
}

async function weigh(app: TestApp, store: TestStore, weight: unknown) {
  return app.call({
    method: 'PATCH',
    url: `/api/v1/stores/${store.id}/settings`,
    headers: store.write,
    body: { ranking: { popularity_weight: weight } },
  })
}

function click(app: TestApp, store: TestStore, id: string, visitors: readonly number[]) {
  return clickAs(app, store, visitors, { id, position: 1 })
}

async function search(app: TestApp, store: TestStore, body: object) {
  const answer = await app.call({
    method: 'POST',
    url: '/v1/search',
    headers: store.read,
    body: { q: 'tent', ...body },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const json = answer.json()
  return { ids: json.hits.map(({ id }: { id: string }) => id).join(''), ...json }
}

const trusting = { trustProxy: true }
const MANY = [1, 2, 3, 4, 5]

suite('popularity', () => {
  test('off by default: clicks change no order but the one that names _popularity', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    await click(app, store, 'a', MANY)
    assert.equal((await search(app, store, {})).ids, 'cba')
    assert.equal((await search(app, store, { q: '*' })).ids, 'cba')
    assert.equal((await search(app, store, { sort_by: '_popularity:desc' })).ids, 'acb')
    assert.equal((await search(app, store, { sort_by: '_popularity:asc' })).ids, 'cba')
    const explained = await search(app, store, { sort_by: '_popularity', explain: true })
    assert.equal(explained.hits[0].explanation.popularity, undefined)
  })

  test('with a weight, points grow for what visitors choose, found stays, and explain shows why', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    await click(app, store, 'a', MANY)
    await click(app, store, 'b', [1, 2, 3])
    assert.equal((await weigh(app, store, 0.5)).statusCode, 200)
    const answer = await search(app, store, { explain: true })
    assert.equal(answer.ids, 'abc')
    assert.equal(answer.found, 3)
    const [best, , other] = answer.hits
    const { factor, level, appeal } = best.explanation.popularity
    assert.equal(appeal, 5 / (8 + 20), 'of eight sessions, and twenty that are thought of')
    assert.equal(level, Math.round(64 * Math.log2(6)))
    assert.ok(factor > 1 && factor < 1.5)
    assert.deepEqual(other.explanation.popularity, { factor: 1, level: 0, appeal: 0 })
    assert.equal((await search(app, store, { q: '*' })).ids, 'abc')
    assert.equal((await search(app, store, { sort_by: '_text_match,price' })).ids, 'abc')
    assert.equal((await search(app, store, { sort_by: 'price' })).ids, 'abc', 'by score at last')
  })

  test('clicks of one client, and of two networks, count for nothing', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    await weigh(app, store, 1)
    await click(app, store, 'a', Array(40).fill(7))
    await click(app, store, 'b', [1, 2])
    assert.equal((await search(app, store, {})).ids, 'cba')
    await click(app, store, 'b', [3])
    assert.equal((await search(app, store, {})).ids, 'bca')
  })

  test('a kept answer is not given again when popularity has changed', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    const kept = { cache_results: true }
    const ids: string[] = []
    const ask = async (parameters: object) =>
      ids.push((await search(app, store, { ...kept, ...parameters })).ids)
    const byName = { sort_by: '_popularity' }
    await ask(byName)
    await click(app, store, 'a', MANY)
    await ask(byName)
    await weigh(app, store, 1)
    await ask({})
    await click(app, store, 'b', [...MANY, 6, 7, 8])
    await ask({})
    assert.deepEqual(ids, ['cba', 'acb', 'acb', 'bac'])
  })

  test('a weight that is none is refused', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    for (const weight of [-0.1, 1.5, '1', true]) {
      const answer = await weigh(app, store, weight)
      assert.equal(answer.statusCode, 400, JSON.stringify(weight))
      assert.match(answer.json().param, /^ranking\.popularity_weight/)
    }
  })
})

import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { createTestApp, type TestApp, type TestStore } from './test-app.ts'
import { clickAs } from './visitor-clicks.ts'

const FIELDS = [{ name: 'title', type: 'string', searchable: true }]
const trusting = { trustProxy: true }

/** Three tents, one with a shorter title. Visitors of another query click on the first hit. */
async function shop(app: TestApp): Promise<TestStore> {
  const store = await app.createStore('shop')
  const path = `/api/v1/stores/${store.id}`
  await app.call({
    method: 'POST',
    url: `${path}/schema`,
    headers: store.write,
    body: { fields: FIELDS },
  })
  for (const id of ['a', 'b', 'c']) {
    const document = { id, data: { title: id === 'c' ? 'Red tent' : 'Red tent peg' } }
    const url = `${path}/documents`
    const answer = await app.call({ method: 'POST', url, headers: store.write, body: document })
    assert.equal(answer.statusCode, 201, answer.body)
  }
  await click(app, store, 'b', 30, { position: 1, query: 'lamp' })
  return store
}

/** Changes the setting `ranking`. */
async function rank(app: TestApp, store: TestStore, ranking: object) {
  return app.call({
    method: 'PATCH',
    url: `/api/v1/stores/${store.id}/settings`,
    headers: store.write,
    body: { ranking },
  })
}

/** Clicks of `count` visitors, from number `from` on. */
function click(
  app: TestApp,
  store: TestStore,
  id: string,
  count: number,
  { from = 0, ...where }: { position?: number; query?: string; from?: number },
) {
  const visitors = Array.from({ length: count }, (_, i) => from + i)
  return clickAs(app, store, visitors, { id, ...where })
}

async function search(app: TestApp, store: TestStore, body: object = {}) {
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

suite('learning', () => {
  test('is off by default: clicks change neither the order nor the explanation', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    await click(app, store, 'a', 20, { position: 3 })
    const { ids, hits } = await search(app, store, { explain: true })
    assert.equal(ids, 'cba')
    assert.equal(hits[0].explanation.learning, undefined)
  })

  test('lifts what visitors of the query choose, for this query alone, and explain says why', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    await click(app, store, 'c', 4, { position: 1 })
    await click(app, store, 'a', 20, { position: 3 })
    assert.equal((await rank(app, store, { learning: 'on', learning_limit: 1 })).statusCode, 200)
    const answer = await search(app, store, { explain: true })
    assert.equal(answer.ids, 'acb')
    assert.equal(answer.found, 3)
    const [best, other, last] = answer.hits.map(
      (hit: { explanation: { learning: object } }) => hit.explanation.learning,
    )
    assert.equal(best.clicks, 19, 'without the busiest network')
    assert.ok(best.expected < 8, JSON.stringify(best))
    assert.equal(best.factor, 1 + best.lift)
    assert.equal(other.lift, 0)
    assert.deepEqual(last, { factor: 1, lift: 0, clicks: 0, expected: 0 })
    assert.equal((await search(app, store, { q: 'red tent' })).ids, 'cba')
    assert.equal((await search(app, store, { q: '*' })).ids, 'cba')
  })

  test('its limit is what points grow by at most', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    await click(app, store, 'c', 4, { position: 1 })
    await click(app, store, 'a', 20, { position: 3 })
    const scores: number[] = []
    for (const [learning_limit, order] of [
      [0, 'cba'],
      [0.01, 'cab'],
      [1, 'acb'],
    ] as const) {
      await rank(app, store, { learning: 'on', learning_limit })
      const { ids, hits } = await search(app, store)
      assert.equal(ids, order)
      const hit = hits.find(({ id }: { id: string }) => id === 'a')
      scores.push(hit.text_match_score % 2 ** 40)
    }
    const [none, little, most] = scores
    assert.ok(little! > none! && little! <= 1.01 * none! + 1, scores.join())
    assert.ok(most! > little! && most! <= 2 * none!, scores.join())
  })

  test('never lifts a document over one that has more of the words', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    await click(app, store, 'c', 30, { position: 3, query: 'tent peg' })
    await rank(app, store, { learning: 'on', learning_limit: 1 })
    const answer = await search(app, store, { q: 'tent peg', explain: true })
    assert.equal(answer.ids, 'bac')
    assert.ok(answer.hits[2].explanation.learning.lift > 0)
  })

  test('a kept answer is not given again when something was learned', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    await rank(app, store, { learning: 'on', learning_limit: 1 })
    const ids = [(await search(app, store, { cache_results: true })).ids]
    await click(app, store, 'a', 20, { position: 3 })
    ids.push((await search(app, store, { cache_results: true })).ids)
    assert.deepEqual(ids, ['cba', 'acb'])
  })

  test('is tried by an experiment: visitors of the draft see what was learned', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    await click(app, store, 'a', 20, { position: 3 })
    const started = await app.call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/experiments`,
      headers: store.write,
      body: {
        name: 'Learning',
        kind: 'split',
        draft: { ranking: { learning: 'on', learning_limit: 1 } },
      },
    })
    assert.equal(started.statusCode, 200, started.body)
    const orders = new Set<string>()
    for (let visitor = 0; visitor < 40; visitor++) {
      const answer = await app.call({
        method: 'POST',
        url: '/v1/search',
        headers: { ...store.read, 'x-anon-id': `v${visitor}` },
        body: { q: 'tent' },
      })
      const { hits, experiment } = answer.json()
      orders.add(`${experiment.arm} ${hits.map(({ id }: { id: string }) => id).join('')}`)
    }
    assert.deepEqual([...orders].toSorted(), ['draft acb', 'live cba'])
  })

  test('values that are none are refused', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    for (const [name, value] of [
      ['learning', 'trial'],
      ['learning', true],
      ['learning_limit', -0.1],
      ['learning_limit', 2],
      ['learning_limit', '1'],
    ] as const) {
      const answer = await rank(app, store, { [name]: value })
      assert.equal(answer.statusCode, 400, `${name} ${value}`)
      assert.match(answer.json().param, new RegExp(`^ranking\\.${name}`))
    }
  })
})

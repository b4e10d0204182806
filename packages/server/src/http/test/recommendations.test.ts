import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { createTestApp, type TestApp, type TestStore } from './test-app.ts'

const PRODUCTS = [
  { id: 'tent', title: 'Dome tent for two', categories: ['Camp', 'Camp > Tents'], price: 200 },
  { id: 'hall', title: 'Tunnel tent for four', categories: ['Camp', 'Camp > Tents'], price: 400 },
  { id: 'peg', title: 'Peg set for a tent', categories: ['Camp', 'Camp > Parts'], price: 9 },
  { id: 'lamp', title: 'Reading lamp', categories: ['Home', 'Home > Lamps'], price: 30 },
  { id: 'desk', title: 'Desk lamp', categories: ['Home', 'Home > Lamps'], price: 50 },
]

async function shop(app: TestApp): Promise<TestStore> {
  const store = await app.createStore('shop')
  const role = { searchable: true, facet: true, sort: false }
  const fields = [
    { ...role, name: 'title', type: 'string', facet: false },
    { ...role, name: 'categories', type: 'string[]' },
    { ...role, name: 'price', type: 'float', searchable: false },
  ]
  const call = async (url: string, body: object) => {
    const answer = await app.call({ method: 'POST', url, headers: store.write, body })
    assert.ok(answer.statusCode < 300, answer.body)
  }
  await call('/api/v1/stores/shop/schema', { fields })
  for (const { id, ...data } of PRODUCTS) {
    await call('/api/v1/stores/shop/documents', { id, data })
  }
  return store
}

/** Somebody from a network of their own does something. */
async function did(
  app: TestApp,
  store: TestStore,
  visitor: number,
  type: 'click' | 'conversion',
  id: string,
): Promise<void> {
  const answer = await app.call({
    method: 'POST',
    url: '/analytics/event',
    headers: {
      ...store.read,
      'x-anon-id': `visitor ${visitor}`,
      'x-forwarded-for': `10.${visitor}.0.1`,
    },
    body: { event_type: type, data: { query: 'tent', document_id: id } },
  })
  assert.equal(answer.statusCode, 200, answer.body)
}

async function recommend(
  app: TestApp,
  store: TestStore,
  body: object,
  visitor?: number,
): Promise<Record<string, unknown> & { rows: string[] }> {
  const answer = await app.call({
    method: 'POST',
    url: '/v1/recommendations',
    headers: {
      ...store.read,
      ...(visitor === undefined ? {} : { 'x-anon-id': `visitor ${visitor}` }),
    },
    body,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const json = answer.json()
  return {
    ...json,
    rows: json.hits.map((hit: Record<string, string>) => `${hit['id']} ${hit['source']}`),
  }
}

const trusting = { trustProxy: true }

suite('recommendations', () => {
  test('before anybody came, products are recommended for what they are', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    const related = await recommend(app, store, { kind: 'related', ids: ['tent'] })
    assert.deepEqual(related.rows, ['hall similar', 'peg similar'])
    const together = await recommend(app, store, { kind: 'bought_together', ids: ['tent'] })
    assert.deepEqual(together.rows, ['peg similar'])
    const trending = await recommend(app, store, { kind: 'trending', per_page: 2 })
    assert.deepEqual(trending.rows, ['desk new', 'peg new'])
    const forYou = await recommend(app, store, { kind: 'for_you', per_page: 2 }, 1)
    assert.deepEqual(forYou.rows, ['desk new', 'peg new'])
    const all = await recommend(app, store, { kind: 'trending' })
    assert.deepEqual(
      all.rows,
      ['desk', 'peg', 'hall', 'lamp', 'tent'].map((id) => `${id} new`),
      'categories take turns',
    )
    assert.deepEqual((await recommend(app, store, { kind: 'recently_viewed' }, 1)).rows, [])
  })

  test('what three visitors looked at, or bought, together comes first', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    for (const visitor of [1, 2, 3]) {
      await did(app, store, visitor, 'click', 'tent')
      await did(app, store, visitor, 'click', 'desk')
      await did(app, store, visitor, 'conversion', 'tent')
      await did(app, store, visitor, 'conversion', 'lamp')
    }
    const related = await recommend(app, store, { kind: 'related', ids: ['tent'] })
    assert.deepEqual(related.rows, ['desk viewed_together', 'hall similar', 'peg similar'])
    const together = await recommend(app, store, { kind: 'bought_together', ids: ['tent'] })
    assert.deepEqual(together.rows, ['lamp bought_together', 'peg similar'])
    const cheap = { kind: 'related', ids: ['tent'], filter_by: 'price:<20' }
    assert.deepEqual((await recommend(app, store, cheap)).rows, ['peg similar'])
    const popular = await recommend(app, store, { kind: 'trending', ids: ['tent'], per_page: 2 })
    assert.ok(
      popular.rows.every((row) => /trending|popular/.test(row)),
      popular.rows.join(),
    )
  })

  test('a visitor gets what they saw, and what goes with it', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    for (const visitor of [1, 2, 3]) {
      await did(app, store, visitor, 'click', 'lamp')
      await did(app, store, visitor, 'click', 'peg')
    }
    await did(app, store, 9, 'click', 'tent')
    await did(app, store, 9, 'click', 'lamp')
    const seen = await recommend(app, store, { kind: 'recently_viewed' }, 9)
    assert.deepEqual(seen.rows, ['lamp recently_viewed', 'tent recently_viewed'])
    const forYou = await recommend(app, store, { kind: 'for_you' }, 9)
    assert.equal(forYou.rows[0], 'peg viewed_together')
    assert.ok(!forYou.rows.some((row) => /^(lamp|tent) /.test(row)), 'what was seen')
    assert.deepEqual((await recommend(app, store, { kind: 'recently_viewed' }, 8)).rows, [])
  })

  test('hits show the fields that are asked for, and unknown parameters are named', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    const { hits, warnings } = await recommend(app, store, {
      kind: 'related',
      ids: ['tent', 'no such product'],
      per_page: 1,
      return_fields: ['price'],
      qq: 1,
    })
    assert.deepEqual(hits, [{ id: 'hall', document: { price: 400 }, source: 'similar' }])
    assert.equal((warnings as string[]).length, 1)
    assert.deepEqual((await recommend(app, store, { kind: 'trending', per_page: 0 })).rows, [])
  })

  test('a wrong request is refused and says what is wrong', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    const refusals: [object, string, string][] = [
      [{}, 'missing_parameter', 'kind'],
      [{ kind: 'best' }, 'invalid_parameter', 'kind'],
      [{ kind: 'related' }, 'missing_parameter', 'ids'],
      [{ kind: 'bought_together', ids: [] }, 'missing_parameter', 'ids'],
      [{ kind: 'trending', per_page: 51 }, 'invalid_parameter', 'per_page'],
      [{ kind: 'recently_viewed', filter_by: 'price:<' }, 'invalid_filter', 'filter_by'],
      [{ kind: 'trending', filter_by: 'colour:=red' }, 'unknown_field', 'filter_by'],
    ]
    for (const [body, code, param] of refusals) {
      const answer = await app.call({
        method: 'POST',
        url: '/v1/recommendations',
        headers: store.read,
        body,
      })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().code, code, answer.body)
      assert.equal(answer.json().param, param, answer.body)
    }
  })
})

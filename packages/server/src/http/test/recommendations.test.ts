import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { until } from '@aisle/testing'
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

/** Sends an action of a visitor from a separate network. */
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

/**
 * Asks until these are recommended: a busy cluster ends a search when its time is over, with what
 * it has, and the next source fills the page.
 */
async function recommends(
  app: TestApp,
  store: TestStore,
  body: object,
  expected: readonly string[],
  visitor?: number,
): Promise<void> {
  let rows: readonly string[] = []
  await until(
    () => `${JSON.stringify(body)}: ${expected.join(', ')} instead of ${rows.join(', ')}`,
    async () => {
      rows = (await recommend(app, store, body, visitor)).rows
      return isDeepStrictEqual(rows, expected)
    },
  )
}

const trusting = { trustProxy: true }

suite('recommendations', () => {
  test('before anybody came, products are recommended for what they are', async () => {
    await using app = await createTestApp(trusting)
    const store = await shop(app)
    await recommends(app, store, { kind: 'related', ids: ['tent'] }, [
      'hall similar',
      'peg similar',
    ])
    await recommends(app, store, { kind: 'bought_together', ids: ['tent'] }, ['peg similar'])
    await recommends(app, store, { kind: 'trending', per_page: 2 }, ['desk new', 'peg new'])
    await recommends(app, store, { kind: 'for_you', per_page: 2 }, ['desk new', 'peg new'], 1)
    // Categories take turns.
    const all = ['desk', 'peg', 'hall', 'lamp', 'tent'].map((id) => `${id} new`)
    await recommends(app, store, { kind: 'trending' }, all)
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
    await recommends(app, store, { kind: 'related', ids: ['tent'] }, [
      'desk viewed_together',
      'hall similar',
      'peg similar',
    ])
    await recommends(app, store, { kind: 'bought_together', ids: ['tent'] }, [
      'lamp bought_together',
      'peg similar',
    ])
    const cheap = { kind: 'related', ids: ['tent'], filter_by: 'price:<20' }
    await recommends(app, store, cheap, ['peg similar'])
    await until('products that are trending or popular, and no new ones', async () => {
      const popular = { kind: 'trending', ids: ['tent'], per_page: 2 }
      const { rows } = await recommend(app, store, popular)
      return rows.every((row) => /trending|popular/.test(row))
    })
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
    await recommends(
      app,
      store,
      { kind: 'recently_viewed' },
      ['lamp recently_viewed', 'tent recently_viewed'],
      9,
    )
    await until('what goes with what was seen, first', async () => {
      const forYou = await recommend(app, store, { kind: 'for_you' }, 9)
      assert.ok(!forYou.rows.some((row) => /^(lamp|tent) /.test(row)), 'what was seen')
      return forYou.rows[0] === 'peg viewed_together'
    })
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

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, type TestStore } from './test-app.ts'

// A busy machine is slow with the first search.
const testApp = await createTestApp({ searchTimeoutDefaultMs: 20_000 })
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp

const text = { type: 'string', searchable: true }
const FIELDS = [
  { name: 'title', ...text },
  { name: 'brand', type: 'string', facet: true },
  { name: 'color', type: 'string', facet: true },
  { name: 'size', type: 'string[]', facet: true },
  { name: 'tenant', type: 'string', facet: true },
  { name: 'price', type: 'float', facet: true, sort: true },
]
const DOCUMENTS = [
  {
    id: '1',
    title: 'Trail Shoe',
    brand: 'Fells',
    color: 'Red',
    size: ['42'],
    tenant: 'a',
    price: 90,
  },
  {
    id: '2',
    title: 'Trail Shoe',
    brand: 'Norrby',
    color: 'Red',
    size: ['43'],
    tenant: 'a',
    price: 60,
  },
  {
    id: '3',
    title: 'Road Shoe',
    brand: 'Fells',
    color: 'Blue',
    size: ['42'],
    tenant: 'a',
    price: 120,
  },
  { id: '4', title: 'Tent', brand: 'Hidden Peak', color: 'Violet', tenant: 'b', price: 300 },
]

async function filled(id: string): Promise<TestStore> {
  const store = await testApp.createStore(id)
  for (const [path, body] of [
    ['schema', { fields: FIELDS }],
    ['documents/bulk', { documents: DOCUMENTS }],
  ] as const) {
    const url = `/api/v1/stores/${id}/${path}`
    const { statusCode } = await call({ method: 'POST', url, headers: store.write, body })
    assert.ok(statusCode < 300)
  }
  return store
}
async function searched(store: TestStore, body: object, url = '/v1/search') {
  const answer = await call({ method: 'POST', url, headers: store.read, body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const set = async ({ id, write }: TestStore, body: object) => {
  const url = `/api/v1/stores/${id}/settings`
  return call({ method: 'PATCH', url, headers: write, body })
}
const idsOf = ({ hits }: { hits: readonly { id: string }[] }) => hits.map(({ id }) => id).toSorted()
const q = 'red shoe under 80'

suite('filters in a query', () => {
  test('are suggested, applied, or left alone', async () => {
    const store = await filled('asked')
    const plain = await searched(store, { q })
    assert.equal(plain.interpretation, undefined)
    const suggested = await searched(store, { q, interpret: true })
    assert.equal(suggested.interpretation.filter_by, 'color:="Red" && price:<80')
    assert.equal(suggested.interpretation.applied, false)
    assert.deepEqual(idsOf(suggested), idsOf(plain))
    const applied = await searched(store, { q, interpret: 'apply', facet_by: 'brand' })
    assert.deepEqual(idsOf(applied), ['2'])
    assert.deepEqual(applied.interpretation.rest, 'shoe')
    assert.deepEqual(applied.facet_counts[0].counts, [{ value: 'Norrby', count: 1 }])
    assert.equal(applied.rewritten_query, undefined)
    const none = await searched(store, { q: 'trail', interpret: 'apply' })
    assert.deepEqual(none.interpretation, {
      filters: [],
      filter_by: '',
      rest: 'trail',
      applied: false,
    })
  })

  test('stay words if the request says so, or if they are in quotes', async () => {
    const store = await filled('kept')
    const kept = await searched(store, { q, interpret: 'apply', interpret_except: ['UNDER 80'] })
    assert.equal(kept.interpretation.filter_by, 'color:="Red"')
    assert.equal(kept.interpretation.rest, 'shoe under 80')
    const quoted = await searched(store, { q: '"red" shoe', interpret: true })
    assert.deepEqual(quoted.interpretation.filters, [])
  })

  test('add to the filters of the request, and to facets of /v1/filters', async () => {
    const store = await filled('added')
    const body = { q: 'red shoe', interpret: 'apply', filter_by: 'brand:=Fells || brand:=Norrby' }
    assert.deepEqual(idsOf(await searched(store, body)), ['1', '2'])
    const { facets } = await searched(store, { ...body, facet_by: 'size' }, '/v1/filters')
    assert.deepEqual(
      facets.size.map(({ value }: { value: string }) => value),
      ['42', '43'],
    )
  })

  test('follow the setting of the store, whose fields are checked', async () => {
    const store = await filled('set')
    assert.equal((await set(store, { interpretation: { mode: 'apply' } })).statusCode, 200)
    assert.deepEqual(idsOf(await searched(store, { q })), ['2'])
    assert.equal((await searched(store, { q, interpret: false })).interpretation, undefined)
    await set(store, { interpretation: { fields: ['brand'], price_field: 'price' } })
    const { interpretation } = await searched(store, { q: 'fells shoe' })
    assert.equal(interpretation.filter_by, 'brand:="Fells"')
    for (const [bad, param, code] of [
      [{ price_field: 'title' }, 'interpretation.price_field', 'invalid_parameter'],
      [{ fields: ['price'] }, 'interpretation.fields[0]', 'invalid_parameter'],
      [{ fields: ['nope'] }, 'interpretation.fields[0]', 'unknown_field'],
      [{ mode: 'always' }, 'interpretation.mode', 'invalid_parameter'],
    ] as const) {
      const { code: error, param: named } = (await set(store, { interpretation: bad })).json()
      assert.deepEqual([error, named], [code, param])
    }
  })

  test('are conditions for rules, which match the query as typed', async () => {
    const store = await filled('ruled')
    const put = (id: string, body: object) =>
      call({ method: 'PUT', url: `/api/v1/stores/ruled/rules/${id}`, headers: store.write, body })
    const banner = { title: 'Red' }
    await put('typed', { when: [{ query: 'red shoe', match: 'exact' }], banner })
    await put('filtered', { when: [{ filter_by: 'color:=Red' }], metadata: { tone: 'warm' } })
    const answer = await searched(store, { q: 'red shoe', interpret: 'apply' })
    assert.deepEqual(answer.applied_rules.toSorted(), ['filtered', 'typed'])
    await put('rewriting', { when: [{ query: 'red shoe' }], replace_query: 'trail shoe' })
    const rewritten = await searched(store, { q: 'red shoe', interpret: 'apply' })
    assert.equal(rewritten.rewritten_query, 'trail shoe')
    assert.deepEqual(rewritten.interpretation.filters, [])
  })

  test('are in cached answers, each for its own parameters', async () => {
    const store = await filled('cached')
    const body = { q, cache_results: true }
    for (const more of [
      {},
      { interpret: true },
      { interpret: 'apply' },
      { interpret: 'apply', interpret_except: ['red'] },
    ]) {
      const {
        search_id: _,
        search_time_ms: __,
        ...first
      } = await searched(store, { ...body, ...more })
      const {
        search_id: ___,
        search_time_ms: ____,
        ...second
      } = await searched(store, { ...body, ...more })
      assert.deepEqual([first.cached, second.cached], [false, true])
      assert.deepEqual({ ...first, cached: true }, second)
    }
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { RequestWatch, WatchedWork } from '../../ports/host/request-watch.ts'
import { createTestApp, fillStore, type TestStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp
let storeCount = 0

async function shop(): Promise<TestStore> {
  const store = await testApp.createStore(`by-filter-${++storeCount}`)
  await fillStore(testApp, store)
  return store
}

const path = (store: TestStore, filterBy?: string): string =>
  `/api/v1/stores/${store.id}/documents` +
  (filterBy === undefined ? '' : `?filter_by=${encodeURIComponent(filterBy)}`)

async function exported(store: TestStore, filterBy?: string): Promise<Map<string, unknown>> {
  const answer = await call({ url: path(store, filterBy), headers: store.write })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['content-type'], 'application/x-ndjson')
  const lines = answer.body.split('\n')
  assert.equal(lines.pop(), '')
  assert.equal(Number(answer.headers['x-documents']), lines.length)
  const documents = lines.map((line) => JSON.parse(line) as { id: string; data: unknown })
  return new Map(documents.map(({ id, data }) => [id, data]))
}

/** Requests that all three routes refuse without changing anything. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['?filter_by=price:<50&dry_run=1', 'invalid_parameter'],
  ['?filter_by=price:<50&filter_by=price:<60', 'invalid_parameter'],
  ['?filter=price:<50', 'invalid_parameter'],
  ['?filter_by=prise:<50', 'unknown_field'],
  ['?filter_by=price:<', 'invalid_filter'],
  [`?filter_by=${'x'.repeat(20_001)}`, 'invalid_parameter'],
]

suite('export', () => {
  test('gives every document, or those that meet a filter', async () => {
    const store = await shop()
    assert.deepEqual([...(await exported(store)).keys()], ['1', '2', '3', '4'])
    assert.deepEqual([...(await exported(store, '')).keys()], ['1', '2', '3', '4'])
    assert.deepEqual([...(await exported(store, 'brand:=Norrby && price:<100')).keys()], ['4'])
    assert.deepEqual([...(await exported(store, 'price:>1000')).keys()], [])
  })

  test('keeps every digit, and puts a document on one line', async () => {
    const store = await shop()
    const body = '{"id":"5","data":{\n  "title": "Two\\nlines",\r\n  "stock": 9007199254740993\n}}'
    const json = { ...store.write, 'content-type': 'application/json' }
    await call({ method: 'POST', url: path(store), headers: json, body })
    const answer = await call({ url: path(store, 'id:=5'), headers: store.write })
    assert.equal(answer.body.trimEnd().split('\n').length, 1)
    assert.match(answer.body, /9007199254740993/)
    assert.equal(JSON.parse(answer.body).data.title, 'Two\nlines')
  })

  test('a store without a schema is empty', async () => {
    const store = await testApp.createStore('bare')
    assert.equal((await exported(store)).size, 0)
  })
})

suite('delete by filter', () => {
  test('deletes what meets the filter and nothing else', async () => {
    const store = await shop()
    const answer = await call({
      method: 'DELETE',
      url: path(store, 'brand:=Fells'),
      headers: store.write,
    })
    const { status, documents_deleted: count } = answer.json()
    assert.deepEqual([status, count], ['deleted', 2])
    assert.deepEqual([...(await exported(store)).keys()], ['3', '4'])
  })

  test('refuses what it does not understand, and deletes nothing', async () => {
    const store = await shop()
    for (const [query, code] of [
      ...REFUSED,
      ['?filter_by=', 'invalid_filter'],
      ['?filter_by=%20', 'invalid_filter'],
    ] as const) {
      const answer = await call({
        method: 'DELETE',
        url: path(store) + query,
        headers: store.write,
      })
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code], query.slice(0, 50))
    }
    assert.equal((await exported(store)).size, 4)
  })
})

suite('update by filter', () => {
  const update = (store: TestStore, query: string, body: unknown) =>
    call({ method: 'PATCH', url: path(store) + query, headers: store.write, body })

  test('sets and removes fields in what meets the filter', async () => {
    const store = await shop()
    const set = { price: 10, tags: null }
    const answer = await update(store, '?filter_by=brand:=Fells', { set })
    assert.deepEqual(answer.json(), {
      status: 'updated',
      documents_updated: 2,
      documents_failed: 0,
      errors: [],
    })
    const documents = await exported(store)
    assert.deepEqual(documents.get('1'), {
      title: 'Red trail shoe',
      brand: 'Fells',
      price: 10,
      stock: 3,
    })
    assert.equal((documents.get('3') as { price: number }).price, 149)
    assert.equal((await exported(store, 'price:=10')).size, 2)
  })

  const bodies: readonly (readonly [unknown, string, string])[] = [
    [{}, 'missing_parameter', 'set'],
    [{ set: null }, 'missing_parameter', 'set'],
    [{ set: [] }, 'invalid_parameter', 'set'],
    [{ set: {} }, 'invalid_parameter', 'set'],
    [{ set: { id: '9' } }, 'invalid_parameter', 'set'],
    [{ set: { colour: 'red' } }, 'unknown_field', 'set.colour'],
    [{ set: { price: 'cheap' } }, 'invalid_type', 'set.price'],
    ['', 'malformed_json', ''],
  ]
  for (const [body, code, param] of bodies) {
    test(`refuses the body ${JSON.stringify(body)}`, async () => {
      const store = await shop()
      const before = await exported(store)
      const answer = await update(store, '?filter_by=brand:=Fells', body)
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code])
      if (param !== '') assert.equal(answer.json().param, param)
      assert.deepEqual(await exported(store), before)
    })
  }

  test('asks for a filter', async () => {
    const store = await shop()
    const cases = [
      ...REFUSED,
      ['', 'missing_parameter'],
      ['?filter_by=', 'invalid_filter'],
    ] as const
    for (const [query, code] of cases) {
      const answer = await update(store, query, { set: { price: 1 } })
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code], query.slice(0, 50))
    }
    assert.equal((await exported(store, 'price:=1')).size, 0)
  })
})

test('a filter that has ended threads is refused on all three routes, and no other is', async () => {
  const deadly = 'brand:=Norrby'
  const works: WatchedWork[] = []
  const watch: RequestWatch = {
    workOn: (work) => void works.push(work),
    quarantineSeconds: ({ request }) => (request.endsWith(`filter_by=${deadly}`) ? 600 : 0),
  }
  await using app = await createTestApp({}, { watch })
  const store = await app.createStore('watched')
  await fillStore(app, store)
  const json = { ...store.write, 'content-type': 'application/json' }
  const ask = async (filterBy: string) =>
    await Promise.all([
      app.call({ url: path(store, filterBy), headers: store.write }),
      app.call({ method: 'PATCH', url: path(store, filterBy), headers: json, body: PATCH }),
      app.call({ method: 'DELETE', url: path(store, filterBy), headers: store.write }),
    ])
  for (const answer of await ask(deadly)) {
    assert.equal(answer.statusCode, 503)
    assert.equal(answer.json().code, 'request_quarantined')
    assert.equal(answer.headers['retry-after'], '600')
  }
  for (const { statusCode } of await ask('brand:=Other')) assert.equal(statusCode, 200)
  assert.ok(works.some(({ request }) => request === 'watched\nfilter_by=brand:=Other'))
})

const PATCH = '{"set":{"price":1}}'

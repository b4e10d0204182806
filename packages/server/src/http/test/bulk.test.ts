import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { createTestApp, type TestStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { app, call } = testApp
let stores = 0

async function freshStore(withSchema = true): Promise<TestStore> {
  const store = await testApp.createStore(`bulk-${stores++}`)
  if (withSchema) {
    await call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/schema`,
      headers: store.write,
      body: {
        fields: [
          { name: 'title', type: 'string', searchable: true },
          { name: 'price', type: 'float' },
        ],
      },
    })
  }
  return store
}

const bulk = (store: TestStore, body: unknown, type = 'application/json') =>
  call({
    method: 'POST',
    url: `/api/v1/stores/${store.id}/documents/bulk`,
    headers: { ...store.write, 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const found = async (store: TestStore) =>
  (await call({ method: 'POST', url: '/v1/search', headers: store.read, body: { q: '*' } })).json()
    .found

const ENTRIES = [
  { id: '1', data: { title: 'wrapped' } },
  { id: '2', title: 'flat', price: 2 },
  { id: '3', data: { title: 5 } },
  { id: '1', action: 'insert', data: {} },
  { id: '9', action: 'update', data: {} },
  { id: '2', action: 'update', data: { price: 3 } },
  { id: '2', data: { title: 'again' } },
]
const EXPECTED = [
  ['1', 'created', 201, undefined],
  ['2', 'created', 201, undefined],
  ['3', 'failed', 400, 'invalid_type'],
  ['1', 'failed', 400, 'document_exists'],
  ['9', 'failed', 400, 'document_not_found'],
  ['2', 'updated', 200, undefined],
  ['2', 'updated', 200, undefined],
]

suite('bulk', () => {
  const forms: readonly (readonly [string, string, string])[] = [
    ['an object with documents', 'application/json', JSON.stringify({ documents: ENTRIES })],
    ['a bare array', 'application/json', JSON.stringify(ENTRIES)],
    ['NDJSON', 'application/x-ndjson', ENTRIES.map((one) => `${JSON.stringify(one)}\n`).join('')],
    [
      'NDJSON with CRLF and no last line end',
      'application/x-ndjson',
      ENTRIES.map((one) => JSON.stringify(one)).join('\r\n'),
    ],
  ]
  for (const [name, type, body] of [
    ['JSON', 'application/json', (entries: object[]) => JSON.stringify(entries)],
    [
      'NDJSON',
      'application/x-ndjson',
      (entries: object[]) => entries.map((one) => `${JSON.stringify(one)}\n`).join(''),
    ],
  ] as const) {
    test(`${name}: members beside data are ignored, with a warning if there were any`, async () => {
      const store = await freshStore()
      const long = 'k'.repeat(500)
      const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, i]))
      const answer = await bulk(
        store,
        body([
          { id: '1', data: { title: 'one' }, price: 5 },
          { id: '2', data: { title: 'two' } },
          { id: '3', action: 'insert', data: { title: 'three' }, [long]: 1, __proto__x: null },
          { id: '4', data: { title: 4 }, price: 5 },
          { id: '5', data: {}, ...many },
          { id: '6', title: 'flat', price: 6 },
        ]),
        type,
      )
      const { results, indexed, success } = answer.json()
      const ignored = (key: string) => `\`${key}\` is ignored: it is beside \`data\`, not inside it`
      assert.deepEqual(
        results.map((one: { warnings?: string[] }) => one.warnings),
        [
          [ignored('price')],
          undefined,
          [ignored('k'.repeat(100)), ignored('__proto__x')],
          [ignored('price')],
          Array.from({ length: 10 }, (_, i) => ignored(`k${i}`)),
          undefined,
        ],
      )
      assert.deepEqual([indexed, success], [5, false])
      const url = `/api/v1/stores/${store.id}/documents/1`
      const stored = (await call({ url, headers: store.read })).json()
      assert.deepEqual(stored.data, { title: 'one' })
    })
  }

  for (const [name, type, body] of forms) {
    test(`${name} gives a result for each entry, in order`, async () => {
      const store = await freshStore()
      const answer = await bulk(store, body, type)
      assert.equal(answer.statusCode, 207, answer.body)
      const report = answer.json()
      assert.deepEqual(
        report.results.map((one: Record<string, unknown>) => [
          one['id'],
          one['status'],
          one['code'],
          one['error_code'],
        ]),
        EXPECTED,
      )
      assert.deepEqual(report.summary, { total: 7, succeeded: 4, failed: 3 })
      assert.deepEqual([report.status, report.success, report.indexed], [207, false, 4])
      assert.deepEqual(
        report.errors.map((one: { index: number }) => one.index),
        [2, 3, 4],
      )
      assert.equal(await found(store), 2)
    })
  }

  test('an empty list is a success of zeros', async () => {
    const store = await freshStore()
    for (const [body, type] of [
      ['[]', 'application/json'],
      ['{"documents":[]}', 'application/json'],
      ['', 'application/x-ndjson'],
      ['\n \n', 'application/x-ndjson'],
    ] as const) {
      const answer = await bulk(store, body, type)
      assert.equal(answer.statusCode, 207, answer.body)
      assert.deepEqual(answer.json().summary, { total: 0, succeeded: 0, failed: 0 })
      assert.equal(answer.json().success, true)
    }
  })

  test('one bad entry costs only itself', async () => {
    const store = await freshStore()
    const bad = [
      '5',
      'null',
      '{"data":{"__proto__":{"x":1}}}',
      '{"title":"\\ud800"}',
      `{"title":${'['.repeat(40)}${']'.repeat(40)}}`,
      '{"id":"","data":{}}',
      `{"id":"${'x'.repeat(600)}"}`,
      '{"action":"x","data":{}}',
    ]
    const entries = bad.flatMap((one, i) => [one, `{"id":"ok${i}","title":"fine"}`])
    for (const [body, type] of [
      [`[${entries.join(',')}]`, 'application/json'],
      [[...entries, '{"title":'].join('\n'), 'application/x-ndjson'],
    ] as const) {
      const report = (await bulk(store, body, type)).json()
      assert.equal(report.summary.succeeded, bad.length, JSON.stringify(report.results))
      for (const [i, result] of report.results.entries()) {
        assert.equal(result.index, i)
        assert.equal(result.status === 'failed', i % 2 === 0)
      }
    }
    assert.equal(await found(store), bad.length)
  })

  const refused: readonly (readonly [string, string])[] = [
    ['', 'malformed_json'],
    ['[{"title":"x"}', 'malformed_json'],
    ['{"docs":[]}', 'missing_parameter'],
    ['{"documents":{}}', 'invalid_parameter'],
    ['5', 'invalid_parameter'],
  ]
  for (const [body, code] of refused) {
    test(`${body === '' ? 'an empty body' : body} fails as a whole: ${code}`, async () => {
      const store = await freshStore()
      const answer = await bulk(store, body)
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code], answer.body)
      assert.equal(await found(store), 0)
    })
  }

  test('without a schema the whole request fails', async () => {
    const store = await freshStore(false)
    for (const type of ['application/json', 'application/x-ndjson']) {
      const answer = await bulk(store, '[]', type)
      assert.deepEqual([answer.statusCode, answer.json().code], [400, 'schema_not_defined'])
    }
  })

  test('more documents than a batch holds are all answered in order', async () => {
    const store = await freshStore()
    const lines = Array.from({ length: 1_234 }, (_, i) => `{"id":"${i}","title":"shoe ${i}"}`)
    const answer = await app.inject({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/documents/bulk`,
      headers: { ...store.write, 'content-type': 'application/x-ndjson' },
      // In pieces that ignore line borders.
      payload: Readable.from(
        (lines.join('\n').match(/[^]{1,1000}/g) ?? []).map((s) => Buffer.from(s)),
      ),
    })
    const report = answer.json()
    assert.deepEqual(report.summary, { total: 1_234, succeeded: 1_234, failed: 0 })
    report.results.forEach((one: { id: string; index: number }, i: number) => {
      assert.deepEqual([one.id, one.index], [String(i), i])
    })
    assert.equal(await found(store), 1_234)
  })

  test('a stream that breaks keeps what was acknowledged', async () => {
    const store = await freshStore()
    const lines = Array.from({ length: 2_000 }, (_, i) => `{"id":"${i}","title":"shoe"}\n`)
    async function* broken() {
      yield Buffer.from(lines.join(''))
      await until('the first batch', async () => (await found(store)) >= 500)
      throw new Error('the line went dead')
    }
    await app
      .inject({
        method: 'POST',
        url: `/api/v1/stores/${store.id}/documents/bulk`,
        headers: { ...store.write, 'content-type': 'application/x-ndjson' },
        payload: Readable.from(broken()),
      })
      .catch(() => undefined)
    // On a cluster the documents of a batch that is being written are seen one by one, and a busy
    // one cuts searches off.
    await until('whole batches', async () => {
      const count = await found(store)
      return count >= 500 && count % 500 === 0
    })
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, type TestStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'stock', type: 'int64', facet: true, sort: true },
  { name: 'tags', type: 'string[]', facet: true },
]
let stores = 0

async function freshStore(withSchema = true): Promise<TestStore> {
  const store = await testApp.createStore(`documents-${stores++}`)
  if (withSchema) {
    const url = `/api/v1/stores/${store.id}/schema`
    const answer = await call({
      method: 'POST',
      url,
      headers: store.write,
      body: { fields: FIELDS },
    })
    assert.equal(answer.statusCode, 200)
  }
  return store
}

const path = (store: TestStore, id = '') =>
  `/api/v1/stores/${store.id}/documents${id === '' ? '' : `/${encodeURIComponent(id)}`}`
const index = (store: TestStore, body: unknown) =>
  call({
    method: 'POST',
    url: path(store),
    headers: { ...store.write, 'content-type': 'application/json' },
    body,
  })
const get = (store: TestStore, id: string) => call({ url: path(store, id), headers: store.read })
const remove = (store: TestStore, id: string) =>
  call({ method: 'DELETE', url: path(store, id), headers: store.write })
const found = async (store: TestStore, body: object = {}) =>
  (
    await call({
      method: 'POST',
      url: '/v1/search',
      headers: store.read,
      body: { q: '*', ...body },
    })
  ).json().found

suite('one document', () => {
  test('is created, read, replaced, updated and deleted', async () => {
    const store = await freshStore()
    const created = await index(store, { id: 'a/b ü', data: { title: 'Shoe', price: 1 } })
    assert.equal(created.statusCode, 201)
    assert.deepEqual([created.json().id, created.json().status], ['a/b ü', 'created'])
    assert.deepEqual((await get(store, 'a/b ü')).json(), {
      id: 'a/b ü',
      data: { title: 'Shoe', price: 1 },
    })
    const replaced = await index(store, { id: 'a/b ü', data: { title: 'Boot' } })
    assert.deepEqual([replaced.statusCode, replaced.json().status], [200, 'updated'])
    assert.deepEqual((await get(store, 'a/b ü')).json().data, { title: 'Boot' })
    const update = { id: 'a/b ü', action: 'update', data: { price: 2, title: null } }
    assert.equal((await index(store, update)).statusCode, 200)
    assert.deepEqual((await get(store, 'a/b ü')).json().data, { price: 2 })
    assert.equal(await found(store), 1)
    const deleted = await remove(store, 'a/b ü')
    assert.deepEqual([deleted.statusCode, deleted.json().status], [200, 'deleted'])
    for (const answer of [await remove(store, 'a/b ü'), await get(store, 'a/b ü')]) {
      assert.deepEqual([answer.statusCode, answer.json().code], [404, 'document_not_found'])
    }
    assert.equal(await found(store), 0)
  })

  test('gets an id when it has none; an integer id is its text', async () => {
    const store = await freshStore()
    const made = (await index(store, { data: { title: 'x' } })).json().id
    assert.match(made, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.equal((await index(store, { id: 42, data: {} })).json().id, '42')
    assert.equal(
      (await index(store, '{"id":12345678901234567890,"data":{}}')).json().id,
      '12345678901234567890',
    )
    assert.equal((await get(store, '42')).statusCode, 200)
  })

  test('keeps every digit and the text of its numbers', async () => {
    const store = await freshStore()
    for (const stock of ['9007199254740993', '-9223372036854775808', '9223372036854775807']) {
      const data = `{"price":1.50,"stock":${stock}}`
      assert.ok((await index(store, `{"id":"n","data":${data}}`)).statusCode < 300)
      assert.equal((await get(store, 'n')).body, `{"id":"n","data":${data}}`)
      const hit = await call({
        method: 'POST',
        url: '/v1/search',
        headers: store.read,
        body: `{"q":"*","filters":{"stock":${stock}},"facet_by":"stock"}`,
      })
      assert.ok(hit.body.includes(`"document":{"id":"n","price":1.50,"stock":${stock}}`), hit.body)
      assert.ok(hit.body.includes(`"min":${stock},"max":${stock}`), hit.body)
    }
  })

  test('whose id is "bulk" is read and deleted like any other', async () => {
    const store = await freshStore()
    await index(store, { id: 'bulk', data: {} })
    assert.equal((await get(store, 'bulk')).json().id, 'bulk')
    assert.equal((await remove(store, 'bulk')).statusCode, 200)
  })

  test('is inserted only once, and updated only when it is there', async () => {
    const store = await freshStore()
    assert.equal((await index(store, { id: '1', action: 'insert', data: {} })).statusCode, 201)
    const again = await index(store, { id: '1', action: 'insert', data: {} })
    assert.deepEqual([again.statusCode, again.json().code], [409, 'document_exists'])
    const missing = await index(store, { id: '2', action: 'update', data: {} })
    assert.deepEqual([missing.statusCode, missing.json().code], [404, 'document_not_found'])
  })

  test('with several bad fields has them all in details', async () => {
    const store = await freshStore()
    const answer = await index(store, {
      data: { title: 5, colour: 'red', price: '12,90', stock: 1 },
    })
    assert.equal(answer.statusCode, 400)
    assert.deepEqual(
      answer
        .json()
        .details.map((one: { param: string; code: string }) => `${one.param} ${one.code}`),
      ['data.title invalid_type', 'data.colour unknown_field', 'data.price invalid_type'],
    )
  })

  const refused: readonly (readonly [string, number, string])[] = [
    ['', 400, 'malformed_json'],
    ['{"data":', 400, 'malformed_json'],
    ['{}', 400, 'missing_parameter'],
    ['{"id":"1","title":"flat"}', 400, 'missing_parameter'],
    ['{"data":5}', 400, 'invalid_parameter'],
    ['{"id":"","data":{}}', 400, 'invalid_parameter'],
    ['{"id":true,"data":{}}', 400, 'invalid_type'],
    [`{"id":"${'x'.repeat(513)}","data":{}}`, 400, 'invalid_parameter'],
    ['{"id":"a\\u0000b","data":{}}', 400, 'invalid_parameter'],
    ['{"id":"\\ud800","data":{}}', 400, 'invalid_unicode'],
    ['{"data":{"title":"\\ud800"}}', 400, 'invalid_unicode'],
    ['{"action":"replace","data":{}}', 400, 'invalid_parameter'],
    ['{"data":{"colour":"red"}}', 400, 'unknown_field'],
    ['{"data":{"__proto__":{"x":1}}}', 400, 'unknown_field'],
    ['{"data":{"title":5}}', 400, 'invalid_type'],
    ['{"data":{"stock":1.5}}', 400, 'invalid_type'],
    ['{"data":{"stock":9223372036854775808}}', 400, 'out_of_range'],
    ['{"data":{"price":1e400}}', 400, 'out_of_range'],
    ['{"data":{"tags":[null]}}', 400, 'invalid_type'],
    [`{"data":{"title":${'['.repeat(31)}${']'.repeat(31)}}}`, 400, 'json_too_deep'],
    [`{"data":{"title":"${'x'.repeat(1_000_001)}"}}`, 413, 'payload_too_large'],
  ]
  for (const [body, status, code] of refused) {
    test(`${body.slice(0, 50)} is ${status} ${code} and changes nothing`, async () => {
      const store = await freshStore()
      const answer = await index(store, body)
      assert.deepEqual([answer.statusCode, answer.json().code], [status, code], answer.body)
      assert.equal(await found(store), 0)
    })
  }

  test('before any schema is refused', async () => {
    const store = await freshStore(false)
    const answer = await index(store, { data: {} })
    assert.deepEqual([answer.statusCode, answer.json().code], [400, 'schema_not_defined'])
  })

  test('needs a JSON content type, or none', async () => {
    const store = await freshStore()
    for (const type of [
      'text/plain',
      'application/x-ndjson',
      'application/x-www-form-urlencoded',
    ]) {
      const answer = await call({
        method: 'POST',
        url: path(store),
        headers: { ...store.write, 'content-type': type },
        body: '{"data":{}}',
      })
      assert.deepEqual([answer.statusCode, answer.json().code], [415, 'unsupported_media_type'])
    }
  })
})

suite('clear', () => {
  test('deletes all documents and keeps the schema', async () => {
    const store = await freshStore()
    const clear = (query = '') =>
      call({ method: 'DELETE', url: path(store) + query, headers: store.write })
    const nothing = (await clear()).json()
    assert.deepEqual([nothing.status, nothing.documents_deleted], ['cleared', 0])
    await index(store, { id: '1', data: {} })
    for (const query of ['?filter_by=1&x=1', '?filters=x', '?x', '?x=1', '?%00', '?&', '??']) {
      const answer = await clear(query)
      assert.deepEqual([answer.statusCode, answer.json().code], [400, 'invalid_parameter'], query)
    }
    assert.equal(await found(store), 1)
    assert.equal((await clear()).json().documents_deleted, 1)
    assert.equal(await found(store), 0)
    assert.equal((await index(store, { data: { title: 'x' } })).statusCode, 201)
  })
})

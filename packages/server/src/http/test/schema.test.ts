import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { createTestApp, type TestStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp
let stores = 0

const freshStore = () => testApp.createStore(`schema-${stores++}`)
const url = (store: TestStore) => `/api/v1/stores/${store.id}/schema`
const change = (store: TestStore, body: unknown) =>
  call({
    method: 'POST',
    url: url(store),
    headers: { ...store.write, 'content-type': 'application/json' },
    body,
  })
const fields = async (store: TestStore) =>
  (await call({ url: url(store), headers: store.read })).json().fields

const TITLE = { name: 'title', type: 'string', searchable: true }
const TITLE_FULL = { ...TITLE, facet: false, sort: false }
const PRICE = { name: 'price', type: 'float', sort: true }
const PRICE_FULL = { name: 'price', type: 'float', searchable: false, facet: false, sort: true }

suite('schema', () => {
  test('is empty before one is defined', async () => {
    assert.deepEqual(await fields(await freshStore()), [])
  })

  test('grows by additive changes, which are idempotent and never redefine', async () => {
    const store = await freshStore()
    const first = await change(store, { fields: [TITLE] })
    assert.equal(first.statusCode, 200)
    const { message, ...rest } = first.json()
    assert.equal(typeof message, 'string')
    assert.deepEqual(rest, {
      success: true,
      fields_added: ['title'],
      fields_unchanged: [],
      mode: 'additive',
    })
    const second = (await change(store, { mode: 'additive', fields: [TITLE, PRICE] })).json()
    assert.deepEqual([second.fields_added, second.fields_unchanged], [['price'], ['title']])
    assert.equal(second.warnings, undefined)
    const conflict = (
      await change(store, { fields: [{ ...TITLE, type: 'int32', searchable: false }] })
    ).json()
    assert.deepEqual([conflict.fields_added, conflict.fields_unchanged], [[], ['title']])
    assert.equal(conflict.warnings.length, 1)
    assert.deepEqual(await fields(store), [TITLE_FULL, PRICE_FULL])
  })

  test('replace drops documents and fields', async () => {
    const store = await freshStore()
    await change(store, { fields: [TITLE] })
    const documents = `/api/v1/stores/${store.id}/documents`
    const body = { id: '1', data: { title: 'x' } }
    await call({ method: 'POST', url: documents, headers: store.write, body })
    const replaced = (await change(store, { mode: 'replace', fields: [PRICE] })).json()
    assert.deepEqual([replaced.mode, replaced.fields_added], ['replace', ['price']])
    assert.deepEqual(await fields(store), [PRICE_FULL])
    assert.equal((await call({ url: `${documents}/1`, headers: store.read })).statusCode, 404)
  })

  test('change redefines fields while documents stay, and can be cancelled', async () => {
    const store = await freshStore()
    await change(store, { fields: [TITLE, { name: 'made', type: 'string' }] })
    const headers = store.write
    const documents = `/api/v1/stores/${store.id}/documents`
    await call({
      method: 'POST',
      url: documents,
      headers,
      body: { id: '1', data: { title: 'x', made: '2026-01-31' } },
    })
    const asDate = { name: 'made', type: 'date', sort: true }
    const begun = await change(store, {
      mode: 'change',
      fields: [{ ...TITLE, facet: true }, asDate],
    })
    const { message, job, ...rest } = begun.json()
    assert.match(message, /^Schema changed: 2 fields/)
    assert.equal(begun.statusCode, job === undefined ? 200 : 202)
    assert.deepEqual(rest, {
      success: true,
      fields_added: [],
      fields_changed: ['title', 'made'],
      fields_unchanged: [],
      mode: 'change',
    })
    const read = async () => (await call({ url: url(store), headers: store.read })).json()
    await until('the change', async () => (await read()).change === undefined)
    const { fields: now, previous_fields: previous } = await read()
    assert.deepEqual(now, [
      { ...TITLE_FULL, facet: true },
      { name: 'made', type: 'date', searchable: false, facet: false, sort: true },
    ])
    assert.deepEqual(previous, [
      TITLE_FULL,
      { name: 'made', type: 'string', searchable: false, facet: false, sort: false },
    ])
    const cancel = { method: 'DELETE', url: `${url(store)}/change`, headers } as const
    assert.deepEqual((await call(cancel)).json().code, 'schema_change_not_found')
    // Undone by what it answers.
    assert.ok((await change(store, { mode: 'change', fields: previous })).statusCode < 300)
    await until('the undoing', async () => (await read()).change === undefined)
    assert.deepEqual(await fields(store), previous)

    await call({
      method: 'POST',
      url: documents,
      headers,
      body: { id: '2', data: { made: 'soon' } },
    })
    const failed = await change(store, { mode: 'change', fields: [asDate] })
    assert.deepEqual([failed.statusCode, failed.json().code], [409, 'schema_conversion_failed'])
    assert.deepEqual(
      failed
        .json()
        .details.map(({ param, code }: { param: string; code: string }) => [param, code]),
      [['2', 'invalid_type']],
    )
    assert.deepEqual(await fields(store), previous)
    const missing = await change(await freshStore(), { mode: 'change', fields: [TITLE] })
    assert.deepEqual([missing.statusCode, missing.json().code], [400, 'schema_not_defined'])
  })

  const refused: readonly (readonly [unknown, string])[] = [
    ['', 'malformed_json'],
    ['[]', 'invalid_parameter'],
    [{}, 'missing_parameter'],
    [{ mode: 'merge', fields: [TITLE] }, 'invalid_parameter'],
    [{ fields: [{ name: 'a', type: 'string', takes_single: true }] }, 'invalid_schema'],
    [{ fields: [{ name: 'a' }] }, 'invalid_schema'],
    [{ fields: [{ name: 'a', type: 'text' }] }, 'invalid_schema'],
    [{ fields: [{ name: '', type: 'string' }] }, 'invalid_schema'],
    [{ fields: [{ name: 'id', type: 'string' }] }, 'invalid_schema'],
    [{ fields: [{ name: 'a', type: 'string', facet: 'yes' }] }, 'invalid_schema'],
    [{ fields: [{ name: 'a', type: 'string[]', sort: true }] }, 'invalid_schema'],
    [{ fields: [TITLE, TITLE] }, 'invalid_schema'],
    [{ fields: [5] }, 'invalid_schema'],
  ]
  for (const [body, code] of refused) {
    test(`${JSON.stringify(body).slice(0, 60)} is 400 ${code}`, async () => {
      const store = await freshStore()
      const answer = await change(store, body)
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code], answer.body)
      assert.deepEqual(await fields(store), [])
    })
  }
})

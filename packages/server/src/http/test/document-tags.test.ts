import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

// Goal: an editor of a document is told if somebody else has written it since. Method: the
// responses of each request that may carry `If-Match`.

const app = await createTestApp()
after(() => app[Symbol.asyncDispose]())

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'float' },
  { name: 'cost', type: 'float' },
]

async function setUp(id: string) {
  const store = await app.createStore(id)
  const root = `/api/v1/stores/${id}`
  const call = (method: string, path: string, body?: unknown, headers: object = {}) =>
    app.call({
      method: method as 'POST',
      url: root + path,
      headers: { ...store.write, ...headers },
      ...(body === undefined ? {} : { body: body as object }),
    })
  await call('POST', '/schema', { fields: FIELDS })
  await call('POST', '/documents', { id: 'a', data: { title: 'tent', price: 1, cost: 2 } })
  const tag = async () => String((await call('GET', '/documents/a')).headers['etag'])
  return { call, tag, store, root }
}

suite('a document has an ETag', () => {
  test('writes that name another version are 412 with the newest', async () => {
    const { call, tag } = await setUp('tags')
    const seen = await tag()
    assert.match(seen, /^"[\w-]{22}"$/)
    const body = (price: number) => ({ id: 'a', action: 'update', data: { price } })
    const first = await call('POST', '/documents', body(5), { 'if-match': seen })
    assert.equal(first.statusCode, 200, first.body)
    const newest = await tag()
    assert.notEqual(newest, seen)
    for (const late of [
      await call('POST', '/documents', body(6), { 'if-match': seen }),
      await call('POST', '/documents', { id: 'a', data: {} }, { 'if-match': `W/${newest}` }),
      await call('DELETE', '/documents/a', undefined, { 'if-match': seen }),
    ]) {
      const { code, status, current } = late.json()
      assert.deepEqual([late.statusCode, status, code], [412, 412, 'precondition_failed'])
      assert.deepEqual(current, { id: 'a', data: { title: 'tent', price: 5, cost: 2 } })
    }
    assert.equal(await tag(), newest)
    const gone = await call('DELETE', '/documents/a', undefined, { 'if-match': newest })
    assert.equal(gone.statusCode, 200, gone.body)
    const late = await call('POST', '/documents', body(6), { 'if-match': newest })
    assert.deepEqual([late.statusCode, 'current' in late.json()], [412, false])
    const missing = await call('DELETE', '/documents/a', undefined, { 'if-match': newest })
    assert.deepEqual([missing.statusCode, missing.json().code], [404, 'document_not_found'])
  })

  test('a write returns the tag of what it stored, so that the next needs no reading', async () => {
    const { call, tag } = await setUp('tag-written')
    let headers = {}
    for (const body of [
      { id: 'b', action: 'insert', data: { title: 'lamp', price: 1 } },
      { id: 'b', action: 'update', data: { price: 2 } },
      { id: 'b', data: { title: 'lamp' } },
    ]) {
      const written = await call('POST', '/documents', body, headers)
      assert.ok(written.statusCode < 300, written.body)
      headers = { 'if-match': String(written.headers['etag']) }
      const read = await call('GET', '/documents/b')
      assert.equal(written.headers['etag'], read.headers['etag'])
    }
    const unnamed = await call('POST', '/documents', { data: { title: 'x' } })
    assert.match(String(unnamed.headers['etag']), /^"[\w-]{22}"$/)
    const gone = await call('DELETE', '/documents/b', undefined, headers)
    assert.deepEqual([gone.statusCode, gone.headers['etag']], [200, undefined])
    assert.match(await tag(), /^"/)
  })

  test('of many at once that name the same version, one is done', async () => {
    const { call, tag } = await setUp('tag-race')
    const headers = { 'if-match': await tag() }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, price) =>
        call('POST', '/documents', { id: 'a', action: 'update', data: { price } }, headers),
      ),
    )
    const codes = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    assert.deepEqual(codes, [200, ...Array.from({ length: 7 }, () => 412)])
  })

  test('a write of no certain document, or of many, refuses `If-Match`', async () => {
    const { call, tag } = await setUp('tag-many')
    const headers = { 'if-match': await tag() }
    const unnamed = await call('POST', '/documents', { data: { title: 'x' } }, headers)
    assert.deepEqual([unnamed.statusCode, unnamed.json().code], [400, 'missing_parameter'])
    assert.equal(unnamed.json().param, 'id')
    for (const [method, path, body] of [
      ['POST', '/documents/bulk', { documents: [{ id: 'a', data: {} }] }],
      ['PATCH', '/documents?filter_by=price:1', { set: { price: 2 } }],
      ['DELETE', '/documents', undefined],
    ] as const) {
      const refused = await call(method, path, body, headers)
      assert.deepEqual([refused.statusCode, refused.json().code], [400, 'invalid_parameter'])
      assert.equal(refused.json().param, 'If-Match')
    }
    assert.equal(await tag(), headers['if-match'])
  })

  test('readers who see a part of it get no tag of the whole', async () => {
    const { call, tag, store, root } = await setUp('tag-hidden')
    const read = () => app.call({ url: `${root}/documents/a`, headers: store.read })
    assert.equal((await read()).headers['etag'], await tag())
    await call('PATCH', '/settings', { omit_fields: ['cost'] })
    const shown = await read()
    assert.deepEqual(
      [shown.json().data, shown.headers['etag']],
      [{ title: 'tent', price: 1 }, undefined],
    )
    assert.match(await tag(), /^"/)
  })
})

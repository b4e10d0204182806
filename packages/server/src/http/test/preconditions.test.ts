import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { createTestApp } from './test-app.ts'

// Goal: anyone who writes over a version that they have not seen is told, for everything that two
// people may edit. Method: the same steps for each resource.

const app = await createTestApp()
after(() => app[Symbol.asyncDispose]())

interface Editable {
  readonly path: string
  readonly method: 'PUT' | 'PATCH' | 'POST'
  readonly bodies: readonly [object, object, object]
  readonly isDeletable?: boolean
}

const field = (name: string) => ({ fields: [{ name, type: 'string' }] })
const EDITABLES: readonly Editable[] = [
  {
    path: 'rules/r',
    method: 'PUT',
    bodies: [10, 20, 30].map((priority) => ({
      priority,
      when: [{ query: 'tent', match: 'contains' }],
      pin: [{ id: 'a', position: 1 }],
    })) as unknown as [object, object, object],
    isDeletable: true,
  },
  {
    path: 'presets/p',
    method: 'PUT',
    bodies: [{ value: { per_page: 1 } }, { value: { per_page: 2 } }, { value: { per_page: 3 } }],
    isDeletable: true,
  },
  {
    path: 'strategies/s',
    method: 'PUT',
    bodies: [{ title: 'A' }, { title: 'B' }, { title: 'C' }],
    isDeletable: true,
  },
  {
    path: 'synonym-sets/s',
    method: 'PUT',
    bodies: [
      { items: [{ synonyms: ['a', 'b'] }] },
      { items: [{ synonyms: ['a', 'c'] }] },
      { items: [{ synonyms: ['a', 'd'] }] },
    ],
    isDeletable: true,
  },
  {
    path: 'stopword-sets/s',
    method: 'PUT',
    bodies: [{ stopwords: ['a'] }, { stopwords: ['b'] }, { stopwords: ['c'] }],
    isDeletable: true,
  },
  {
    path: 'query-sets/q',
    method: 'PUT',
    bodies: [{ queries: [{ q: 'a' }] }, { queries: [{ q: 'b' }] }, { queries: [{ q: 'c' }] }],
    isDeletable: true,
  },
  {
    path: 'settings',
    method: 'PATCH',
    bodies: [{ symbols_to_index: ['+'] }, { symbols_to_index: ['#'] }, { symbols_to_index: ['@'] }],
  },
  {
    path: 'suggestions/config',
    method: 'PUT',
    bodies: [{ blocklist: ['a'] }, { blocklist: ['b'] }, { blocklist: ['c'] }],
  },
  { path: 'schema', method: 'POST', bodies: [field('a'), field('b'), field('c')] },
]

suite('a write that names the version it replaces', () => {
  for (const { path, method, bodies, isDeletable = false } of EDITABLES) {
    test(path, async () => {
      const store = await app.createStore(`pre-${path.replace('/', '-')}`)
      const url = `/api/v1/stores/${store.id}/${path}`
      const send = (how: typeof method | 'DELETE', body?: object, ifMatch?: string) =>
        app.call({
          method: how,
          url,
          headers: { ...store.write, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
          ...(body === undefined ? {} : { body }),
        })
      const read = async () => {
        const answer = await app.call({ url, headers: store.write })
        return { etag: String(answer.headers['etag']), content: answer.json() }
      }
      await send(method, bodies[0])
      const seen = await read()
      assert.match(seen.etag, /^"[\w-]+"$/)
      assert.equal((await read()).etag, seen.etag, 'the same content has the same tag')
      const other = await send(method, bodies[1], seen.etag)
      assert.ok(other.statusCode < 300, other.body)
      const newest = await read()
      assert.notEqual(newest.etag, seen.etag)
      for (const late of [
        await send(method, bodies[2], seen.etag),
        ...(isDeletable ? [await send('DELETE', undefined, seen.etag)] : []),
      ]) {
        const { code, status, current } = late.json()
        assert.deepEqual([late.statusCode, status, code], [412, 412, 'precondition_failed'])
        assert.deepEqual(current, newest.content)
      }
      assert.deepEqual(await read(), newest)
      const listed = await send(method, bodies[2], `"no", ${newest.etag}`)
      assert.ok(listed.statusCode < 300, listed.body)
      assert.ok((await send(method, bodies[1], '*')).statusCode < 300)
      // Without the header the last write wins.
      assert.ok((await send(method, bodies[0])).statusCode < 300)
      if (!isDeletable) return
      assert.equal((await send('DELETE', undefined, (await read()).etag)).statusCode, 200)
      const gone = await send(method, bodies[0], newest.etag)
      assert.deepEqual([gone.statusCode, gone.json().current], [412, undefined])
      assert.equal((await send(method, bodies[0])).statusCode, 200)
    })
  }

  test('of many at once that name the same version, one is done', async () => {
    const store = await app.createStore('pre-race')
    const url = `/api/v1/stores/${store.id}/presets/p`
    const put = (per_page: number, ifMatch?: string) =>
      app.call({
        method: 'PUT',
        url,
        headers: { ...store.write, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
        body: { value: { per_page } },
      })
    const first = await put(1)
    const etag = String(first.headers['etag'])
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => put(i + 2, etag)))
    const codes = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    assert.deepEqual(codes, [200, ...Array.from({ length: 7 }, () => 412)])
  })

  test('a published draft and a rollback are changes of the settings', async () => {
    const store = await app.createStore('pre-publish')
    const root = `/api/v1/stores/${store.id}`
    const call = (method: 'GET' | 'POST', path: string, body?: object, ifMatch?: string) =>
      app.call({
        method,
        url: root + path,
        headers: { ...store.write, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
        ...(body === undefined ? {} : { body }),
      })
    const tag = async () => String((await call('GET', '/settings')).headers['etag'])
    const publish = (popularity_weight: number, ifMatch?: string) =>
      call('POST', '/relevance/publish', { draft: { ranking: { popularity_weight } } }, ifMatch)
    const rollback = (version: number, ifMatch?: string) =>
      call('POST', '/settings/rollback', { version }, ifMatch)
    const first = await tag()
    const published = await publish(0.1, first)
    assert.equal(published.statusCode, 200, published.body)
    const newest = await tag()
    assert.equal(published.headers['etag'], newest)
    for (const late of [await publish(0.2, first), await rollback(0, first)]) {
      const { code, current } = late.json()
      assert.deepEqual([late.statusCode, code], [412, 'precondition_failed'])
      assert.equal(current.ranking.popularity_weight, 0.1)
    }
    assert.equal(await tag(), newest)
    const back = await rollback(0, newest)
    assert.equal(back.statusCode, 200, back.body)
    assert.equal(back.headers['etag'], await tag())
    assert.equal((await publish(0.3)).statusCode, 200, 'without the header the last write wins')
  })

  test('of a deletion and a change at once, one is done', async () => {
    const store = await app.createStore('pre-delete-race')
    for (const path of ['presets/p', 'rules/r', 'stopword-sets/s']) {
      const url = `/api/v1/stores/${store.id}/${path}`
      const { bodies } = EDITABLES.find((one) => one.path.split('/')[0] === path.split('/')[0])!
      const send = (method: 'PUT' | 'DELETE', body?: object, ifMatch?: string) =>
        app.call({
          method,
          url,
          headers: { ...store.write, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
          ...(body === undefined ? {} : { body }),
        })
      for (let round = 0; round < 4; round++) {
        const etag = String((await send('PUT', bodies[0])).headers['etag'])
        const isDeletionFirst = round % 2 === 0
        const both = [() => send('DELETE', undefined, etag), () => send('PUT', bodies[1], etag)]
        const [first, second] = await Promise.all(
          (isDeletionFirst ? both : both.toReversed()).map((one) => one()),
        )
        const [deleted, put] = isDeletionFirst ? [first, second] : [second, first]
        const codes = [deleted!.statusCode, put!.statusCode]
        const isOne = codes[0] === 200 ? codes[1] === 412 : codes[0] === 412 && codes[1] === 200
        assert.ok(isOne, `${path}: ${codes.join(' ')}`)
        const there = (await app.call({ url, headers: store.write })).statusCode
        assert.equal(there, codes[0] === 200 ? 404 : 200)
      }
    }
  })

  test('of changes of a schema at once, one is done', async () => {
    const store = await app.createStore('pre-schema-race')
    const url = `/api/v1/stores/${store.id}/schema`
    const post = (body: object, ifMatch?: string) =>
      app.call({
        method: 'POST',
        url,
        headers: { ...store.write, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
        body,
      })
    await post(field('first'))
    const documents = Array.from({ length: 600 }, (_, i) => `{"id":"d${i}","first":"red ${i}"}`)
    await app.call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/documents/bulk`,
      headers: { ...store.write, 'content-type': 'application/x-ndjson' },
      body: documents.join('\n'),
    })
    const tagOf = () =>
      until('no change of the schema is in progress', async () => {
        const answer = await app.call({ url, headers: store.write })
        return answer.json().change === undefined && String(answer.headers['etag'])
      })
    const changes = [
      ...['a', 'b', 'c', 'd'].map((name) => field(name)),
      { mode: 'change', fields: [{ name: 'first', type: 'string', facet: true }] },
    ]
    for (let round = 0; round < 3; round++) {
      const etag = await tagOf()
      const own = changes.map((change) => ({
        ...change,
        fields: change.fields.map((one) => ({
          ...one,
          name: one.name === 'first' ? 'first' : `${one.name}${round}`,
          sort: round % 2 === 0 && one.name === 'first',
        })),
      }))
      const answers = await Promise.all(own.map((body) => post(body, etag)))
      const codes = answers.map(({ statusCode }) => statusCode)
      assert.equal(codes.filter((code) => code < 300).length, 1, codes.join(' '))
      for (const answer of answers) {
        if (answer.statusCode < 300) continue
        assert.equal(answer.statusCode, 412, answer.body)
        assert.ok(Array.isArray(answer.json().current.fields))
      }
    }
  })
})

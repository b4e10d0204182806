import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

// Integers keep every digit on their way through the service.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('numbers')
const json = { 'content-type': 'application/json' }
const post = (url: string, headers: Record<string, string>, body: string) =>
  testApp.call({ method: 'POST', url, headers: { ...headers, ...json }, body })
const index = (body: string) => post('/api/v1/stores/numbers/documents', store.write, body)
const search = (members: string) => post('/v1/search', store.read, `{"q":"*",${members}}`)
const ids = async (members: string) =>
  (await search(members)).json().hits.map((hit: { id: string }) => hit.id)

await post(
  '/api/v1/stores/numbers/schema',
  store.write,
  JSON.stringify({
    fields: [
      { name: 'n', type: 'int64', searchable: true, facet: true, sort: true },
      { name: 'i', type: 'int32', facet: true },
      { name: 'f', type: 'float', facet: true },
    ],
  }),
)

/** In ascending order. */
const EDGES = [
  '-9223372036854775808',
  '-9223372036854775807',
  '-9007199254740993',
  '-9007199254740992',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775806',
  '9223372036854775807',
]
for (const edge of EDGES) await index(`{"id":"${edge}","data":{"n":${edge}}}`)

suite('int64', () => {
  for (const [rank, n] of EDGES.entries()) {
    test(`${n} is exact in documents, hits, highlights and filters`, async () => {
      const stored = await testApp.call({
        url: `/api/v1/stores/numbers/documents/${n}`,
        headers: store.read,
      })
      assert.ok(stored.body.includes(`{"n":${n}}`), stored.body)
      for (const members of [
        `"filter_by":"n:=${n}"`,
        `"filter_by":"n:[${n}..${n}]"`,
        `"filters":{"n":${n}}`,
        `"filters":{"n":{"min":${n},"max":${n}}}`,
      ]) {
        assert.deepEqual(await ids(members), [n], members)
      }
      for (const [members, count] of [
        [`"filter_by":"n:>${n}"`, EDGES.length - rank - 1],
        [`"filter_by":"n:<${n}"`, rank],
        [`"filter_by":"n:!=${n}"`, EDGES.length - 1],
        [`"filters":{"n":{"lte":${n}}}`, rank + 1],
      ] as const) {
        assert.equal((await search(members)).json().found, count, members)
      }
      for (const format of ['wrapped', 'flat']) {
        const hit = await search(`"filter_by":"n:=${n}","hit_format":"${format}"`)
        assert.ok(hit.body.includes(`"n":${n}`), hit.body)
      }
      const found = await post('/v1/search', store.read, `{"q":"${n.replace('-', '')}"}`)
      const hit = found.json().hits.find((one: { id: string }) => one.id === n)
      assert.equal(hit.highlight.n, n.replace(/\d+/, '<mark>$&</mark>'))
    })
  }

  test('is exact in sorts and facets', async () => {
    assert.deepEqual(await ids('"sort_by":"n:asc"'), EDGES)
    assert.deepEqual(await ids('"sort_by":"n:desc"'), EDGES.toReversed())
    const { body } = await search('"facet_by":"n(sort:alpha)"')
    for (const n of EDGES) assert.ok(body.includes(`{"value":"${n}","count":1}`), n)
    assert.ok(body.includes(`"stats":{"min":${EDGES[0]},"max":${EDGES.at(-1)},`), body)
    const filters = await post('/v1/filters', store.read, '{}')
    assert.ok(filters.body.includes(`"n":{"min":${EDGES[0]},"max":${EDGES.at(-1)}}`))
  })
})

suite('the ends of int64 among documents without a number', async () => {
  const ends = await testApp.createStore('ends')
  const url = '/api/v1/stores/ends'
  const fields = [
    { name: 'n', type: 'int64', sort: true },
    { name: 'i', type: 'int32', sort: true },
  ]
  await post(`${url}/schema`, ends.write, JSON.stringify({ fields }))
  const [least, most] = [EDGES[0], EDGES.at(-1)]
  // Without the last order, newer ones come first: whatever is a tie shows itself.
  for (const [id, n] of [
    ['most 1', most],
    ['least 1', least],
    ['none 1'],
    ['most 2', most],
    ['least 2', least],
    ['none 2'],
  ]) {
    const number = n === undefined ? '' : `,"n":${n}`
    await post(`${url}/documents`, ends.write, `{"id":"${id}","data":{"i":1${number}}}`)
  }
  // More than a node of a cluster puts in order itself, so that the cluster's own order shows.
  const others = Array.from({ length: 220 }, (_, i) => ({ id: `none ${i + 3}`, i: 1 }))
  await post(`${url}/documents/bulk`, ends.write, JSON.stringify({ documents: others }))
  const orders = [
    ['n:asc', 1, 'least 2, least 1, most 2, most 1'],
    ['n:desc', 1, 'most 2, most 1, least 2, least 1'],
    ['n(missing:first):asc', 56, 'none 2, none 1, least 2, least 1'],
    ['n(missing:first):desc', 56, 'none 2, none 1, most 2, most 1'],
  ] as const
  const answers: unknown[] = []
  for (const [order, page] of orders) {
    const body = `{"q":"*","sort_by":"i:asc,${order}","page":${page},"per_page":4}`
    answers.push((await post('/v1/search', ends.read, body)).json())
  }
  for (const [at, [order, , wanted]] of orders.entries()) {
    test(`${order} behind another key`, () => {
      const { hits } = answers[at] as { hits: { id: string }[] }
      assert.equal(hits.map(({ id }) => id).join(', '), wanted)
    })
  }
})

suite('number literals', () => {
  const cases: readonly (readonly [field: string, literal: string, code: string | undefined])[] = [
    ['n', '1.0', undefined],
    ['n', '1e3', undefined],
    ['n', '-0', undefined],
    ['n', '1e18', undefined],
    ['n', '9223372036854775807.0', undefined],
    ['n', '1.5', 'invalid_type'],
    ['n', '1e-400', 'invalid_type'],
    ['n', '9223372036854775808', 'out_of_range'],
    ['n', '1e19', 'out_of_range'],
    ['n', '1e400', 'out_of_range'],
    ['n', '1e999999999', 'out_of_range'],
    ['n', 'true', 'invalid_type'],
    ['i', '2147483647', undefined],
    ['i', '2147483648', 'out_of_range'],
    ['i', '-2147483649', 'out_of_range'],
    ['f', '9223372036854775807', undefined],
    ['f', '1e400', 'out_of_range'],
  ]
  for (const [field, literal, code] of cases) {
    test(`${field}: ${literal} is ${code ?? 'taken, and kept as written'}`, async () => {
      const id = `${field}-literal`
      const answer = await index(`{"id":"${id}","data":{"${field}":${literal}}}`)
      assert.equal(answer.json().code, code, answer.body)
      if (code !== undefined) return
      const hit = await search(`"filter_by":"id:=${id} && ${field}:=${literal}"`)
      assert.equal(hit.json().found, 1)
      assert.ok(hit.body.includes(`"${field}":${literal}}`), hit.body)
      await testApp.call({
        method: 'DELETE',
        url: `/api/v1/stores/numbers/documents/${id}`,
        headers: store.write,
      })
    })
  }
})

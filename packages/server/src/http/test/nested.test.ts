import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { makeScopedToken } from '@aisle/client'
import { ADMIN_TOKEN, createTestApp } from './test-app.ts'

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'variants', type: 'object[]' },
  { name: 'variants.color', type: 'string', searchable: true, facet: true },
  { name: 'variants.size', type: 'string', facet: true },
  { name: 'box', type: 'object' },
  { name: 'box.width', type: 'int32', sort: true },
]
const DOCUMENTS = [
  {
    id: '1',
    title: 'shirt',
    variants: [
      { color: 'red', size: 'S' },
      { color: 'blue', size: 'L' },
    ],
    box: { width: 3 },
  },
  { id: '2', title: 'shirt', variants: [{ color: 'red', size: 'L' }], box: { width: 2 } },
  { id: '3', title: 'shirt', variants: [] },
]

suite('objects inside of documents over HTTP', async () => {
  await using app = await createTestApp()
  const store = await app.createStore('nested')
  const write = (method: 'POST' | 'PATCH', path: string, body: object) =>
    app.call({ method, url: `/api/v1/stores/${store.id}/${path}`, headers: store.write, body })
  await write('POST', 'schema', { fields: FIELDS })
  await write('POST', 'documents/bulk', { documents: DOCUMENTS })

  const both = async (parameters: Record<string, unknown>) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(parameters)) {
      query.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const get = await app.call({
      method: 'GET',
      url: `/v1/search?${query.toString()}`,
      headers: store.read,
    })
    const post = await app.call({
      method: 'POST',
      url: '/v1/search',
      headers: store.read,
      body: parameters,
    })
    return [get, post]
  }
  const idsOf = (answer: { json(): unknown }): string[] =>
    (answer.json() as { hits: { id: string }[] }).hits.map(({ id }) => id)

  const good = [
    [{ q: '*', filter_by: 'variants:{color:=red && size:=L}' }, ['2']],
    [{ q: '*', filters: { variants: { color: 'red', size: 'L' } } }, ['2']],
    [{ q: '*', filter_by: 'variants.color:=red && variants.size:=L' }, ['2', '1']],
    [{ q: 'blue', search_fields: ['variants.color'] }, ['1']],
    [{ q: 'shirt', sort_by: 'box.width:desc' }, ['1', '2', '3']],
  ] as const
  const answers: Awaited<ReturnType<typeof both>>[] = []
  for (const [parameters] of good) answers.push(await both(parameters))
  for (const [i, [parameters, ids]] of good.entries()) {
    test(`${JSON.stringify(parameters)} finds ${ids.join()}, by GET and POST`, () => {
      for (const answer of answers[i]!) assert.deepEqual(idsOf(answer), ids)
    })
  }

  const bad = [
    [{ q: '*', filter_by: 'variants:{color:=red' }, 'invalid_filter'],
    [{ q: '*', filter_by: 'variants:red' }, 'invalid_filter'],
    [{ q: '*', filter_by: 'variants:{colour:=red}' }, 'unknown_field'],
    [{ q: '*', filters: { variants: 'red' } }, 'invalid_filter'],
    [{ q: 'x', search_fields: ['variants'] }, 'field_not_searchable'],
    [{ q: '*', facet_by: 'variants' }, 'field_not_facetable'],
    [{ q: '*', sort_by: 'variants.size:asc' }, 'field_not_sortable'],
  ] as const
  const refusals: Awaited<ReturnType<typeof both>>[] = []
  for (const [parameters] of bad) refusals.push(await both(parameters))
  for (const [i, [parameters, code]] of bad.entries()) {
    test(`${JSON.stringify(parameters)} is ${code}, by GET and POST`, () => {
      for (const answer of refusals[i]!) {
        assert.equal(answer.statusCode, 400)
        assert.equal((answer.json() as { code: string }).code, code)
      }
    })
  }

  const rotated = await app.call({
    method: 'POST',
    url: `/api/v1/admin/stores/${store.id}/keys/signing/rotate`,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    body: { grace_seconds: 0 },
  })
  const token = await makeScopedToken((rotated.json() as { secret: string }).secret, {
    expires_at: Math.floor(app.time.nowMs / 1_000) + 3_600,
    filter_by: 'variants:{color:=red && size:=L}',
  })
  const scoped = { 'x-storeid': store.id, 'x-storesecret': token }
  const widening: readonly Record<string, unknown>[] = [
    {},
    { filter_by: 'variants:{color:=blue} || variants:{color:=red}' },
    { filter_by: '!variants:{color:=red && size:=L}' },
    { filters: { variants: [{ color: 'blue' }, { size: 'S' }] } },
    { facet_by: 'variants.color,variants.size', facet_mode: 'disjunctive' },
    { filter_by: 'variants:{size:=L}', facet_by: 'variants.color', facet_mode: 'disjunctive' },
    { sort_by: '_eval(variants:{color:=blue}):desc', highlight: true },
    { group_by: ['box.width'], group_limit: 99 },
  ]
  const shown: { body: string; text: string; status: number }[] = []
  for (const parameters of widening) {
    for (const q of ['*', 'blue', 'shirt']) {
      for (const url of ['/v1/search', '/v1/multi-search']) {
        const query = { q, ...parameters }
        const body = url === '/v1/search' ? query : { queries: [query] }
        const answer = await app.call({ method: 'POST', url, headers: scoped, body })
        const { body: text, statusCode: status } = answer
        shown.push({ body: JSON.stringify(body), text, status })
      }
    }
  }
  test('a scoped token with an element filter shows no other document by any parameter', () => {
    for (const { body, text, status } of shown) {
      assert.equal(status, 200, text)
      const told = text.replaceAll(/"query":"[^"]*"/g, '')
      assert.doesNotMatch(told, /"id":"[13]"|"value":"(blue|S)"|"color":"blue"/, body)
    }
  })

  const update = await write('POST', 'documents', {
    id: '3',
    action: 'update',
    data: { variants: [{ color: 'red', size: 'L' }] },
  })
  const refused = await write('POST', 'documents', {
    id: '4',
    data: { variants: [{}, { size: 4 }] },
  })
  const [after] = await both({ q: '*', filter_by: 'variants:{color:=red && size:=L}' })
  test('an update replaces the list, and what does not fit is refused with its place', () => {
    assert.equal(update.statusCode, 200)
    assert.deepEqual(idsOf(after!), ['3', '2'])
    const { code, param } = refused.json() as { code: string; param: string }
    assert.deepEqual([code, param], ['invalid_type', 'data.variants[1].size'])
  })
})

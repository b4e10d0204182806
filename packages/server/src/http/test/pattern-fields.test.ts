import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { ScoreExplanation } from '@aisle/contract'
import { createTestApp } from './test-app.ts'

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'specs', type: 'object' },
  { name: 'specs.*', type: 'auto', searchable: true, facet: true, sort: true },
]

suite('fields that documents bring, over HTTP', async () => {
  const app = await createTestApp()
  after(() => app[Symbol.asyncDispose]())
  const store = await app.createStore('patterns')
  const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    app.call({
      method,
      url: `/api/v1/stores/${store.id}/${path}`,
      headers: store.write,
      ...(body === undefined ? {} : { body }),
    })
  const search = async (parameters: Record<string, unknown>) => {
    const headers = store.read
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    const get = await app.call({ method: 'GET', url: `/v1/search?${query.toString()}`, headers })
    const post = await app.call({ method: 'POST', url: '/v1/search', headers, body: parameters })
    return [get, post].map(({ statusCode, json }) => ({ statusCode, body: json() as Answer }))
  }
  const defined = await call('POST', 'schema', { fields: FIELDS })
  const before = await search({ q: '*', filter_by: 'specs.color:=red' })
  const bulk = await call('POST', 'documents/bulk', {
    documents: [
      { id: '1', title: 'shirt', specs: { color: 'red', weight: 300 } },
      { id: '2', title: 'shirt', specs: { color: 5 } },
      { id: '3', title: 'scarf', specs: { color: 'blue', weight: 80.5, box: { depth: 1 } } },
    ],
  })
  const one = await call('POST', 'documents', { id: '4', data: { specs: { weight: 'x' } } })
  const patched = await call('PATCH', 'documents?filter_by=id:=3', {
    set: { specs: { color: 'blue', weight: 81, soft: true } },
  })
  const schema = (await call('GET', 'schema')).json() as { fields: Record<string, unknown>[] }
  const answers = await search({
    q: 'red',
    search_fields: ['specs.color'],
    filter_by: 'specs.weight:>200',
    facet_by: 'specs.color,specs.weight',
    sort_by: 'specs.weight:desc',
    return_fields: ['specs.weight'],
    highlight: true,
  })
  const counted = await search({ q: '*', per_page: 0, facet_by: ' specs.* , title.*' })
  const all = await search({ q: '*', per_page: 0, facet_by: ['specs.*', 'specs.color(limit:1)'] })
  const everywhere = await search({ q: 'blue', filter_by: 'specs.soft:true && specs:{weight:81}' })
  const copy = await app.createStore('copy')
  const copied = await app.call({
    method: 'POST',
    url: `/api/v1/stores/${copy.id}/schema`,
    headers: copy.write,
    body: schema,
  })
  const copiedSchema = await app.call({
    method: 'GET',
    url: `/api/v1/stores/${copy.id}/schema`,
    headers: copy.write,
  })

  test('a field that no document has yet is unknown, and the error names the pattern that would add it', () => {
    assert.deepEqual((defined.json() as { fields_added: string[] }).fields_added.length, 3)
    for (const { statusCode, body } of before) {
      assert.deepEqual([statusCode, body.code], [400, 'unknown_field'])
      assert.match(body.error, /No document has it: `specs\.\*` would add it/)
    }
  })

  test('documents bring fields, and a refused one says where it is wrong', () => {
    const { results } = bulk.json() as { results: { status: string; error?: string }[] }
    assert.deepEqual(
      results.map(({ status }) => status),
      ['created', 'failed', 'created'],
    )
    assert.match(results[1]!.error!, /field "specs\.color" must be string, received 5/)
    assert.deepEqual([one.statusCode, (one.json() as Answer).code], [400, 'invalid_type'])
    assert.equal((one.json() as { param: string }).param, 'data.specs.weight')
    assert.equal((patched.json() as { documents_updated: number }).documents_updated, 1)
  })

  test('the schema shows them with their pattern', () => {
    const shown = schema.fields.map(({ name, type, pattern }) => [name, type, pattern])
    assert.deepEqual(shown, [
      ['title', 'string', undefined],
      ['specs', 'object', undefined],
      ['specs.color', 'string', 'specs.*'],
      ['specs.weight', 'float', 'specs.*'],
      ['specs.box', 'object', 'specs.*'],
      ['specs.box.depth', 'float', 'specs.*'],
      ['specs.soft', 'bool', 'specs.*'],
      ['specs.*', 'auto', undefined],
    ])
  })

  test('they are searched, filtered, counted, sorted, shown and highlighted', () => {
    for (const { statusCode, body } of answers) {
      assert.equal(statusCode, 200, JSON.stringify(body))
      assert.deepEqual(
        body.hits.map(({ id, document, highlight }) => ({ id, document, highlight })),
        [
          {
            id: '1',
            document: { specs: { weight: 300 } },
            highlight: { 'specs.color': '<mark>red</mark>' },
          },
        ],
      )
      assert.deepEqual(
        body.facet_counts.map(({ field }) => field),
        ['specs.color', 'specs.weight'],
      )
    }
    for (const { body } of everywhere)
      assert.deepEqual(
        body.hits.map(({ id }) => id),
        ['3'],
      )
  })

  test('all facets of an object are counted by its name', () => {
    for (const { statusCode, body } of counted) {
      assert.deepEqual([statusCode, body.code], [400, 'unknown_field'])
    }
    for (const { statusCode, body } of all) {
      assert.equal(statusCode, 200, JSON.stringify(body))
      const fields = body.facet_counts.map(({ field }) => field)
      assert.deepEqual(fields, ['specs.color', 'specs.weight', 'specs.box.depth', 'specs.soft'])
    }
  })

  test('an object with a star means all of its fields, wherever fields are named', async () => {
    const whole = ['specs.*']
    const shown = async (parameters: object) => {
      const answers = await search({ q: 'red', return_fields: whole, ...parameters })
      const [get, post] = answers.map(({ statusCode, body }) => {
        assert.equal(statusCode, 200, JSON.stringify(body))
        return body
      })
      assert.deepEqual(get!.hits, post!.hits)
      return post!
    }
    const { hits, warnings } = await shown({
      search_fields: whole,
      include_snippets: true,
      snippet_fields: whole,
      full_snippet_fields: whole,
    })
    assert.equal(warnings, undefined)
    assert.deepEqual(
      hits.map(({ document, highlight, snippets }) => ({ document, highlight, snippets })),
      [
        {
          document: { specs: { color: 'red', weight: 300 } },
          highlight: { 'specs.color': '<mark>red</mark>' },
          snippets: { 'specs.color': '<mark>red</mark>' },
        },
      ],
    )
    assert.deepEqual((await shown({ q: 'shirt', search_fields: whole })).hits, [])
    assert.deepEqual((await shown({ omit_fields: whole })).hits[0]!.document, {})
    const weightOf = async (field_weights?: object) => {
      const weights = field_weights === undefined ? {} : { field_weights }
      const { hits } = await shown({ ...weights, explain: true })
      return hits[0]!.explanation!.words[0]!.alternatives[0]!.fields.map(({ weight }) => weight)
    }
    assert.deepEqual(await weightOf({ 'specs.*': 7 }), [7])
    assert.deepEqual(await weightOf({ 'specs.color': 3, 'specs.*': 7 }), [3])
    const patch = (settings: object) => call('PATCH', 'settings', settings)
    assert.equal((await patch({ ranking: { field_weights: { 'specs.*': 5 } } })).statusCode, 200)
    assert.deepEqual(await weightOf(), [5])
    assert.equal((await patch({ omit_fields: whole })).statusCode, 200)
    assert.deepEqual((await shown({ return_fields: [] })).hits[0]!.document, {
      id: '1',
      title: 'shirt',
    })
    const read = { method: 'GET', url: `/api/v1/stores/${store.id}/documents/1` } as const
    const got = await app.call({ ...read, headers: store.read })
    assert.deepEqual(got.json(), { id: '1', data: { title: 'shirt' } })
    const reset = await patch({ omit_fields: null, ranking: null })
    assert.equal(reset.statusCode, 200)
  })

  test('a star of no object, or of one without searchable fields, is refused', async () => {
    const faults: [object, string, RegExp][] = [
      [{ search_fields: ['spec.*'] }, 'unknown_field', /Field `spec\.\*` is not in the schema/],
      [{ field_weights: { 'title.*': 2 } }, 'unknown_field', /Field `title\.\*`/],
      [{ include_snippets: true, snippet_fields: ['title.*'] }, 'unknown_field', /`title\.\*`/],
      [
        { search_fields: ['box.*'] },
        'field_not_searchable',
        /No field inside of the object `box` is declared with `searchable`/,
      ],
    ]
    const box = await call('POST', 'schema', {
      fields: [
        { name: 'box', type: 'object' },
        { name: 'box.width', type: 'int32', facet: true },
      ],
    })
    assert.equal(box.statusCode, 200, box.body)
    for (const { statusCode, body } of await search({ q: 'red', search_fields: ['specs.box.*'] })) {
      assert.deepEqual([statusCode, body.hits], [200, []], 'the pattern may add fields to it')
    }
    for (const [parameters, code, message] of faults) {
      for (const { statusCode, body } of await search({ q: 'red', ...parameters })) {
        assert.deepEqual([statusCode, body.code], [400, code])
        assert.match(body.error, message)
      }
    }
    const [answer] = await search({ q: '*', return_fields: ['title.*'] })
    assert.deepEqual(answer!.body.warnings, [
      'Unknown field `title.*` in `return_fields` is ignored',
    ])
  })

  test('a schema can be defined as it is shown', () => {
    assert.equal(copied.statusCode, 200, copied.body)
    assert.deepEqual(copiedSchema.json(), schema)
  })
})

interface Answer {
  readonly code: string
  readonly error: string
  readonly hits: {
    readonly id: string
    readonly document: unknown
    readonly highlight?: unknown
    readonly snippets?: unknown
    readonly explanation?: ScoreExplanation
  }[]
  readonly warnings?: readonly string[]
  readonly facet_counts: { readonly field: string }[]
}

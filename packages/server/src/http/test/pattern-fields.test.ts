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
      { id: '2', title: 'shirt', specs: { color: ['red'] } },
      { id: '3', title: 'scarf', specs: { color: 'blue', weight: 80.5, box: { depth: 1 } } },
    ],
  })
  const one = await call('POST', 'documents', { id: '4', data: { specs: { weight: [1] } } })
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
    assert.match(results[1]!.error!, /field "specs\.color" must be string, received \["red"\]/)
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
        /No field inside the object `box` is declared with `searchable`/,
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

suite('attributes with values of several kinds', async () => {
  const app = await createTestApp()
  after(() => app[Symbol.asyncDispose]())
  const store = await app.createStore('kinds')
  const call = (method: 'GET' | 'POST', path: string, body: object) =>
    app.call({
      method,
      url: `/api/v1/stores/${store.id}/${path}`,
      headers: store.write,
      ...(method === 'GET' ? {} : { body }),
    })
  await call('POST', 'schema', {
    fields: [
      { name: 'specs', type: 'object' },
      { name: 'specs.*', type: 'auto', searchable: true, facet: true },
      { name: 'texts', type: 'object' },
      { name: 'texts.*', type: 'string', searchable: true, facet: true },
      { name: 'offers', type: 'object[]' },
      { name: 'offers.*', type: 'auto', searchable: true, facet: true },
    ],
  })
  const written = await call('POST', 'documents/bulk', {
    documents: [
      { id: '1', specs: { size: 42, fit: 'slim', new: true }, texts: { code: 7.5, on: true } },
      { id: '2', specs: { size: 'XL', fit: 36, new: 'soon' }, offers: [{ price: 5 }] },
      { id: '3', specs: { fit: 40.5 }, offers: [{ price: 9 }, { price: 'ask' }] },
      { id: '4', specs: { 'size#text': 'L' } },
      { id: '5', texts: { code: ['a'] } },
    ],
  })
  const ids = async (parameters: object) => {
    const body = { q: '*', ...parameters }
    const answer = await app.call({ method: 'POST', url: '/v1/search', headers: store.read, body })
    const { hits, ...rest } = answer.json() as Answer
    assert.equal(answer.statusCode, 200, answer.body)
    return {
      ids: hits
        .map(({ id }) => id)
        .toSorted()
        .join(),
      hits,
      ...rest,
    }
  }

  test('both kinds are kept, and others are refused', async () => {
    const { results } = written.json() as { results: { status: string; error?: string }[] }
    assert.deepEqual(
      results.map(({ error }) => error ?? ''),
      [
        '',
        '',
        '',
        'Cannot index document "4": field "specs.size#text" is not in the schema, and a pattern cannot add it: names that end in #text or #number are reserved for fields with a second type of values',
        'Cannot index document "5": field "texts.code" must be string, received ["a"]',
      ],
    )
    const schema = await call('GET', 'schema', {})
    const { fields } = schema.json() as { fields: Record<string, unknown>[] }
    assert.deepEqual(
      fields
        .filter(({ pattern }) => pattern !== undefined)
        .map((one) => [one['name'], one['type']]),
      [
        ['specs.size', 'float'],
        ['specs.fit', 'string'],
        ['specs.new', 'bool'],
        ['texts.code', 'string'],
        ['texts.on', 'string'],
        ['specs.size#text', 'string'],
        ['specs.fit#number', 'float'],
        ['specs.new#text', 'string'],
        ['offers.price', 'float'],
        ['offers.price#text', 'string'],
      ],
    )
    const copy = await app.createStore('kinds-copy')
    const url = `/api/v1/stores/${copy.id}/schema`
    const copied = await app.call({
      method: 'POST',
      url,
      headers: copy.write,
      body: schema.json() as object,
    })
    assert.equal(copied.statusCode, 200, copied.body)
  })

  for (const [filter, found] of [
    ['specs.size:=42', '1'],
    ['specs.size:>40', '1'],
    ['specs.size:=xl', '2'],
    ['specs.size:!=XL', '1,3'],
    ['specs.size:exists', '1,2'],
    ['specs.size:null', '3'],
    ['specs.fit:=slim', '1'],
    ['specs.fit:=36', '2'],
    ['specs.fit:[36, slim]', '1,2'],
    ['specs.fit:>36', '3'],
    ['specs.fit:[30..50]', '2,3'],
    ['specs.fit:exists', '1,2,3'],
    ['specs.new:true', '1'],
    ['specs.new:soon', '2'],
    ['specs:{size:=XL && fit:<40}', '2'],
    ['offers:{price:=ask}', '3'],
    ['offers:{price:>5}', '3'],
    ['texts.code:=7.5', '1'],
    ['texts.on:=true', '1'],
  ] as const) {
    test(`${filter} finds ${found}`, async () => {
      assert.equal((await ids({ filter_by: filter })).ids, found)
    })
  }

  test('the object of filters, words, facets, highlights and omitted fields know both', async () => {
    assert.equal((await ids({ filters: { 'specs.size': ['XL', 42] } })).ids, '1,2')
    assert.equal((await ids({ filters: { 'specs.fit': { gte: 36 } } })).ids, '2,3')
    assert.equal((await ids({ filters: { specs: { size: { exists: true } } } })).ids, '1,2')
    const xl = await ids({ q: 'xl', search_fields: ['specs.size'] })
    assert.deepEqual(
      [xl.ids, xl.hits[0]!.highlight],
      ['2', { 'specs.size#text': '<mark>XL</mark>' }],
    )
    assert.equal((await ids({ q: '36', search_fields: ['specs.fit'] })).ids, '2')
    assert.equal((await ids({ q: '7.5' })).ids, '1')
    const { facet_counts } = await ids({
      facet_by: 'specs.fit,specs.size,specs.size#text',
      per_page: 0,
    })
    const values = facet_counts.map(({ counts }) => counts.map(({ value }) => value))
    assert.deepEqual(values, [['36', '40.5', 'slim'], ['42'], ['XL']])
    assert.deepEqual((await ids({ q: 'xl', omit_fields: ['specs.size'] })).hits[0]!.highlight, {})
  })

  test('a value of neither kind is refused in the words of the first', async () => {
    const body = { q: '*', filter_by: 'specs.size:>XL' }
    const answer = await app.call({ method: 'POST', url: '/v1/search', headers: store.read, body })
    const { code, error } = answer.json() as Answer
    assert.deepEqual([answer.statusCode, code], [400, 'invalid_filter'])
    assert.match(error, /field `specs\.size` is float: expected a number/)
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
  readonly facet_counts: { readonly field: string; readonly counts: { value: string }[] }[]
}

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { HAS_VECTORS } from '@aisle/testing'
import { createTestApp } from './test-app.ts'

const WITH_VECTORS = HAS_VECTORS ? {} : { skip: 'NOT RUN: this cluster runs no scripts' }

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('meanings')
const admin = `/api/v1/stores/${store.id}`

const send = (url: string, body: unknown, method: 'POST' | 'PUT' | 'PATCH' = 'POST') =>
  testApp.call({ method, url: `${admin}${url}`, headers: store.write, body })
const write = async (url: string, body: unknown) => {
  const answer = await send(url, body)
  assert.ok(answer.statusCode < 300, answer.body)
  return answer
}
/** A direction between the first two axes. */
const at = (degrees: number, length = 1) => [
  length * Math.cos((degrees * Math.PI) / 180),
  length * Math.sin((degrees * Math.PI) / 180),
  ...Array<number>(6).fill(0),
]
if (HAS_VECTORS) await fill()

async function fill(): Promise<void> {
  await write('/schema', {
    fields: [
      { name: 'title', type: 'string', searchable: true },
      { name: 'kind', type: 'string', facet: true, sort: true },
      { name: 'price', type: 'float', sort: true },
      { name: 'meaning', type: 'vector', dimensions: 8 },
      { name: 'plain', type: 'vector', dimensions: 8, metric: 'dot' },
    ],
  })

  await write('/documents/bulk', {
    documents: [
      { id: 'tent', title: 'Tent', kind: 'camp', price: 90, meaning: at(0), plain: at(0, 1) },
      { id: 'stove', title: 'Stove', kind: 'camp', price: 40, meaning: at(20), plain: at(20, 9) },
      { id: 'pan', title: 'Pan', kind: 'kitchen', price: 25, meaning: at(45), plain: at(45, 3) },
      { id: 'knife', title: 'Knife', kind: 'kitchen', price: 15, meaning: at(90) },
      { id: 'shoe', title: 'Shoe', kind: 'shoe', price: 70, meaning: at(180) },
      { id: 'book', title: 'Book', kind: 'book', price: 12, meaning: null },
    ],
  })
}

type Hit = { id: string; document: Record<string, unknown>; vector_similarity?: number }
const post = (body: unknown, headers = store.read) =>
  testApp.call({ method: 'POST', url: '/v1/search', headers, body })
const search = async (body: Record<string, unknown>) => {
  const answer = await post({ q: '*', ...body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const idsOf = ({ hits }: { hits: Hit[] }) => hits.map(({ id }) => id)
const near = (degrees: number, more: object = {}) => ({
  vector: { field: 'meaning', values: at(degrees), ...more },
})

suite('a search by vector', WITH_VECTORS, () => {
  test('finds documents with a vector, the most similar first', async () => {
    const answer = await search(near(5))
    assert.deepEqual(idsOf(answer), ['tent', 'stove', 'pan', 'knife', 'shoe'])
    assert.equal(answer.found, 5)
    const similarities = (answer.hits as Hit[]).map((hit) => hit.vector_similarity)
    const expected = [5, 15, 40, 85, 175].map((degrees) => Math.cos((degrees * Math.PI) / 180))
    for (const [i, similarity] of similarities.entries()) {
      assert.ok(Math.abs(similarity! - expected[i]!) < 0.01, `${similarity} ${expected[i]}`)
    }
  })

  test('leaves vectors out of hits unless they are named', async () => {
    const plain = await search(near(5, {}))
    assert.ok(!('meaning' in (plain.hits as Hit[])[0]!.document))
    const named = await search({ ...near(5), return_fields: ['id', 'title', 'meaning'] })
    assert.deepEqual((named.hits as Hit[])[0]!.document, {
      id: 'tent',
      title: 'Tent',
      meaning: at(0),
    })
  })

  test('takes a minimum, filters, facets, groups and orders', async () => {
    const close = await search({ ...near(0, { min_similarity: 0.6 }), facet_by: 'kind' })
    assert.deepEqual(idsOf(close), ['tent', 'stove', 'pan'])
    assert.equal(close.found, 3)
    assert.deepEqual(
      close.facets.kind.map((one: { value: string; count: number }) => [one.value, one.count]),
      [
        ['camp', 2],
        ['kitchen', 1],
      ],
    )
    const kitchen = await search({ ...near(0), filter_by: 'kind:=kitchen' })
    assert.deepEqual(idsOf(kitchen), ['pan', 'knife'])
    const cheap = await search({ ...near(0, { min_similarity: 0.6 }), sort_by: 'price:asc' })
    assert.deepEqual(idsOf(cheap), ['pan', 'stove', 'tent'])
    const byKind = await search({ ...near(0), sort_by: 'kind:desc,_similarity' })
    assert.deepEqual(idsOf(byKind), ['shoe', 'pan', 'knife', 'tent', 'stove'])
    // Without words all scores are equal: the order by score is that of similarity.
    const ties = await search({ ...near(0), sort_by: '_text_match:desc,price:desc' })
    assert.deepEqual(idsOf(ties), ['tent', 'stove', 'pan', 'knife', 'shoe'])
    const worst = await search({ ...near(0), sort_by: '_text_match:asc' })
    assert.deepEqual(idsOf(worst), ['shoe', 'knife', 'pan', 'stove', 'tent'])
    const grouped = await search({ ...near(0), group_by: 'kind', group_limit: 1 })
    assert.deepEqual(
      grouped.grouped_hits.map(({ hits }: { hits: Hit[] }) => hits[0]!.id),
      ['tent', 'pan', 'shoe'],
    )
  })

  test('reorders what words find, also where other keys break ties', async () => {
    const byWords = { q: 'tent stove pan', require_all_terms: false }
    for (const sort_by of ['', '_text_match:desc,price:desc']) {
      const answer = await search({ ...byWords, ...near(40, { weight: 1 }), sort_by })
      assert.deepEqual(idsOf(answer), ['pan', 'stove', 'tent'])
    }
    const other = await search({ ...byWords, ...near(40), sort_by: 'price:asc' })
    assert.match(other.warnings[0], /unless `_text_match` is the first sort key/)
  })

  test('finds documents like another, without it', async () => {
    const answer = await search({ vector: { field: 'meaning', like: 'pan' } })
    assert.deepEqual(idsOf(answer), ['stove', 'knife', 'tent', 'shoe'])
  })

  test('compares lengths by `dot`', async () => {
    const answer = await search({ vector: { field: 'plain', values: at(0) } })
    assert.deepEqual(idsOf(answer), ['stove', 'pan', 'tent'])
    assert.ok(Math.abs((answer.hits as Hit[])[0]!.vector_similarity! - 8.457) < 0.1)
  })

  test('recommends what is similar', async () => {
    const answer = await testApp.call({
      method: 'POST',
      url: '/v1/recommendations',
      headers: store.read,
      body: { kind: 'related', ids: ['pan'] },
    })
    assert.equal(answer.statusCode, 200, answer.body)
    const hits = answer.json().hits as { id: string; source: string }[]
    assert.deepEqual(
      hits.slice(0, 2).map(({ id, source }) => [id, source]),
      [
        ['stove', 'similar'],
        ['knife', 'similar'],
      ],
    )
  })

  test('counts facets alone', async () => {
    const answer = await testApp.call({
      method: 'POST',
      url: '/v1/filters',
      headers: store.read,
      body: { facet_by: 'kind', ...near(0, { min_similarity: 0.9 }) },
    })
    assert.deepEqual(
      answer.json().facets.kind.map((one: { count: number }) => one.count),
      [2],
    )
  })

  test('refuses what it cannot compare', async () => {
    const refusals: [object, number, string][] = [
      [{ field: 'nothing', values: at(0) }, 400, 'vector.field'],
      [{ field: 'title', values: at(0) }, 400, 'vector.field'],
      [{ field: 'meaning' }, 400, 'vector.values'],
      [{ field: 'meaning', values: [1, 2] }, 400, 'vector.values'],
      [{ field: 'meaning', values: at(0).with(3, 1e39) }, 400, 'vector.values[3]'],
      [{ field: 'meaning', values: ['x'] }, 400, 'vector.values[0]'],
      [{ field: 'meaning', like: 'book' }, 400, 'vector.like'],
      [{ field: 'meaning', like: 'nobody' }, 404, 'vector.like'],
      [{ field: 'meaning', like: 'pan', values: at(0) }, 400, 'vector.like'],
      [{ field: 'meaning', values: at(0), weigth: 1 }, 400, 'vector.weigth'],
    ]
    for (const [vector, status, param] of refusals) {
      const answer = await post({ q: '*', vector })
      assert.equal(answer.statusCode, status, answer.body)
      assert.equal(answer.json().param, param, answer.body)
    }
    const alone = await post({ q: '*', sort_by: '_similarity' })
    assert.equal(alone.statusCode, 400)
    assert.match(alone.body, /needs the parameter `vector`/)
  })
})

suite('words and a vector', WITH_VECTORS, () => {
  const sought = (vector: object, more: object = {}) =>
    search({ q: 'tent stove', require_all_terms: false, vector, ...more })

  test('rank by both, and by words alone with weight 0', async () => {
    const byWords = await search({ q: 'tent stove', require_all_terms: false })
    assert.deepEqual(idsOf(byWords).toSorted(), ['stove', 'tent'])
    const toStove = await sought({ field: 'meaning', values: at(20) })
    assert.deepEqual(idsOf(toStove), ['stove', 'tent'])
    const toTent = await sought({ field: 'meaning', values: at(-60) })
    assert.deepEqual(idsOf(toTent), ['tent', 'stove'])
    const off = await sought({ field: 'meaning', values: at(20), weight: 0 })
    assert.deepEqual(idsOf(off), idsOf(byWords))
    assert.equal(toTent.found, 2)
    assert.equal(toTent.found_semantic, undefined)
  })

  test('also find what no word finds, from a similarity on', async () => {
    const vector = { field: 'meaning', values: at(30), min_similarity: 0.9 }
    const answer = await sought(vector, { facet_by: 'kind', explain: true })
    assert.deepEqual(idsOf(answer).toSorted(), ['pan', 'stove', 'tent'])
    assert.equal(answer.found, 3)
    assert.equal(answer.found_semantic, 1)
    assert.equal(answer.facets.kind.length, 2)
    const pan = answer.hits.find(({ id }: Hit) => id === 'pan')
    assert.equal(pan.text_match_score, 0)
    assert.equal(pan.explanation.meaning.alone, true)
    const filtered = await sought(vector, { filter_by: 'price:<30' })
    assert.deepEqual(idsOf(filtered), ['pan'])
    const strict = await sought(vector, { require_all_terms: true })
    assert.deepEqual(idsOf(strict), [])
    const page = await sought(vector, { per_page: 1, page: 3 })
    assert.deepEqual(idsOf(page), [idsOf(answer)[2]])
  })

  test('say where meaning does not count', async () => {
    const answer = await sought({ field: 'meaning', values: at(20) }, { sort_by: 'price:asc' })
    assert.deepEqual(idsOf(answer), ['stove', 'tent'])
    assert.match(answer.warnings.join(), /`vector` has no effect/)
  })
})

suite('a vector field', WITH_VECTORS, () => {
  test('takes as many numbers as it says', async () => {
    const faults: [unknown, string][] = [
      [[1, 2, 3], 'invalid_type'],
      ['a', 'invalid_type'],
      [at(0).with(2, 1e39), 'out_of_range'],
      [[...at(0).slice(0, 7), 'x'], 'invalid_type'],
    ]
    for (const [meaning, code] of faults) {
      const answer = await send('/documents', { id: 'bad', data: { title: 'Bad', meaning } })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().code, code, answer.body)
      assert.equal(answer.json().param, 'data.meaning', answer.body)
    }
  })

  test('needs dimensions, and has no role', async () => {
    const faults: [object, string][] = [
      [{ type: 'vector' }, 'fields[0].dimensions'],
      [{ type: 'vector', dimensions: 7 }, 'fields[0].dimensions'],
      [{ type: 'vector', dimensions: 5000 }, 'fields[0].dimensions'],
      [{ type: 'vector', dimensions: 8, metric: 'l2' }, 'fields[0].metric'],
      [{ type: 'vector', dimensions: 8, facet: true }, 'fields[0].facet'],
      [{ type: 'string', dimensions: 8 }, 'fields[0].dimensions'],
    ]
    for (const [field, param] of faults) {
      const answer = await send('/schema', { fields: [{ name: 'other', ...field }] })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().param, param, answer.body)
    }
  })

  test('is shown by the schema, and exists', async () => {
    const answer = await testApp.call({ url: `${admin}/schema`, headers: store.write })
    const field = answer.json().fields.find(({ name }: { name: string }) => name === 'meaning')
    assert.equal(field.dimensions, 8)
    assert.equal(field.metric, 'cosine')
    const without = await search({ filters: { meaning: { exists: false } } })
    assert.deepEqual(idsOf(without), ['book'])
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shoes')
const admin = `/api/v1/stores/${store.id}`

const write = async (url: string, body: unknown, method: 'POST' | 'PATCH' = 'POST') => {
  const answer = await testApp.call({ method, url: `${admin}${url}`, headers: store.write, body })
  assert.ok(answer.statusCode < 300, answer.body)
}
await write('/schema', {
  fields: [
    { name: 'title', type: 'string', searchable: true },
    { name: 'model', type: 'string', facet: true },
    { name: 'year', type: 'int64', facet: true },
    { name: 'sale', type: 'bool', facet: true },
    { name: 'price', type: 'float', facet: true, sort: true },
    { name: 'sizes', type: 'string[]', facet: true },
  ],
})
const variants = [
  { id: '1', title: 'Trail shoe red', model: 'trail', year: 2025, sale: true, price: 90 },
  { id: '2', title: 'Trail shoe blue', model: 'trail', year: 2025, sale: false, price: 80 },
  { id: '3', title: 'Trail shoe green', model: 'trail', year: 2026, sale: false, price: 85 },
  { id: '4', title: 'Road shoe red', model: 'road', year: 2026, sale: false, price: 120 },
  { id: '5', title: 'Hut shoe', year: 2024, sale: true, price: 40 },
  { id: '6', title: 'Beach shoe', year: 2024, sale: true, price: 20 },
]
await write('/documents/bulk', { documents: variants })

interface Hit {
  readonly id: string
}
interface Group {
  readonly group_key: readonly unknown[]
  readonly found: number
  readonly hits: readonly Hit[]
}
const post = (body: unknown) =>
  testApp.call({ method: 'POST', url: '/v1/search', headers: store.read, body })
const search = async (body: unknown) => {
  const answer = await post(body)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const outline = (groups: readonly Group[]) =>
  groups.map(({ group_key: key, found, hits }) => [key, found, hits.map(({ id }) => id).join('')])

suite('groups', () => {
  test('documents with the same value are answered together, by their best', async () => {
    const answer = await search({ q: 'shoe', group_by: ['model'], sort_by: 'price:asc' })
    assert.deepEqual(outline(answer.grouped_hits), [
      [[null], 2, '65'],
      [['trail'], 3, '231'],
      [['road'], 1, '4'],
    ])
    assert.deepEqual(answer.hits, [])
    assert.deepEqual([answer.found, answer.found_groups, answer.total_pages], [6, 3, 1])
    const [first] = answer.grouped_hits[1].hits
    assert.deepEqual(Object.keys(first), ['id', 'document', 'highlight', 'text_match_score'])
  })

  test('fractions group like other numbers', async () => {
    await write('/documents', { id: '7', data: { title: 'Half', price: 20.5 } })
    await write('/documents', { id: '8', data: { title: 'Half again', price: 20.5 } })
    const answer = await search({ q: 'half', group_by: 'price', sort_by: 'price:asc' })
    assert.deepEqual(outline(answer.grouped_hits), [[[20.5], 2, '78']])
    const headers = store.write
    for (const id of ['7', '8']) {
      const gone = await testApp.call({
        method: 'DELETE',
        url: `${admin}/documents/${id}`,
        headers,
      })
      assert.equal(gone.statusCode, 200)
    }
  })

  test('documents without a value stay apart if asked to', async () => {
    const answer = await search({
      q: '*',
      group_by: 'model',
      group_missing: 'apart',
      sort_by: 'price:asc',
      group_limit: 1,
    })
    assert.deepEqual(outline(answer.grouped_hits), [
      [[null], 1, '6'],
      [[null], 1, '5'],
      [['trail'], 3, '2'],
      [['road'], 1, '4'],
    ])
  })

  test('groups by several fields, with keys of their types', async () => {
    const answer = await search({
      q: '*',
      group_by: ['year', 'sale'],
      sort_by: 'price:desc',
      per_page: 2,
      page: 2,
    })
    assert.deepEqual(outline(answer.grouped_hits), [
      [[2025, false], 1, '2'],
      [[2024, true], 2, '56'],
    ])
    assert.deepEqual([answer.found_groups, answer.total_pages], [4, 2])
  })

  test('pages are pages of groups, facets and filters count documents', async () => {
    const answer = await search({
      q: 'shoe',
      group_by: 'model',
      per_page: 1,
      page: 2,
      sort_by: 'price:asc',
      filter_by: 'price:<100',
      facet_by: 'sale',
    })
    assert.deepEqual(outline(answer.grouped_hits), [[['trail'], 3, '231']])
    assert.deepEqual([answer.found, answer.found_groups, answer.total_pages], [5, 2, 2])
    assert.deepEqual(
      answer.facet_counts[0].counts.map((one: { count: number }) => one.count),
      [3, 2],
    )
    const counted = await search({
      q: 'shoe',
      group_by: 'model',
      filter_by: 'price:<100',
      facet_by: 'sale,year(new:[2026,2030],all:[2000,2030]),price',
      facet_count: 'groups',
    })
    const [sale, year, price] = counted.facet_counts
    // Two groups have something on sale, one has something that is not.
    assert.deepEqual(
      sale.counts.map(({ value, count }: { value: string; count: number }) => [value, count]),
      [
        ['true', 2],
        ['false', 1],
      ],
    )
    assert.deepEqual(
      year.counts.map(({ count }: { count: number }) => count),
      [1, 2],
    )
    assert.equal(price.stats.avg, (90 + 80 + 85 + 40 + 20) / 5, 'of documents')
    const past = await search({ q: 'shoe', group_by: 'model', page: 9 })
    assert.deepEqual([past.grouped_hits, past.found_groups], [[], 3])
  })

  test('GET, multi-search, flat hits and explain know groups', async () => {
    const url = '/v1/search?q=red&group_by=model&group_limit=1&hit_format=flat&explain=true'
    const got = await testApp.call({ method: 'GET', url, headers: store.read })
    assert.equal(got.statusCode, 200, got.body)
    for (const { hits } of got.json().grouped_hits) {
      assert.equal(hits.length, 1)
      assert.ok(hits[0]._explanation)
    }
    const multi = await testApp.call({
      method: 'POST',
      url: '/v1/multi-search',
      headers: store.read,
      body: { queries: [{ q: '*', group_by: ['model'] }, { q: '*' }] },
    })
    const [grouped, plain] = multi.json().results
    assert.equal(grouped.grouped_hits.length, 3)
    assert.equal(plain.grouped_hits, undefined)
  })

  test('what cannot be grouped by is refused, with the parameter', async () => {
    const refused = [
      [{ group_by: ['nothing'] }, 'unknown_field', 'group_by[0]'],
      [{ group_by: 'model,nothing' }, 'unknown_field', 'group_by'],
      [{ group_by: ['title'] }, 'invalid_parameter', 'group_by[0]'],
      [{ group_by: ['sizes'] }, 'invalid_parameter', 'group_by[0]'],
      [{ group_by: ['model', 'year', 'sale', 'model'] }, 'invalid_parameter', 'group_by'],
      [{ group_by: ['model'], group_limit: 0 }, 'invalid_parameter', 'group_limit'],
      [{ group_by: ['model'], group_limit: 100 }, 'invalid_parameter', 'group_limit'],
      [{ group_by: ['model'], group_missing: 'away' }, 'invalid_parameter', 'group_missing'],
      [{ group_by: 7 }, 'invalid_parameter', 'group_by'],
      [{ facet_count: 'hits' }, 'invalid_parameter', 'facet_count'],
    ] as const
    for (const [parameters, code, param] of refused) {
      const answer = await post({ q: '*', ...parameters })
      assert.equal(answer.statusCode, 400, JSON.stringify(parameters))
      assert.deepEqual([answer.json().code, answer.json().param], [code, param])
    }
  })

  test('a store shows one of the variants of a product unless a search says otherwise', async () => {
    await write('/settings', { distinct: { field: 'model' } }, 'PATCH')
    const answer = await search({ q: 'shoe', sort_by: 'price:asc', per_page: 3 })
    assert.deepEqual(
      answer.hits.map(({ id }: Hit) => id),
      ['6', '5', '2'],
    )
    assert.deepEqual([answer.found, answer.found_groups, answer.total_pages], [6, 4, 2])
    assert.equal(answer.grouped_hits, undefined)
    const off = await search({ q: 'shoe', group_by: [] })
    assert.deepEqual([off.hits.length, off.found_groups], [6, undefined])
    const own = await search({ q: 'shoe', group_by: 'year' })
    assert.equal(own.found_groups, 3)
    const filters = await testApp.call({
      method: 'POST',
      url: '/v1/filters',
      headers: store.read,
      body: {},
    })
    assert.equal(filters.statusCode, 200)
    for (const field of ['nothing', 'sizes']) {
      const refused = await testApp.call({
        method: 'PATCH',
        url: `${admin}/settings`,
        headers: store.write,
        body: { distinct: { field } },
      })
      assert.deepEqual([refused.statusCode, refused.json().param], [400, 'distinct.field'])
    }
    await write('/settings', { distinct: { field: null } }, 'PATCH')
    assert.equal((await search({ q: 'shoe' })).hits.length, 6)
  })
})

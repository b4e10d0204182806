import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

// Goal: a query that is the id of a document finds it, first, whatever else is asked. Method: a
// store of which no field has the ids, and ids of every kind.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shop')
const admin = `/api/v1/stores/${store.id}`

const write = async (path: string, body: unknown, method: 'POST' | 'PUT' = 'POST') => {
  const url = `${admin}/${path}`
  const answer = await testApp.call({ method, url, headers: store.write, body })
  assert.ok(answer.statusCode < 300, answer.body)
}
await write('schema', {
  fields: [
    { name: 'title', type: 'string', searchable: true },
    { name: 'kind', type: 'string', facet: true },
    { name: 'price', type: 'float', facet: true, sort: true },
  ],
})
const IDS = ['B0BRKXTSBT', '42', 'shoe', 'red shoe', 'a-b/c:1', 'Größe', 'x'.repeat(512), '!!!']
await write('documents/bulk', {
  documents: [
    ...IDS.map((id, i) => ({ id, title: `Thing ${i}`, kind: 'thing', price: 50 + i })),
    { id: 'p1', title: 'Red shoe size 42', kind: 'shoe', price: 10 },
    { id: 'p2', title: 'Blue shoe', kind: 'shoe', price: 90 },
  ],
})

interface Answer {
  readonly found: number
  readonly hits: readonly { readonly id: string; readonly curated?: boolean }[]
  readonly facets?: Record<string, readonly { readonly value: string; readonly count: number }[]>
}
const search = async (body: object): Promise<Answer & Record<string, unknown>> => {
  const answer = await testApp.call({
    method: 'POST',
    url: '/v1/search',
    headers: store.read,
    body,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const idsOf = ({ hits }: Answer) => hits.map(({ id }) => id)

suite('a query that is the id of a document', () => {
  test('an id with a digit comes first in either case, before what has its parts', async () => {
    const documents = ['V-1', 'V-2', 'V-5'].map((id) => ({ id, title: `Bike ${id}`, price: 1 }))
    documents.push({ id: 'other', title: 'Bike V 2 and V-5 v-2', price: 2 })
    await write('documents/bulk', { documents })
    for (const id of ['V-2', 'V-5']) {
      for (const q of [id, id.toLowerCase()]) assert.equal(idsOf(await search({ q }))[0], id, q)
    }
  })

  for (const id of IDS) {
    test(`${id.slice(0, 20)} finds it, first, and counts it once`, async () => {
      const answer = await search({ q: id, facet_by: 'kind', per_page: 50 })
      assert.equal(idsOf(answer)[0], id)
      assert.equal(answer.found, answer.hits.length)
      assert.equal(new Set(idsOf(answer)).size, answer.found)
      assert.equal(answer.hits[0]!.curated, undefined)
      assert.equal(idsOf(await search({ q: ` ${id} `, require_all_terms: true }))[0], id)
      assert.equal(idsOf(await search({ q: id, min_relevance: 1 }))[0], id)
    })
  }

  test('what its words find comes behind it', async () => {
    assert.deepEqual(idsOf(await search({ q: 'shoe' })).toSorted(), ['p1', 'p2', 'shoe'])
    assert.deepEqual(idsOf(await search({ q: '42' })), ['42', 'p1'])
    assert.deepEqual(idsOf(await search({ q: 'B0BRKXTSBT' })), ['B0BRKXTSBT'])
  })

  test('is the same in the case that it was typed in, if it has a digit', async () => {
    assert.deepEqual(idsOf(await search({ q: 'b0brkxtsbt' })), ['B0BRKXTSBT'])
    assert.deepEqual(idsOf(await search({ q: 'B0brkXTSBT' })), ['B0BRKXTSBT'])
  })

  test('is one word of a longer query, and finds nothing there', async () => {
    assert.deepEqual(idsOf(await search({ q: 'B0BRKXTSBT blue' })), ['p2'])
  })

  test('stays first in any order, and is on one page only', async () => {
    for (const sort of ['price:asc', 'price:desc', '_text_match:desc', '_popularity:desc']) {
      assert.equal(idsOf(await search({ q: 'shoe', sort_by: sort }))[0], 'shoe', sort)
    }
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => search({ q: 'shoe', per_page: 1, page })),
    )
    assert.deepEqual(pages.flatMap(idsOf).toSorted(), ['p1', 'p2', 'shoe'])
    assert.deepEqual(
      pages.map(({ found }) => found),
      [3, 3, 3, 3],
    )
  })

  test('meets the filter and is counted into facets', async () => {
    assert.deepEqual(idsOf(await search({ q: 'B0BRKXTSBT', filter_by: 'kind:=shoe' })), [])
    const answer = await search({ q: '42', facet_by: 'kind', filter_by: 'price:<60' })
    assert.deepEqual(idsOf(answer), ['42', 'p1'])
    assert.deepEqual(
      answer.facets!['kind']!.map(({ value, count }) => [value, count]),
      [
        ['shoe', 1],
        ['thing', 1],
      ],
    )
    const disjunctive = { facet_by: 'kind', facet_mode: 'disjunctive', filter_by: 'kind:=shoe' }
    const other = await search({ q: '42', ...disjunctive })
    assert.deepEqual([idsOf(other), other.facets!['kind']!.length], [['p1'], 2])
  })

  test('is explained, and has made no mistake', async () => {
    const answer = await search({ q: 'Größe', explain: true })
    const [first] = answer.hits as unknown as { explanation: object }[]
    assert.deepEqual(first!.explanation, {
      tier: 0,
      exact_value: 0,
      words: [],
      pairs: [],
      id_match: true,
    })
    assert.deepEqual([answer['corrected_query'], answer['did_you_mean']], [undefined, undefined])
    const typo = await search({ q: 'shoes', explain: true })
    assert.ok(typo.hits.every((hit) => !('id_match' in (hit as object))))
  })

  test('in groups it is first with its group', async () => {
    const answer = await search({ q: '42', group_by: ['kind'] })
    const groups = answer['grouped_hits'] as { group_key: string[]; hits: { id: string }[] }[]
    assert.deepEqual(
      groups.map(({ group_key: key, hits }) => [key[0], hits[0]!.id]),
      [
        ['thing', '42'],
        ['shoe', 'p1'],
      ],
    )
  })

  test('is found by GET, in several searches, and by suggestions with products', async () => {
    const get = await testApp.call({ url: '/v1/search?q=b0brkxtsbt', headers: store.read })
    assert.deepEqual(idsOf(get.json()), ['B0BRKXTSBT'])
    const several = await testApp.call({
      method: 'POST',
      url: '/v1/multi-search',
      headers: store.read,
      body: { queries: [{ q: '42' }, { q: 'a-b/c:1' }] },
    })
    const results: Answer[] = several.json().results
    assert.deepEqual(
      results.map((one) => idsOf(one)[0]),
      ['42', 'a-b/c:1'],
    )
    const suggested = await testApp.call({
      method: 'POST',
      url: '/v1/suggestions/queries',
      headers: store.read,
      body: { q: 'B0BRKXTSBT' },
    })
    const cards: { id: string; reason: string }[] = suggested.json().dropdown_product_list
    assert.deepEqual(
      cards.map(({ id, reason }) => [id, reason]),
      [['B0BRKXTSBT', 'matches']],
    )
  })

  test('rules come first: what they pin, and what they hide', async () => {
    const rule = { when: [{ query: '42' }], pin: [{ id: 'p2', position: 1 }] }
    await write('rules/pins', rule, 'PUT')
    const pinned = await search({ q: '42' })
    assert.deepEqual(idsOf(pinned), ['p2', '42', 'p1'])
    assert.deepEqual(
      pinned.hits.map(({ curated }) => curated),
      [true, undefined, undefined],
    )
    await write('rules/pins', { ...rule, pin: [{ id: '42', position: 2 }] }, 'PUT')
    const moved = await search({ q: '42' })
    assert.deepEqual(idsOf(moved), ['p1', '42'])
    assert.equal(moved.hits[1]!.curated, true)
    await write('rules/pins', { when: rule.when, hide: ['42'] }, 'PUT')
    assert.deepEqual(idsOf(await search({ q: '42' })), ['p1'])
  })
})

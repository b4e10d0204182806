import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, fillStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('outdoor')
const empty = await testApp.createStore('empty')
await fillStore(testApp, store)

const post = (body: unknown, url = '/v1/search', headers = store.read) =>
  testApp.call({ method: 'POST', url, headers, body })
const ids = (answer: { json(): { hits: { id: string }[] } }) =>
  answer.json().hits.map((hit) => hit.id)

suite('POST /v1/search', () => {
  test('the answer has what the interface shows, and what we always add', async () => {
    const answer = await post({ q: 'shoe' })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    const { search_id, search_time_ms, hits, ...rest } = answer.json()
    assert.deepEqual(rest, {
      found: 2,
      page: 1,
      per_page: 10,
      total_pages: 1,
      matched_terms: 'all',
      cached: false,
    })
    assert.match(search_id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    assert.ok(search_time_ms >= 0)
    for (const hit of hits) {
      assert.deepEqual(Object.keys(hit), ['id', 'document', 'highlight', 'text_match_score'])
      assert.ok(Number.isSafeInteger(hit.text_match_score))
      assert.equal(hit.document.id, hit.id)
    }
  })

  test('* and a blank query match everything, newest first', async () => {
    for (const q of ['*', '', '  ']) {
      const answer = await post({ q })
      assert.equal(answer.json().found, 4)
      assert.deepEqual(ids(answer), ['4', '3', '2', '1'])
    }
  })

  test('pages follow one another; a page past the end is empty', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => post({ q: '*', per_page: 3, page })))
    assert.deepEqual(pages.map(ids), [['4', '3', '2'], ['1'], []])
    for (const page of pages) assert.equal(page.json().found, 4)
    assert.equal(pages[0]?.json().total_pages, 2)
    const none = await post({ q: '*', per_page: 0 })
    assert.deepEqual([none.json().hits, none.json().total_pages], [[], 0])
  })

  test('a highlight marks the words that matched, in the whole text, escaped', async () => {
    const shoe = await post({ q: 'red shoe', require_all_terms: true })
    assert.deepEqual(shoe.json().hits[0].highlight, {
      title: '<mark>Red</mark> trail <mark>shoe</mark>',
      tags: ['<mark>shoe</mark>', '<mark>red</mark>'],
    })
    const stove = await post({ q: 'stove' })
    assert.equal(stove.json().hits[0].highlight.title, 'Camping <mark>stove</mark> &lt;small&gt;')
    assert.equal(stove.json().hits[0].document.title, 'Camping stove <small>')
    const raw = await post({ q: 'stove', highlight_escape: false })
    assert.equal(raw.json().hits[0].highlight.title, 'Camping <mark>stove</mark> <small>')
  })

  test('highlights are absent when they are switched off, empty when nothing is marked', async () => {
    assert.equal('highlight' in (await post({ q: 'shoe', highlight: false })).json().hits[0], false)
    assert.equal(
      'highlight' in (await post({ q: 'shoe', widget_mode: true })).json().hits[0],
      false,
    )
    const asked = await post({ q: 'shoe', widget_mode: true, highlight: true })
    assert.ok('highlight' in asked.json().hits[0])
    assert.deepEqual((await post({ q: '*' })).json().hits[0].highlight, {})
    const brand = await post({ q: 'fells', search_fields: ['brand'] })
    assert.deepEqual(brand.json().hits[0].highlight, { brand: '<mark>Fells</mark>' })
  })

  test('return_fields and omit_fields choose fields; omitting wins', async () => {
    const documents = async (body: object) =>
      (await post({ q: 'stove', ...body })).json().hits[0].document
    assert.deepEqual(await documents({ return_fields: ['title', 'id'] }), {
      id: '4',
      title: 'Camping stove <small>',
    })
    assert.deepEqual(await documents({ return_fields: ['price'] }), { price: 39 })
    assert.deepEqual(await documents({ omit_fields: ['title', 'brand', 'id'] }), {
      price: 39,
      sold_out: true,
    })
    assert.deepEqual(
      await documents({ return_fields: ['price', 'brand'], omit_fields: ['brand'] }),
      { price: 39 },
    )
    const warned = await post({ q: 'stove', return_fields: ['titel'] })
    assert.match(warned.json().warnings[0], /titel/)
  })

  test('hit_format flat puts everything side by side', async () => {
    const { hits } = (await post({ q: 'stove', hit_format: 'flat' })).json()
    const { _text_match_score, ...hit } = hits[0]
    assert.deepEqual(hit, {
      id: '4',
      title: 'Camping stove <small>',
      brand: 'Norrby',
      price: 39,
      sold_out: true,
      _highlight: { title: 'Camping <mark>stove</mark> &lt;small&gt;' },
    })
    assert.ok(Number.isSafeInteger(_text_match_score))
  })

  test('filters, as text and as an object, are ANDed', async () => {
    assert.deepEqual(ids(await post({ q: '*', filter_by: 'brand:=Norrby' })), ['4', '3'])
    assert.deepEqual(
      ids(await post({ q: '*', filter_by: 'brand:=Norrby', filters: { price: { min: 100 } } })),
      ['3'],
    )
  })

  test('facets come in both shapes', async () => {
    const { facets, facet_counts } = (
      await post({ q: '*', facet_by: 'brand,price,sold_out', per_page: 0 })
    ).json()
    assert.deepEqual(facets, {
      brand: [
        { value: 'Fells', count: 2 },
        { value: 'Norrby', count: 2 },
      ],
      price: { min: 39, max: 149 },
      sold_out: [
        { value: 'false', count: 1 },
        { value: 'true', count: 1 },
      ],
    })
    assert.deepEqual(
      facet_counts.map((one: { field: string }) => one.field),
      ['brand', 'price', 'sold_out'],
    )
    assert.equal(facet_counts[0].total_values, 2)
    assert.deepEqual(facet_counts[1].stats, { min: 39, max: 149, sum: 376.5, avg: 94.125 })
  })

  test('a facet query forgives typos, and shows what it found in each value', async () => {
    const brands = async (facet_query: string, changes: object = {}) => {
      const answer = await post({ q: '*', facet_by: 'brand', facet_query, ...changes })
      const { facets, facet_counts } = answer.json()
      assert.deepEqual(facet_counts[0].counts, facets.brand)
      assert.equal(facet_counts[0].total_values, facets.brand.length)
      return facets.brand
    }
    const fells = (highlighted: string) => [{ value: 'Fells', count: 2, highlighted }]
    assert.deepEqual(await brands('brand:fe'), fells('<mark>Fe</mark>lls'))
    assert.deepEqual(await brands('brand:felsl'), fells('<mark>Fells</mark>'))
    assert.deepEqual(await brands('brand:felsl', { typo_max: 0 }), [])
    assert.deepEqual(await brands('brand:felsl', { typo_min_len_1: 6 }), [])
    // "fell" matches a value as typed, so no typo is tolerated.
    assert.deepEqual(await brands('brand:fell'), fells('<mark>Fell</mark>s'))
    const alone = (await post({ q: '*', facet_query: 'brand:nor' })).json()
    assert.equal(alone.facets.brand[0].highlighted, '<mark>Nor</mark>rby')
    const plain = (await post({ q: '*', facet_by: 'brand' })).json()
    assert.equal('highlighted' in plain.facets.brand[0], false)
  })

  test('sorting puts missing values last', async () => {
    assert.deepEqual(ids(await post({ q: '*', sort_by: 'stock:desc' })), ['3', '1', '2', '4'])
    assert.deepEqual(ids(await post({ q: '*', sort_by: 'price:asc' })), ['4', '1', '2', '3'])
  })

  test('a correction is named', async () => {
    const answer = (await post({ q: 'red jakcet', require_all_terms: true })).json()
    assert.equal(answer.found, 1)
    assert.equal(answer.corrected_query, 'red jacket')
    assert.equal('corrected_query' in (await post({ q: 'red jacket' })).json(), false)
    assert.equal((await post({ q: 'jakcet', typo_max: 0 })).json().found, 0)
  })

  test('before any schema nothing is found', async () => {
    for (const q of ['*', 'shoe']) {
      const answer = await post({ q }, '/v1/search', empty.read)
      assert.equal(answer.statusCode, 200)
      assert.deepEqual([answer.json().found, answer.json().hits], [0, []])
    }
    const filters = await post({}, '/v1/filters', empty.read)
    assert.deepEqual(filters.json(), { facets: {} })
  })

  test('unknown parameters are named', async () => {
    const answer = await post({ q: '*', colour: 'red', __x: 1 })
    assert.equal(answer.statusCode, 200)
    const warnings: string[] = answer.json().warnings
    for (const name of ['colour', '__x']) {
      assert.ok(
        warnings.some((warning) => warning.includes(`\`${name}\``)),
        name,
      )
    }
  })

  test('infix_mode looks inside of words of three characters and more, by GET and by POST', async () => {
    const found = async (q: string, infix_mode?: string) => {
      const answer = await post({ q, infix_mode })
      const { searchParams } = new URL('http://x/')
      searchParams.set('q', q)
      if (infix_mode !== undefined) searchParams.set('infix_mode', infix_mode)
      const byGet = await testApp.call({
        url: `/v1/search?${searchParams.toString()}`,
        headers: store.read,
      })
      assert.deepEqual(ids(byGet), ids(answer))
      return ids(answer).length
    }
    assert.deepEqual(
      await Promise.all([undefined, 'off', 'fallback', 'always'].map((mode) => found('tov', mode))),
      [0, 0, 1, 1],
    )
    assert.equal(await found('to', 'always'), 0)
    for (const [infix_mode, code] of [
      ['sometimes', 'invalid_parameter'],
      [1, 'invalid_parameter'],
      [['always'], 'invalid_parameter'],
    ]) {
      const answer = await post({ q: '*', infix_mode })
      const { param } = answer.json()
      assert.deepEqual([answer.statusCode, answer.json().code, param], [400, code, 'infix_mode'])
    }
  })

  const refused: readonly (readonly [unknown, number, string])[] = [
    [{}, 400, 'missing_parameter'],
    ['', 400, 'malformed_json'],
    ['{"q":', 400, 'malformed_json'],
    ['[]', 400, 'invalid_parameter'],
    ['null', 400, 'invalid_parameter'],
    ['{"q":"\\ud800"}', 400, 'invalid_unicode'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 400, 'json_too_deep'],
    [`{"q":"*","filters":${'{"a":'.repeat(32)}1${'}'.repeat(32)}}`, 400, 'json_too_deep'],
    ['['.repeat(100_000), 400, 'malformed_json'],
    [{ q: 'x'.repeat(1_000_001) }, 413, 'payload_too_large'],
    [{ q: '*', per_page: 251 }, 400, 'invalid_parameter'],
    [{ q: '*', filter_by: 'brand:=' }, 400, 'invalid_filter'],
    [{ q: '*', filter_by: '('.repeat(10_000) }, 400, 'invalid_filter'],
    [{ q: '*', filter_by: '('.repeat(100_000) }, 400, 'invalid_parameter'],
    [{ q: '*', filter_by: 'brnd:=x' }, 400, 'unknown_field'],
    [{ q: '*', filter_by: 'title:=x' }, 400, 'field_not_filterable'],
    [{ q: '*', filters: JSON.parse('{"__proto__":1}') }, 400, 'unknown_field'],
    [{ q: '*', sort_by: 'price:up' }, 400, 'invalid_sort'],
    [{ q: '*', sort_by: 'title:asc' }, 400, 'field_not_sortable'],
    [{ q: '*', facet_by: 'brand(' }, 400, 'invalid_facet'],
    [{ q: '*', facet_by: 'title' }, 400, 'field_not_facetable'],
    [{ q: '*', search_fields: ['price'] }, 400, 'field_not_searchable'],
    [{ q: '*', search_fields: ['nope'] }, 400, 'unknown_field'],
    [{ q: '*', field_weights: { nope: 1 } }, 400, 'unknown_field'],
    [{ q: '*', snippet_fields: ['nope'] }, 400, 'unknown_field'],
    [{ q: '*', preset_name: 'x' }, 400, 'unknown_preset'],
    [{ q: '*', synonym_sets: ['x'] }, 400, 'unknown_set'],
    [{ q: '*', stopword_sets: ['x'] }, 400, 'unknown_set'],
  ]
  for (const [body, status, code] of refused) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    test(`${text.slice(0, 50)} is ${status} ${code}`, async () => {
      const answer = await testApp.call({
        method: 'POST',
        url: '/v1/search',
        headers: { ...store.read, 'content-type': 'application/json' },
        body: text,
      })
      assert.deepEqual([answer.statusCode, answer.json().code], [status, code], answer.body)
    })
  }

  test('a __proto__ key changes nothing and breaks nothing', async () => {
    const answer = await post('{"q":"*","__proto__":{"per_page":1}}')
    assert.equal(answer.json().hits.length, 4)
    assert.equal(({} as Record<string, unknown>)['per_page'], undefined)
  })
})

suite('GET /v1/search', () => {
  const pairs: readonly (readonly [string, object])[] = [
    ['q=shoe', { q: 'shoe' }],
    ['q=*&per_page=2&page=2', { q: '*', per_page: 2, page: 2 }],
    ['q=*&return_fields=title,id', { q: '*', return_fields: ['title', 'id'] }],
    ['q=*&return_fields=title&return_fields=id', { q: '*', return_fields: ['title', 'id'] }],
    ['q=shoe&field_weights=%7B%22title%22%3A3%7D', { q: 'shoe', field_weights: { title: 3 } }],
    [
      'q=*&filter_by=brand:%3DFells%26%26price:%3E90',
      { q: '*', filter_by: 'brand:=Fells&&price:>90' },
    ],
    [
      'q=*&filters=%7B%22price%22%3A%7B%22min%22%3A90%7D%7D',
      { q: '*', filters: { price: { min: 90 } } },
    ],
    ['q=*&facet_by=brand&facet_by=price', { q: '*', facet_by: ['brand', 'price'] }],
    [
      'q=red+shoe&require_all_terms=1&highlight=0',
      { q: 'red shoe', require_all_terms: true, highlight: false },
    ],
    ['q=*&colour=red', { q: '*', colour: 'red' }],
  ]
  for (const [query, body] of pairs) {
    test(`?${query} answers as the POST does`, async () => {
      const got = await testApp.call({ url: `/v1/search?${query}`, headers: store.read })
      assert.equal(got.statusCode, 200, got.body)
      const posted = await post(body)
      const stable = ({ search_id: _, search_time_ms: __, ...rest }: Record<string, unknown>) =>
        rest
      assert.deepEqual(stable(got.json()), stable(posted.json()))
    })
  }

  const refused: readonly (readonly [string, string])[] = [
    ['', 'missing_parameter'],
    ['q=*&per_page=x', 'invalid_parameter'],
    ['q=a&q=b', 'invalid_parameter'],
    ['q=*&highlight=maybe', 'invalid_parameter'],
    ['q=*&filters=%7B', 'invalid_parameter'],
  ]
  for (const [query, code] of refused) {
    test(`?${query} is 400 ${code}`, async () => {
      const got = await testApp.call({ url: `/v1/search?${query}`, headers: store.read })
      assert.deepEqual([got.statusCode, got.json().code], [400, code])
    })
  }
})

suite('POST /v1/multi-search', () => {
  test('queries are answered in order; one that fails fills its own place', async () => {
    const answer = await post(
      { queries: [{ q: 'shoe' }, { per_page: 1 }, 5, { q: '*', per_page: 1 }] },
      '/v1/multi-search',
    )
    assert.equal(answer.statusCode, 200)
    const { results } = answer.json()
    assert.deepEqual(
      results.map((one: { found?: number; code?: string }) => one.found ?? one.code),
      [2, 'missing_parameter', 'invalid_parameter', 4],
    )
    assert.equal(results[1].status, 400)
    assert.equal(results[1].request_id, answer.headers['x-request-id'])
  })

  const query = { q: '*' }
  const refused: readonly (readonly [unknown, string])[] = [
    [{}, 'missing_parameter'],
    [{ queries: [] }, 'invalid_parameter'],
    [{ queries: Array(11).fill(query) }, 'invalid_parameter'],
    [{ queries: query }, 'invalid_parameter'],
  ]
  for (const [body, code] of refused) {
    test(`${JSON.stringify(body).slice(0, 40)} is 400 ${code}`, async () => {
      const answer = await post(body, '/v1/multi-search')
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code])
    })
  }

  test('ten queries are allowed', async () => {
    const answer = await post({ queries: Array(10).fill(query) }, '/v1/multi-search')
    assert.equal(answer.json().results.length, 10)
  })
})

suite('POST /v1/filters', () => {
  test('without a query every facet of the store is listed', async () => {
    const { facets } = (await post({}, '/v1/filters')).json()
    assert.deepEqual(Object.keys(facets), ['brand', 'tags', 'price', 'stock', 'sold_out'])
    assert.deepEqual(facets.stock, { min: 0, max: 12 })
    assert.deepEqual(facets.tags, [
      { value: 'shoe', count: 2 },
      { value: 'red', count: 1 },
    ])
  })

  test('a query and filters narrow what is counted', async () => {
    const { facets } = (
      await post({ q: 'red', filters: { price: { max: 100 } } }, '/v1/filters')
    ).json()
    assert.deepEqual(facets.brand, [{ value: 'Fells', count: 1 }])
    assert.deepEqual((await post({ q: 'zzz' }, '/v1/filters')).json().facets.price, {
      min: null,
      max: null,
    })
  })

  test('a facet query is escaped as highlights are, in every answer', async () => {
    const shop = await testApp.createStore('escaped')
    await fillStore(testApp, shop)
    const value = 'Blöd & <b>Söhne</b>'
    await testApp.call({
      method: 'POST',
      url: `/api/v1/stores/${shop.id}/documents`,
      headers: shop.write,
      body: { id: 'x', data: { title: 'X', brand: value, tags: ['t-shirt', 'shirt'] } },
    })
    const ask = async (url: string, body: object) =>
      (await testApp.call({ method: 'POST', url, headers: shop.read, body })).json()
    const asked = { facet_by: 'brand', facet_query: 'brand:sohne blo' }
    const escaped = '<mark>Blö</mark>d &amp; &lt;b&gt;<mark>Söhne</mark>&lt;/b&gt;'
    const filters = await ask('/v1/filters', asked)
    assert.deepEqual(filters.facets.brand, [{ value, count: 1, highlighted: escaped }])
    const { results } = await ask('/v1/multi-search', {
      queries: [
        { q: '*', ...asked },
        { q: '*', ...asked, highlight_escape: false },
        { q: '*', facet_by: 'tags', facet_query: 'tags:tshrit' },
      ],
    })
    const shown = results.map(
      ({ facet_counts: [facet] }: { facet_counts: { counts: { highlighted: string }[] }[] }) =>
        facet!.counts.map(({ highlighted }) => highlighted),
    )
    const raw = '<mark>Blö</mark>d & <b><mark>Söhne</mark></b>'
    assert.deepEqual(shown, [[escaped], [raw], ['<mark>t-shirt</mark>']])
  })

  test('max_values bounds the values of a facet', async () => {
    const { facets } = (await post({ max_values: 1 }, '/v1/filters')).json()
    assert.equal(facets.brand.length, 1)
  })
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { instantSearchClient } from './instant-search-client.ts'

interface Sent {
  readonly store: string
  readonly visitor: string | null
  readonly queries: readonly Record<string, unknown>[]
}

/** A service that answers every query with `answer`, and records the requests. */
function service(answer: (query: Record<string, unknown>) => object) {
  const sent: Sent[] = []
  const fetch = async (url: unknown, { headers, body }: RequestInit) => {
    const given = new Headers(headers)
    const asked = JSON.parse(body as string) as Record<string, unknown>
    const isOne = String(url).endsWith('/v1/search')
    const queries = isOne ? [asked] : (asked['queries'] as Sent['queries'])
    const visitor = given.get('x-user-id') ?? given.get('x-anon-id')
    sent.push({ store: given.get('x-storeid')!, visitor, queries })
    const results = queries.map(answer)
    if (!isOne) return Response.json({ results })
    return Response.json(results[0], { status: 'error' in results[0]! ? 400 : 200 })
  }
  return { sent, options: { url: 'http://127.0.0.1:9', fetch: fetch as typeof globalThis.fetch } }
}

const ANSWER = {
  found: 41,
  page: 2,
  per_page: 20,
  total_pages: 3,
  search_time_ms: 0.4,
  search_id: 's-1',
  cached: false,
  hits: [{ id: '7', document: { id: '7', title: 'Lamp' }, text_match_score: 5 }],
  facet_counts: [
    {
      field: 'price',
      counts: [{ value: '2.5', count: 3 }],
      total_values: 1,
      stats: { min: 1, max: 9, sum: 20, avg: 4 },
    },
  ],
  applied_rules: ['week'],
  metadata: {
    banner: { title: 'Week', image: '/a.webp', link: '/week' },
    banners: [{ title: 'Week', image: '/a.webp', link: '/week' }, 'plain'],
    redirect: { url: '/camping' },
    theme: 'winter',
  },
}

suite('the search client of InstantSearch', () => {
  test('answers everything that its widgets read', async () => {
    const client = instantSearchClient({
      ...service(() => ANSWER).options,
      stores: { lamps: 'rs' },
    })
    const request = { indexName: 'lamps', params: { query: 'lamp', facets: ['*'], page: 1 } }
    const { results } = await client.search([request])
    const banner = { title: 'Week', image: '/a.webp', link: '/week' }
    assert.deepEqual(results[0], {
      index: 'lamps',
      query: 'lamp',
      params: '',
      hits: [
        {
          id: '7',
          objectID: '7',
          title: 'Lamp',
          _highlightResult: { title: { value: 'Lamp', matchLevel: 'none', matchedWords: [] } },
          _rankingScore: 5,
        },
      ],
      nbHits: 41,
      page: 1,
      nbPages: 3,
      hitsPerPage: 20,
      processingTimeMS: 1,
      exhaustiveNbHits: true,
      exhaustiveFacetsCount: true,
      facets: { price: { '2.5': 3 } },
      facets_stats: { price: { min: 1, max: 9, sum: 20, avg: 4 } },
      queryID: 's-1',
      userData: [banner, 'plain', { theme: 'winter', redirect: '/camping' }],
      renderingContent: {
        facetOrdering: { facets: { order: ['price'] }, values: {} },
        redirect: { url: '/camping' },
        widgets: {
          banners: [
            { image: { urls: [{ url: '/a.webp' }], title: 'Week' }, link: { url: '/week' } },
          ],
        },
      },
      appliedRules: [{ objectID: 'week' }],
      aisle: {
        corrected_query: undefined,
        did_you_mean: undefined,
        interpretation: undefined,
        matched_terms: undefined,
        rewritten_query: undefined,
        metadata: ANSWER.metadata,
      },
    })
  })

  test('the order of facets and values that the store has is that of the widgets', async () => {
    const size = { sort: 'pinned', pin: ['S', 'M'], hide: ['XS'], limit: 5 }
    const facet_display = { order: ['size', 'price'], facets: { size, price: {} } }
    const { options } = service(() => ({ ...ANSWER, facet_display }))
    const client = instantSearchClient({ ...options, stores: { lamps: 'rs' } })
    for (const facets of [['*'], ['price']]) {
      const { results } = await client.search([{ indexName: 'lamps', params: { facets } }])
      assert.deepEqual(results[0]!.renderingContent.facetOrdering, {
        facets: { order: ['size', 'price'] },
        values: {
          size: { order: ['S', 'M'], sortRemainingBy: 'hidden', hide: ['XS'] },
          price: { order: [], sortRemainingBy: 'count', hide: [] },
        },
      })
    }
  })

  test('facet counts are sent together, at most ten and by store; searches are sent alone', async () => {
    const { sent, options } = service(({ q }) => ({ ...ANSWER, search_id: q }))
    const client = instantSearchClient({ ...options, stores: { lamps: 'rs', guides: 'rs' } })
    const names = Array.from({ length: 25 }, (_, i) => (i % 12 === 3 ? 'guides' : 'lamps'))
    const requests = names.map((indexName, i) => ({
      indexName,
      params: { query: `q${i}`, analytics: i === 1 ? undefined : false },
    }))
    const { results } = await client.search([...requests, requests[0]])
    assert.deepEqual(
      results.map(({ queryID }) => queryID),
      [...names.map((_, i) => `q${i}`), 'q0'],
    )
    assert.deepEqual(
      sent.map(({ store, queries }) => `${store} ${queries.length}`),
      ['lamps 1', 'lamps 10', 'lamps 10', 'lamps 2', 'guides 2'],
    )
  })

  test('searches values of a facet, in the form of either version of the helper', async () => {
    const counts = [{ value: 'A & B', count: 2, highlighted: 'A &amp; <mark>B</mark>' }]
    const { options } = service(() => ({
      ...ANSWER,
      facet_counts: [{ field: 'brand', counts, total_values: 1 }],
    }))
    const client = instantSearchClient({ ...options, stores: { lamps: 'rs' } })
    const facetHits = [{ value: 'A & B', count: 2, highlighted: 'A & <em>B</em>' }]
    const one = await client.searchForFacetValues([
      { indexName: 'lamps', params: { facetName: 'brand', facetQuery: 'b' } },
    ])
    assert.deepEqual(one[0]!.facetHits, facetHits)
    const { results } = await client.search<{ results: unknown[] }>([
      { type: 'facet', facet: 'brand', indexName: 'lamps', params: { facetQuery: 'b' } },
    ])
    assert.deepEqual((results[0] as { facetHits: unknown }).facetHits, facetHits)
  })

  test('identifies the visitor by the token, unless the page does', async () => {
    const { sent, options } = service(() => ANSWER)
    const search = (userToken: string, more = {}) =>
      instantSearchClient({ ...options, ...more, stores: { lamps: 'rs' } }).search([
        { indexName: 'lamps', params: { userToken } },
      ])
    await search('anonymous-1')
    await search('u-1')
    await search('u-1', { visitor: () => ({ anonymousId: 'own' }) })
    assert.deepEqual(
      sent.map(({ visitor }) => visitor),
      ['anonymous-1', 'u-1', 'own'],
    )
  })

  test('gives no visitor what was asked for another at the same time', async () => {
    const { sent, options } = service(() => ANSWER)
    let anonymousId = 'ada'
    const client = instantSearchClient({
      ...options,
      stores: { lamps: 'rs' },
      visitor: () => ({ anonymousId }),
    })
    const ask = () => client.search([{ indexName: 'lamps', params: { query: 'lamp' } }])
    const first = ask()
    await Promise.resolve()
    anonymousId = 'bob'
    await Promise.all([first, ask()])
    assert.deepEqual(
      sent.map(({ visitor }) => visitor),
      ['ada', 'bob'],
    )
  })

  test('later pages have the taste of the first', async () => {
    const personalized = { as_of: 1_764_000_000_000, lifts: [] }
    const { sent, options } = service(() => ({ ...ANSWER, personalized }))
    const client = instantSearchClient({ ...options, stores: { lamps: 'rs' } })
    for (const [query, page] of [
      ['lamp', 0],
      ['lamp', 1],
      ['tent', 1],
    ] as const) {
      await client.search([{ indexName: 'lamps', params: { query, page } }])
    }
    assert.deepEqual(
      sent.map(({ queries }) => queries[0]!['personalize_as_of']),
      [undefined, 1_764_000_000_000, undefined],
    )
  })

  test('reports the results on the page, without answers that newer ones have overtaken', async (t) => {
    Object.assign(globalThis, { document: {} })
    t.after(() => Reflect.deleteProperty(globalThis, 'document'))
    const { options } = service(({ q }) =>
      q === 'nothing' ? { ...ANSWER, hits: [] } : { ...ANSWER, search_id: `s-${String(q)}` },
    )
    const slow = Promise.withResolvers<void>()
    const fetch: typeof globalThis.fetch = async (url, init) => {
      if ((init!.body as string).includes('slow')) await slow.promise
      return options.fetch(url, init)
    }
    const shown: string[][] = []
    const client = instantSearchClient({
      ...options,
      fetch,
      stores: { lamps: 'rs' },
      events: {
        visitor: () => ({}),
        shown: (...lists) => void shown.push(lists.map(({ search_id }) => search_id)),
      },
    })
    const search = (query: string) => client.search([{ indexName: 'lamps', params: { query } }])
    const overtaken = search('slow')
    await search('wall')
    slow.resolve()
    await overtaken
    await search('nothing')
    assert.deepEqual(shown, [['s-wall'], []])
  })

  test('an error of one query fails the search, with its code', async () => {
    const error = { error: 'no such field', code: 'unknown_field', status: 400, param: 'sort_by' }
    const { options } = service(({ q }) => (q === 'bad' ? error : ANSWER))
    const client = instantSearchClient({ ...options, stores: { lamps: 'rs' } })
    const requests = ['good', 'bad'].map((query) => ({ indexName: 'lamps', params: { query } }))
    await assert.rejects(client.search(requests), { name: 'RefusedError', code: 'unknown_field' })
    await assert.rejects(
      client.search([{ indexName: 'shoes' }]),
      /No store for index "shoes".*lamps/,
    )
    await assert.rejects(
      client.getRecommendations([{ indexName: 'lamps', model: 'trending-facets' }]),
      /model "trending-facets" is not supported/,
    )
  })

  test('fields of another store are left out, once they are known', async () => {
    const refused = { error: 'Field `x` is not in the schema.', code: 'unknown_field', status: 400 }
    const { sent, options } = service((query) =>
      JSON.stringify(query).includes('`x`') ? refused : ANSWER,
    )
    const client = instantSearchClient({ ...options, stores: { lamps: 'rs' } })
    const params = { facets: ['x', 'brand'], facetFilters: [['x:1', 'brand:A']] }
    for (const page of [0, 1]) {
      await client.search([{ indexName: 'lamps', params: { ...params, page } }])
    }
    const filters = sent.map(({ queries }) => queries.map((query) => query['filter_by']))
    assert.deepEqual(filters, [
      ['(`x`:=`1` || `brand`:=`A`)'],
      ['`x`:exists', '`brand`:exists'],
      ['`brand`:=`A`'],
      ['`brand`:=`A`'],
    ])
    assert.deepEqual(sent.at(-1)!.queries[0]!['facet_by'], ['`brand`'])
    await client.search([{ indexName: 'lamps', params: { numericFilters: ['x>5'] } }])
    assert.equal(sent.at(-1)!.queries[0]!['filter_by'], '(id:=`a` && id:=`b`)')
  })

  const refusals: readonly [params: object, param: string, message: string, told: string][] = [
    [
      { filters: 'a:1', numericFilters: ['price=x'], insidePolygon: '1,2,3,4,5,6' },
      'filter_by',
      'filter_by, column 22: field `price` is float: expected a number.',
      'numericFilters "price=x": field `price` is float: expected a number.',
    ],
    [
      { filters: 'price:>x', facetFilters: ['a:1'] },
      'filter_by',
      'filter_by, column 9: expected a number.',
      'filters: expected a number.',
    ],
    [
      { facetFilters: [['a:1', 'b:2']], aroundLatLng: '1,2', aroundRadius: 5 },
      'filter_by',
      'filter_by, column 33: not this place.',
      'aroundLatLng: not this place.',
    ],
    [
      { facets: ['brand'] },
      'facet_by[0]',
      'facet_by[0], column 1: field `brand` is not declared with `facet`.',
      'facets: field `brand` is not declared with `facet`.',
    ],
    [
      { hitsPerPage: 999 },
      'per_page',
      'Parameter `per_page` must be an integer from 0 to 250, received 999',
      'hitsPerPage: must be an integer from 0 to 250, received 999',
    ],
    [{ min_relevance: 5 }, 'min_relevance', 'too much', 'too much'],
    [{ sort_by: 'x' }, 'sort_by', 'sort_by, column 1: no', 'sort_by, column 1: no'],
  ]
  for (const [params, param, error, told] of refusals) {
    test(`an error names the parameter of InstantSearch: ${told}`, async () => {
      const code = 'invalid_parameter'
      const { options } = service(() => ({ error, code, status: 400, param, request_id: 'r' }))
      const client = instantSearchClient({ ...options, stores: { lamps: 'rs' } })
      const expected = { name: 'RefusedError', message: told, code, status: 400, requestId: 'r' }
      await assert.rejects(client.search([{ indexName: 'lamps', params }]), expected)
    })
  }

  test('fields such as `specs.*` are looked up as search fields', async () => {
    const refused = { error: 'Field `x` is not in the schema.', code: 'unknown_field', status: 400 }
    const { sent, options } = service((query) => {
      const { search_fields: fields = [], filter_by: filter } = query
      const isKnown = !(fields as string[]).some((field) => ['x', 'y.*'].includes(field))
      return isKnown && filter === undefined ? ANSWER : refused
    })
    const client = instantSearchClient({ ...options, stores: { lamps: 'rs' }, onWarning: () => {} })
    const params = { restrictSearchableAttributes: ['title.*', 'x', 'y.*'] }
    await client.search([{ indexName: 'lamps', params }])
    assert.deepEqual(sent.at(-1)!.queries[0]!['search_fields'], ['title.*'])
  })

  test('groups of distinct: nbHits is their number', async () => {
    const { options } = service(() => ({ ...ANSWER, found_groups: 12 }))
    const client = instantSearchClient({ ...options, stores: { lamps: 'rs' } })
    const { results } = await client.search([{ indexName: 'lamps', params: { distinct: true } }])
    assert.equal(results[0]!.nbHits, 12)
  })

  test('without `onWarning`, console.warn gets each warning once', async (t) => {
    const { mock } = t.mock.method(console, 'warn', () => {})
    const { options } = service(() => ({ ...ANSWER, warnings: ['Field `x` is ignored'] }))
    const client = instantSearchClient({ ...options, stores: { lamps: 'rs' } })
    for (const query of ['a', 'b']) {
      await client.search([{ indexName: 'lamps', params: { query, distinct: 2 } }])
    }
    assert.deepEqual(
      mock.calls.map((call) => call.arguments),
      [['the number of distinct has no effect'], ['Field `x` is ignored']],
    )
  })

  test('warns once about what has no effect', async () => {
    const { options } = service(() => ({ ...ANSWER, warnings: ['Field `x` is ignored'] }))
    const warnings: string[] = []
    const onWarning = (warning: string) => void warnings.push(warning)
    const client = instantSearchClient({ ...options, stores: { lamps: 'rs' }, onWarning })
    const request = { indexName: 'lamps', params: { offset: 3 } }
    await client.search([request, request])
    assert.deepEqual(warnings, ['offset has no effect', 'Field `x` is ignored'])
  })
})

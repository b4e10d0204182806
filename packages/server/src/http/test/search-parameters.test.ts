import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { FiltersRequest, SearchParameters } from '@aisle/contract'
import { HAS_VECTORS } from '@aisle/testing'
import { createTestApp, fillStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('outdoor')
await fillStore(testApp, store)
await testApp.call({
  method: 'POST',
  url: `/api/v1/stores/${store.id}/schema`,
  headers: store.write,
  body: { fields: [{ name: 'meaning', type: 'vector', dimensions: 8 }] },
})
for (const [path, body] of [
  ['presets/cheap', { value: { filter_by: 'price:<100' } }],
  ['synonym-sets/shoes', { items: [{ synonyms: ['shoe', 'sneaker'] }] }],
  ['stopword-sets/little', { stopwords: ['red'] }],
] as const) {
  const url = `/api/v1/stores/${store.id}/${path}`
  const answer = await testApp.call({ method: 'PUT', url, headers: store.write, body })
  assert.ok(answer.statusCode < 300, answer.body)
}

interface Example {
  /** A valid value; it is combined with `q: "red shoe"` and the others. */
  readonly good: unknown
  readonly others?: object
  /**
   * An invalid value, its error code, and the place of the error if it is not the parameter itself.
   */
  readonly bad: unknown
  readonly code?: string
  readonly param?: string
}

const listOf = (param: string) => ({ bad: [''], param: `${param}[0]` })

/** All parameters of a search. A new one must be added here. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  q: { good: 'trail shoe', bad: 7 },
  per_page: { good: 2, bad: 251 },
  page: { good: 2, others: { per_page: 1 }, bad: 0 },
  return_fields: { good: ['title', 'price'], bad: 7 },
  omit_fields: { good: ['title', 'price'], bad: [['title']], param: 'omit_fields[0]' },
  search_fields: {
    good: ['title'],
    bad: ['nope'],
    code: 'unknown_field',
    param: 'search_fields[0]',
  },
  field_weights: {
    good: { title: 3, tags: 1 },
    bad: { title: -1 },
    param: 'field_weights.title',
  },
  filter_by: { good: 'brand:=Fells && price:[10..95]', bad: 'price:<', code: 'invalid_filter' },
  filters: {
    good: { price: { min: 50, max: 100 }, brand: ['Fells', 'Norrby'] },
    bad: { prise: 5 },
    code: 'unknown_field',
    param: 'filters.prise',
  },
  time_zone: { good: 'Europe/Berlin', bad: 'Mars/Olympus' },
  facet_by: {
    good: 'brand(limit:1),price(a:[0,90],b:[90,])',
    bad: 'brand(',
    code: 'invalid_facet',
  },
  facet_query: {
    good: 'brand:fe',
    others: { facet_by: 'brand' },
    bad: 'nope:x',
    code: 'unknown_field',
  },
  facet_mode: {
    good: 'disjunctive',
    others: { facet_by: 'brand', filter_by: 'brand:=Fells' },
    bad: 'both',
  },
  max_values: { good: 1, others: { facet_by: 'brand' }, bad: -1 },
  sort_by: {
    good: ['price:desc', '_text_match'],
    bad: 'title:asc',
    code: 'field_not_sortable',
  },
  vector: {
    good: { field: 'meaning', values: [1, 0, 0, 0, 0, 0, 0, 1], weight: 0.5 },
    bad: { field: 'meaning', values: [1] },
    param: 'vector.values',
  },
  semantic: { good: 'off', bad: 'maybe' },
  semantic_weight: { good: 0.5, bad: 1.5 },
  personalize: { good: false, bad: 'perhaps' },
  personalize_as_of: { good: 1_764_000_000_000, bad: -1 },
  group_by: {
    good: ['brand'],
    bad: ['nope'],
    code: 'unknown_field',
    param: 'group_by[0]',
  },
  group_limit: { good: 1, others: { group_by: 'sold_out' }, bad: 0 },
  group_missing: { good: 'apart', others: { group_by: 'brand' }, bad: 'away' },
  facet_count: { good: 'groups', others: { group_by: 'brand', facet_by: 'tags' }, bad: 'hits' },
  highlight: { good: false, bad: 'perhaps' },
  highlight_escape: { good: false, others: { q: 'stove' }, bad: 'perhaps' },
  highlight_prefix: { good: '[', others: { highlight: true }, bad: 'x'.repeat(1_000) },
  highlight_suffix: { good: ']', others: { highlight: true }, bad: 7 },
  hit_format: { good: 'flat', bad: 'round' },
  include_snippets: { good: true, bad: 'perhaps' },
  snippet_fields: {
    good: ['title'],
    others: { include_snippets: true },
    bad: ['nope'],
    code: 'unknown_field',
    param: 'snippet_fields[0]',
  },
  full_snippet_fields: {
    good: ['title'],
    others: { include_snippets: true },
    bad: ['nope'],
    code: 'unknown_field',
    param: 'full_snippet_fields[0]',
  },
  snippet_prefix: { good: '[', others: { include_snippets: true }, bad: 'x'.repeat(1_000) },
  snippet_suffix: { good: ']', others: { include_snippets: true }, bad: 'x'.repeat(1_000) },
  snippet_token_limit: { good: 1, others: { include_snippets: true }, bad: 0 },
  typo_max: { good: 0, others: { q: 'shoo' }, bad: 3 },
  typo_min_len_1: { good: 9, others: { q: 'jackt' }, bad: 0 },
  typo_min_len_2: { good: 4, others: { q: 'jakt' }, bad: 0 },
  typo_numbers: { good: true, bad: 'perhaps' },
  prefix_mode: { good: 'off', others: { q: 'ja' }, bad: 'sometimes' },
  infix_mode: { good: 'always', others: { q: 'acke' }, bad: 'sometimes' },
  require_all_terms: { good: true, bad: 'perhaps' },
  min_relevance: { good: 0.9, others: { q: 'red trail shoe' }, bad: 1.01 },
  exact_match_boost: { good: false, bad: 'perhaps' },
  explain: { good: true, bad: 'perhaps' },
  widget_mode: { good: true, bad: 'perhaps' },
  include_suggestions: { good: true, others: { q: 'tr' }, bad: 'perhaps' },
  preset_name: { good: 'cheap', bad: 'nope', code: 'unknown_preset' },
  cache_results: { good: true, bad: 'perhaps' },
  interpret: { good: 'apply', others: { q: 'fells shoe under 95' }, bad: 'perhaps' },
  interpret_except: {
    good: ['fells'],
    others: { q: 'fells shoe', interpret: true },
    ...listOf('interpret_except'),
  },
  apply_rules: { good: false, bad: 'perhaps' },
  rule_contexts: { good: ['summer', 'app'], ...listOf('rule_contexts') },
  analytics_tags: { good: ['app', 'beta'], ...listOf('analytics_tags') },
  analytics: { good: false, bad: 'perhaps' },
  stopwords: { good: false, others: { q: 'the red shoe' }, bad: 'perhaps' },
  stopword_sets: {
    good: ['little'],
    bad: ['nope'],
    code: 'unknown_set',
    param: 'stopword_sets[0]',
  },
  synonym_sets: {
    good: ['shoes'],
    others: { q: 'sneaker' },
    bad: ['nope'],
    code: 'unknown_set',
    param: 'synonym_sets[0]',
  },
  search_timeout_ms: { good: 60_000, bad: 0 },
}

const post = (body: object) =>
  testApp.call({ method: 'POST', url: '/v1/search', headers: store.read, body })

/**
 * The same as URL parameters: lists of names with commas; objects, and lists that contain commas,
 * as JSON.
 */
function get(body: object) {
  const parameters = Object.entries(body).map(([name, value]): [string, string] => {
    if (Array.isArray(value) && name !== 'sort_by') return [name, value.join(',')]
    return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]
  })
  const url = `/v1/search?${new URLSearchParams(parameters).toString()}`
  return testApp.call({ url, headers: store.read })
}

/** Removes what differs from one search to the next. */
function lasting(answer: { json(): Record<string, unknown> }): object {
  const { request_id: _, search_id: __, search_time_ms: ___, cached: ____, ...rest } = answer.json()
  return rest
}

suite('every parameter of a search', () => {
  test('has an example', () => {
    assert.deepEqual(Object.keys(EXAMPLES), Object.keys(SearchParameters.properties))
  })

  for (const [name, { good, others, bad, code, param }] of Object.entries(EXAMPLES)) {
    if (name === 'vector' && !HAS_VECTORS) {
      test('vector', { skip: 'NOT RUN: this cluster runs no scripts' })
      continue
    }
    test(`${name}: the same by GET and by POST`, async () => {
      const body = { q: 'red shoe', ...others, [name]: good }
      const [byPost, byGet] = [await post(body), await get(body)]
      assert.equal(byPost.statusCode, 200, byPost.body)
      assert.deepEqual(lasting(byGet), lasting(byPost))
    })

    if (name !== 'q') {
      test(`${name}: null is absent, by GET and by POST`, async () => {
        const body = { q: 'red shoe', ...others }
        const plain = lasting(await post(body))
        assert.deepEqual(lasting(await post({ ...body, [name]: null })), plain)
        // In a URL, a text is never parsed.
        const isText = SearchParameters.properties[name as 'filter_by'].type === 'string'
        if (!isText) assert.deepEqual(lasting(await get({ ...body, [name]: null })), plain)
      })
    }

    test(`${name}: a bad value is named`, async () => {
      const answer = await post({ q: 'red shoe', ...others, [name]: bad })
      assert.equal(answer.statusCode, 400, answer.body)
      const error = answer.json()
      assert.equal(error.code, code ?? 'invalid_parameter')
      assert.equal(error.param, param ?? name)
    })
  }
})

suite('null', () => {
  const nulls = Object.fromEntries(Object.keys(EXAMPLES).map((name) => [name, null]))

  test('leaves what the preset says', async () => {
    const plain = lasting(await post({ q: 'red shoe', preset_name: 'cheap' }))
    const sent = { ...nulls, q: 'red shoe', preset_name: 'cheap' }
    assert.deepEqual(lasting(await post(sent)), plain)
  })

  test('is absent in a multi-search and in the filters of a query', async () => {
    const call = async (url: string, body: object) => {
      const answer = await testApp.call({ method: 'POST', url, headers: store.read, body })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer
    }
    const { results } = (await call('/v1/multi-search', { queries: [{ ...nulls, q: '*' }] })).json()
    assert.equal(results[0].found, 4)
    const plain = (await call('/v1/filters', {})).json()
    const known = Object.keys(FiltersRequest.properties).map((name) => [name, null])
    assert.deepEqual((await call('/v1/filters', Object.fromEntries(known))).json(), plain)
  })

  test('is not a query: that is not optional', async () => {
    const answer = await post({ q: null })
    assert.deepEqual([answer.json().code, answer.json().param], ['invalid_parameter', 'q'])
  })
})

test('an order that is too long is 400, wherever it is too long', async () => {
  for (const sortBy of [
    'a'.repeat(19_999),
    'a'.repeat(20_001),
    'price,'.repeat(3_000),
    'price:'.repeat(3_000),
    `_rand(${'9'.repeat(19_000)})`,
    `_eval(${'('.repeat(19_000)}`,
    `_eval(price:>1${' && price:>1'.repeat(1_500)})`,
    `price(missing:${'x'.repeat(15_000)})`,
    Array.from({ length: 501 }, () => 'price'),
    Array.from({ length: 9 }, () => 'price'),
  ]) {
    const answer = await post({ q: '*', sort_by: sortBy })
    assert.equal(answer.statusCode, 400, answer.body)
    assert.match(answer.json().param, /^sort_by/)
  }
})

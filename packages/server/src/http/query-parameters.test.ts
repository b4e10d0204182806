import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SearchParameters, type ApiError } from '@aisle/contract'
import { decodeQuery } from './query-parameters.ts'

const cases: readonly (readonly [Record<string, string | string[]>, Record<string, unknown>])[] = [
  [{ q: 'red shoe' }, { q: 'red shoe' }],
  [{ q: '123' }, { q: '123' }],
  [
    { per_page: '5', page: '2' },
    { per_page: 5, page: 2 },
  ],
  [{ per_page: '1e1' }, { per_page: 10 }],
  [{ per_page: 'ten' }, { per_page: 'ten' }],
  [{ per_page: '' }, { per_page: '' }],
  [{ per_page: ['1', '2'] }, { per_page: ['1', '2'] }],
  [
    { require_all_terms: 'true', highlight: '0' },
    { require_all_terms: true, highlight: false },
  ],
  [
    { require_all_terms: '1', highlight: 'false' },
    { require_all_terms: true, highlight: false },
  ],
  [{ require_all_terms: 'yes' }, { require_all_terms: 'yes' }],
  [{ require_all_terms: 'auto' }, { require_all_terms: 'auto' }],
  [{ return_fields: 'title, brand' }, { return_fields: ['title', 'brand'] }],
  [{ return_fields: ['title', 'brand'] }, { return_fields: ['title', 'brand'] }],
  [{ return_fields: '["title","brand"]' }, { return_fields: ['title', 'brand'] }],
  [{ return_fields: '' }, { return_fields: [] }],
  [{ facet_by: 'a,b(limit:2)' }, { facet_by: 'a,b(limit:2)' }],
  [{ facet_by: ['a', 'b'] }, { facet_by: ['a', 'b'] }],
  [{ field_weights: '{"title":3}' }, { field_weights: { title: 3 } }],
  [
    { filters: '{"price":{"min":9223372036854775807}}' },
    { filters: { price: { min: 9223372036854775807n } } },
  ],
  [{ other: 'x' }, { other: 'x' }],
  [
    { per_page: 'null', highlight: 'null', prefix_mode: 'null', filters: 'null', sort_by: 'null' },
    { per_page: null, highlight: null, prefix_mode: null, filters: null, sort_by: null },
  ],
  [{ return_fields: 'null' }, { return_fields: null }],
  [
    { q: 'null', filter_by: 'null' },
    { q: 'null', filter_by: 'null' },
  ],
]

for (const [query, expected] of cases) {
  test(`${JSON.stringify(query)} is read as the body of a POST would be`, () => {
    assert.deepEqual(decodeQuery(SearchParameters, query), expected)
  })
}

test('an object that is not JSON is an invalid parameter', () => {
  assert.throws(
    () => decodeQuery(SearchParameters, { filters: '{"price":' }),
    (error: ApiError) => error.code === 'invalid_parameter' && error.param === 'filters',
  )
})

test('a parameter called __proto__ is only a name', () => {
  const query = JSON.parse('{"__proto__":"x","q":"*"}') as Record<string, string>
  const decoded = decodeQuery(SearchParameters, query)
  assert.deepEqual(Object.keys(decoded), ['__proto__', 'q'])
  assert.equal(Object.getPrototypeOf(decoded), Object.prototype)
})

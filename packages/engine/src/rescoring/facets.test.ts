import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FacetRequest, FacetWord, SearchPlan } from '../query/plan.ts'
import { ordinalOf, shopIndex, shopPlan } from '../naive/index-for-test.ts'
import type { ShopDocument } from '../naive/index-for-test.ts'
import { listValues } from './facets.ts'

const index = shopIndex([
  { title: 'red', brand: 'nike', price: 2, sizes: [10, 9, 10], stock: 2n ** 53n + 1n, new: true },
  { title: 'red', brand: 'Nike', price: -0, sizes: [9], tags: ['T-Shirt', 'red shoe'] },
  { title: 'red', brand: 'nike', price: 10, sizes: [], stock: 2n ** 53n, new: false },
  { title: 'hat', brand: 'Puma', price: 0, tags: ['', 'shoe red'], new: true },
])

function facet(
  name: keyof ShopDocument,
  request: Partial<FacetRequest> = {},
  changes: Partial<SearchPlan> = {},
) {
  const field = ordinalOf(name)
  const facets = [{ field, limit: 100, order: 'count', stats: false, ...request } as const]
  const outcome = index.search(shopPlan('', { facets, ...changes })).facets[0]!
  assert.equal(outcome.field, field)
  const counts = outcome.counts.map(({ value, count }) => `${value}:${count}`)
  return { counts, totalValues: outcome.totalValues, stats: outcome.stats }
}

test('values are counted as written, most frequent first, then by code point', () => {
  assert.deepEqual(facet('brand').counts, ['nike:2', 'Nike:1', 'Puma:1'])
  assert.deepEqual(facet('brand', { order: 'value' }).counts, ['Nike:1', 'Puma:1', 'nike:2'])
})

test('without a facet query, no value is analysed', () => {
  const analyzer = { analyze: () => assert.fail('no words are compared') } as never
  const request = { field: 0, limit: 1, order: 'count', stats: false } as const
  const counted = [
    ['red', 1],
    ['blue', 2],
  ] as const
  const listed = listValues(request, counted, analyzer)
  assert.deepEqual(listed, { counts: [{ value: 'blue', count: 2 }], totalValues: 2 })
})

test('numbers are ordered by size, -0 is 0, false comes before true', () => {
  assert.deepEqual(facet('price', { order: 'value' }).counts, ['0:2', '2:1', '10:1'])
  assert.deepEqual(facet('stock').counts, ['9007199254740992:1', '9007199254740993:1'])
  assert.deepEqual(facet('new', { order: 'value' }).counts, ['false:1', 'true:2'])
})

test('a value that repeats in a document counts once', () => {
  assert.deepEqual(facet('sizes').counts, ['9:2', '10:1'])
})

test('the limit cuts the list but not the number of values', () => {
  const { counts, totalValues } = facet('brand', { limit: 1 })
  assert.deepEqual({ counts, totalValues }, { counts: ['nike:2'], totalValues: 3 })
  assert.equal(facet('brand', { limit: 0 }).totalValues, 3)
})

test('only matching documents count', () => {
  const filter = { kind: 'ids', ids: ['1', '4'] } as const
  assert.deepEqual(facet('brand', {}, { filter }).counts, ['Puma:1', 'nike:1'])
  assert.deepEqual(facet('brand', {}, { slots: shopPlan('hat').slots }).counts, ['Puma:1'])
})

test('a disjunctive facet ignores the filter on its own field', () => {
  const filter = {
    kind: 'and',
    nodes: [
      { kind: 'equals', field: ordinalOf('brand'), value: 'puma' },
      { kind: 'exists', field: ordinalOf('stock') },
    ],
  } as const
  assert.deepEqual(facet('brand', {}, { filter }).counts, [])
  assert.deepEqual(facet('brand', {}, { filter, disjunctiveFacets: true }).counts, ['nike:2'])
  assert.deepEqual(facet('stock', {}, { filter, disjunctiveFacets: true }).counts, [])
})

test('ranges are listed as given, with the low end inclusive and the high end exclusive', () => {
  const ranges = [
    { name: 'high', low: 10 },
    { name: 'none', low: 3, high: 10 },
    { name: 'low', high: 10 },
  ]
  const { counts, totalValues } = facet('price', { ranges, limit: 1, query: words('1') })
  assert.deepEqual(counts, ['high:1', 'none:0', 'low:3'])
  assert.equal(totalValues, 3)
  assert.deepEqual(facet('sizes', { ranges: [{ name: 'all', low: 9 }] }).counts, ['all:2'])
})

test('the facet query needs its words in one value, the last one as a prefix', () => {
  assert.deepEqual(facet('tags', { query: words('red', 'sh') }).counts, [
    'red shoe:1',
    'shoe red:1',
  ])
  assert.deepEqual(facet('tags', { query: words('shoe', 'red') }).counts.toSorted(), [
    'red shoe:1',
    'shoe red:1',
  ])
  assert.deepEqual(facet('tags', { query: words('sho', 'red') }).counts, [])
  assert.deepEqual(facet('tags', { query: words('tsh') }).counts, ['T-Shirt:1'])
  assert.equal(facet('tags', { query: words('red', 'sh'), limit: 0 }).totalValues, 2)
  assert.deepEqual(facet('price', { query: words('1') }).counts, ['10:1'])
})

test('the facet query tolerates typos only if no value has the words as typed', () => {
  const typed = (text: string, edits: 0 | 1 | 2) =>
    facet('brand', { query: text.split(' ').map((form) => ({ form, edits })) }).counts
  assert.deepEqual(typed('nkie', 1), ['nike:2', 'Nike:1'])
  assert.deepEqual(typed('nkie', 0), [])
  assert.deepEqual(typed('puam', 2), ['Puma:1'])
  // All are one edit away; "nike" exists as typed.
  assert.deepEqual(typed('nike', 2), ['nike:2', 'Nike:1'])
  const tags = (text: string) =>
    facet('tags', { query: text.split(' ').map((form) => ({ form, edits: 1 })) }).counts
  assert.deepEqual(tags('shoe rde'), ['red shoe:1', 'shoe red:1'])
  assert.deepEqual(tags('shrit'), ['T-Shirt:1'])
  // An unfinished word with a typo.
  assert.deepEqual(tags('shri'), ['T-Shirt:1'])
})

test('stats cover all values of matching documents', () => {
  assert.deepEqual(facet('price', { stats: true }).stats, { min: 0, max: 10, sum: 12, avg: 3 })
  assert.deepEqual(facet('sizes', { stats: true, query: words('10') }).stats, {
    min: 9,
    max: 10,
    sum: 28,
    avg: 28 / 3,
  })
  assert.deepEqual(facet('stock', { stats: true }).stats, {
    min: 2n ** 53n,
    max: 2n ** 53n + 1n,
    sum: 2n ** 54n + 1n,
    avg: 2 ** 53,
  })
  assert.equal(facet('brand', { stats: true }).stats, undefined)
  assert.equal(
    facet('stock', { stats: true }, { filter: { kind: 'ids', ids: ['4'] } }).stats,
    undefined,
  )
})

function words(...forms: string[]): FacetWord[] {
  return forms.map((form) => ({ form, edits: 0 }))
}

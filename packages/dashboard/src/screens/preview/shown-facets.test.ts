import assert from 'node:assert/strict'
import test from 'node:test'
import { shownFacets } from './shown-facets.ts'

test('facets of a preview are those that visitors see, in their order', () => {
  const facets = {
    sku: [{ value: 'a', count: 1 }],
    brand: [
      { value: 'Fells', count: 3 },
      { value: 'Norrby', count: 2 },
    ],
    price: { min: 1, max: 2, avg: 1.5, sum: 3 },
  }
  const facet_display = { order: ['price', 'brand'], facets: { brand: { pin: ['Norrby'] } } }
  const shown = shownFacets(facets, facet_display)
  assert.deepEqual(Object.keys(shown), ['price', 'brand'])
  assert.deepEqual(shown['brand'], facets.brand.toReversed())
  assert.equal(shown['price'], facets.price)
  assert.equal(shownFacets(facets, undefined), facets)
})

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { appliedFilters, withRange, withValue } from './facet-filters.ts'

suite('filters of the facets', () => {
  test('a value is added, taken away, and the last one takes the filter with it', () => {
    const one = withValue({}, 'brand', 'Norrby')
    assert.deepEqual(one, { brand: ['Norrby'] })
    const two = withValue(one!, 'brand', 'Fells')
    assert.deepEqual(two, { brand: ['Norrby', 'Fells'] })
    assert.deepEqual(withValue(two!, 'brand', 'Norrby'), { brand: ['Fells'] })
    assert.equal(withValue(one!, 'brand', 'Norrby'), undefined)
  })

  test('a range has the ends that are set', () => {
    assert.deepEqual(withRange({ brand: ['A'] }, 'price', { min: 10 }), {
      brand: ['A'],
      price: { min: 10 },
    })
    assert.equal(withRange({ price: { min: 10 } }, 'price', {}), undefined)
  })

  test('each condition can be taken away by itself', () => {
    const applied = appliedFilters({ brand: ['A', 'B'], price: { min: 1, max: 5 }, in_stock: true })
    assert.deepEqual(
      applied.map(({ text }) => text),
      ['brand: A', 'brand: B', 'price: from 1, to 5', 'in_stock: true'],
    )
    assert.deepEqual(applied[0]!.without(), {
      price: { min: 1, max: 5 },
      in_stock: true,
      brand: ['B'],
    })
    assert.deepEqual(applied[3]!.without(), { brand: ['A', 'B'], price: { min: 1, max: 5 } })
  })
})

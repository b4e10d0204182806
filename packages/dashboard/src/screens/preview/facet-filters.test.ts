import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { appliedFilters, chosenSpans, withRange, withSpan, withValue } from './facet-filters.ts'

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

  test('times are ranges, so that a filter means what was counted', () => {
    const march = { from: '2026-03-01T00:00:00+01:00', to: '2026-04-01T00:00:00+02:00' }
    const april = { from: march.to, to: '2026-05-01T00:00:00+02:00' }
    const one = withSpan({}, 'created', march)
    assert.deepEqual(one, { created: [{ gte: march.from, lt: march.to }] })
    const two = withSpan(one!, 'created', april)!
    assert.deepEqual(chosenSpans(two, 'created'), [march, april])
    assert.deepEqual(
      appliedFilters(two).map(({ text }) => text),
      ['created: March 2026', 'created: April 2026'],
    )
    assert.deepEqual(appliedFilters(two)[1]!.without(), one)
    assert.equal(withSpan(one!, 'created', march), undefined)
  })

  test('each condition can be removed on its own', () => {
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

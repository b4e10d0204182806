import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { FacetDisplay } from '@aisle/contract'
import { generatedRuns } from '@aisle/testing'
import fc from 'fast-check'
import {
  arrangement,
  displayPatch,
  displayWords,
  withFacetAt,
  withFacetHidden,
  withFacetValues,
  withValue,
} from './facet-arrangement.ts'

const NAMES = ['brand', 'size', 'price', 'sku']
const shown = (display: FacetDisplay): string =>
  arrangement(display, NAMES)
    .map(({ name, isHidden }) => (isHidden ? `(${name})` : name))
    .join(' ')

suite('facets being arranged', () => {
  test('a moved facet is where it was put, and the others keep their order', () => {
    assert.equal(shown({}), 'brand size price sku')
    const first = withFacetAt({}, NAMES, 'price', 0)
    assert.deepEqual(first, { order: ['price', 'brand', 'size', 'sku'] })
    assert.equal(shown(withFacetAt(first, NAMES, 'price', 2)), 'brand size price sku')
    assert.equal(shown(withFacetAt(first, NAMES, 'brand', 9)), 'price size sku brand')
  })

  test('a hidden facet is last, and without a place', () => {
    const hidden = withFacetHidden({ order: ['sku', 'brand'] }, 'sku', true)
    assert.deepEqual(hidden, { order: ['brand'], hide: ['sku'] })
    assert.equal(shown(hidden), 'brand size price (sku)')
    assert.deepEqual(withFacetHidden(hidden, 'sku', false), { order: ['brand'] })
    assert.equal(shown({ order: ['gone', 'size'] }), 'size brand price sku')
  })

  test('a value is pinned, hidden or neither; what says nothing is left out', () => {
    const pinned = withValue(withValue({}, 'S', 'pin'), 'M', 'pin')
    assert.deepEqual(pinned, { pin: ['S', 'M'] })
    const hidden = withValue(pinned, 'S', 'hide')
    assert.deepEqual(hidden, { pin: ['M'], hide: ['S'] })
    const only = withValue({ sort: 'pinned', pin: ['M'] }, 'M', undefined)
    assert.deepEqual(only, {})
    const display = withFacetValues({}, 'size', { limit: 5 })
    assert.deepEqual(display, { facets: { size: { limit: 5 } } })
    assert.deepEqual(withFacetValues(display, 'size', {}), {})
  })

  test('a patch makes one display of another', () => {
    const names = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 })
    const values = fc.record(
      { sort: fc.constant('alpha' as const), pin: names, limit: fc.integer({ min: 1, max: 9 }) },
      { requiredKeys: [], noNullPrototype: true },
    )
    const display = fc.record(
      {
        order: names,
        hide: names,
        facets: fc.dictionary(fc.constantFrom(...NAMES), values, { noNullPrototype: true }),
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    fc.assert(
      fc.property(display, display, (before, after) => {
        const patch = displayPatch(before, after)
        assert.deepEqual(patch === null ? {} : merged(before, patch), after)
      }),
      { numRuns: generatedRuns(500) },
    )
  })

  test('a display has a text', () => {
    const display = { order: ['a', 'b', 'c', 'd'], hide: ['e'], facets: { a: {} } }
    assert.equal(displayWords(display), 'a, b, c first; e hidden; values of a arranged')
    assert.equal(displayWords({}), '')
  })
})

/** RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const own = typeof target === 'object' && target !== null ? target : {}
  const result = new Map(Object.entries(own))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name)
    else result.set(name, merged(result.get(name), value))
  }
  return Object.fromEntries(result)
}

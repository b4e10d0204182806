import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FACET_DISPLAY_MAX_BYTES, type FacetDisplay } from '@aisle/contract'
import { generatedRuns } from '@aisle/testing'
import fc from 'fast-check'
import { refusal, shopSchema } from '../plan/plan-fixture.ts'
import { checkFacetDisplay, firstOfEach, shownFacets } from './facet-display.ts'

const NAMES = ['brand', 'tags', 'price', 'stock', 'in_stock']
const names = fc.uniqueArray(fc.constantFrom(...NAMES))
const values = fc.record(
  {
    sort: fc.constantFrom('count' as const, 'alpha' as const),
    pin: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
  },
  { requiredKeys: [] },
)
const display: fc.Arbitrary<FacetDisplay> = fc.record(
  { order: names, hide: names, facets: fc.dictionary(fc.constantFrom(...NAMES), values) },
  { requiredKeys: [] },
)

suite('the facets of an answer', () => {
  test('are those it has, ordered ones first, without hidden ones', () => {
    fc.assert(
      fc.property(display, names, (one, present) => {
        const { order, facets } = shownFacets(one, present)
        const isHidden = (name: string) => one.hide?.includes(name) === true
        const rank = (name: string): number => {
          const at = one.order?.indexOf(name) ?? -1
          return at < 0 ? NAMES.length + present.indexOf(name) : at
        }
        const naive = present
          .filter((name) => !isHidden(name))
          .toSorted((a, b) => rank(a) - rank(b))
        assert.deepEqual(order, naive)
        for (const name of NAMES) {
          assert.deepEqual(facets[name], order.includes(name) ? one.facets?.[name] : undefined)
        }
      }),
      { numRuns: generatedRuns(1_000) },
    )
  })

  test('the first display with an order, with hidden facets, with a facet, holds for each', () => {
    fc.assert(
      fc.property(fc.array(display, { maxLength: 4 }), (all) => {
        const first = firstOfEach(all)
        assert.deepEqual(first?.order, all.find((one) => one.order !== undefined)?.order)
        assert.deepEqual(first?.hide, all.find((one) => one.hide !== undefined)?.hide)
        for (const name of NAMES) {
          const own = all.find((one) => one.facets !== undefined && Object.hasOwn(one.facets, name))
          assert.deepEqual(first?.facets?.[name], own?.facets?.[name])
        }
      }),
      { numRuns: generatedRuns(1_000) },
    )
    assert.equal(firstOfEach([]), undefined)
  })
})

test('a display that does not suit the schema, or contradicts itself, is refused', () => {
  const many = Array.from({ length: 200 }, (_, i) => `${'x'.repeat(495)}${i}`)
  const table: readonly (readonly [
    FacetDisplay,
    string,
    'unknown_field' | 'field_not_facetable' | 'invalid_parameter',
  ])[] = [
    [{ order: ['brand', 'colour'] }, 'order[1]', 'unknown_field'],
    [{ hide: ['title'] }, 'hide[0]', 'field_not_facetable'],
    [{ facets: { title: {} } }, 'facets.title', 'field_not_facetable'],
    [{ facets: { nope: {} } }, 'facets.nope', 'unknown_field'],
    [{ order: ['brand', 'tags', 'brand'] }, 'order[2]', 'invalid_parameter'],
    [{ order: ['brand'], hide: ['brand'] }, 'hide[0]', 'invalid_parameter'],
    [{ facets: { brand: { pin: ['a', 'a'] } } }, 'facets.brand.pin[1]', 'invalid_parameter'],
    [
      { facets: { brand: { pin: ['a'], hide: ['a'] } } },
      'facets.brand.hide[0]',
      'invalid_parameter',
    ],
    [{ facets: { brand: { sort: 'pinned' } } }, 'facets.brand.pin', 'invalid_parameter'],
    [{ facets: { brand: { pin: many }, tags: { pin: many } } }, '', 'invalid_parameter'],
  ]
  for (const [one, param, code] of table) {
    const error = refusal(() => checkFacetDisplay(one, shopSchema), code)
    assert.equal(error.param, param === '' ? 'facet_display' : `facet_display.${param}`)
  }
  assert.ok(JSON.stringify(many).length * 2 > FACET_DISPLAY_MAX_BYTES)
  checkFacetDisplay(
    { order: ['price', 'brand'], facets: { brand: { sort: 'pinned', pin: ['a'] }, stock: {} } },
    shopSchema,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FacetValueDisplay } from '@aisle/contract'
import { generatedRuns } from '@aisle/testing'
import fc from 'fast-check'
import { arrangedFacets, arrangedValues } from './arranged-facets.ts'

const counts = [
  { value: 'M', count: 9 },
  { value: '10', count: 7 },
  { value: 'XS', count: 4 },
  { value: '9', count: 2 },
]
const shown = (display?: FacetValueDisplay) =>
  arrangedValues(counts, display)
    .map(({ value, count }) => `${value}:${count}`)
    .join(' ')

test('values are shown as the display says, with their counts', () => {
  const table: readonly (readonly [FacetValueDisplay | undefined, string])[] = [
    [undefined, 'M:9 10:7 XS:4 9:2'],
    [{}, 'M:9 10:7 XS:4 9:2'],
    [{ sort: 'alpha' }, '9:2 10:7 M:9 XS:4'],
    [{ sort: 'alpha', pin: ['XS', 'S'] }, 'XS:4 9:2 10:7 M:9'],
    [{ sort: 'pinned', pin: ['XS', 'M'] }, 'XS:4 M:9'],
    [{ hide: ['M'], limit: 2 }, '10:7 XS:4'],
    [{ pin: ['9'], hide: ['M', 'none'], limit: 1 }, '9:2'],
  ]
  for (const [display, values] of table) assert.equal(shown(display), values)
})

test('what is shown are different values of the answer: pinned ones first, hidden ones never', () => {
  const letters = fc.uniqueArray(fc.constantFrom(...'abcdefgh'))
  fc.assert(
    fc.property(
      letters,
      letters,
      letters,
      fc.constantFrom('count' as const, 'alpha' as const, 'pinned' as const, undefined),
      fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
      (values, pin, hidden, sort, limit) => {
        const hide = hidden.filter((one) => !pin.includes(one))
        const all = values.map((value, i) => ({ value, count: (i * 7) % 3 }))
        const display = { pin, hide, ...(sort && { sort }), ...(limit && { limit }) }
        const order = arrangedValues(all, display)
        const names = order.map(({ value }) => value)
        const naive = values
          .filter((one) => !hide.includes(one) && (sort !== 'pinned' || pin.includes(one)))
          .toSorted((a, b) => {
            const [ofA, ofB] = [a, b].map((one) => pin.indexOf(one) >>> 0) as [number, number]
            if (ofA !== ofB) return ofA - ofB
            const countOf = (one: string) => all.find(({ value }) => value === one)!.count
            if (sort === 'alpha') return a < b ? -1 : 1
            return sort === 'count' ? countOf(b) - countOf(a) : 0
          })
        assert.deepEqual(names, naive.slice(0, limit))
        assert.ok(order.every((one) => all.includes(one)))
      },
    ),
    { numRuns: generatedRuns(1_000) },
  )
})

test('facets are those of the display; without one, all of the answer', () => {
  const facet = (field: string) => ({ field, counts: [...counts], total_values: 4 })
  const facet_counts = [facet('brand'), facet('size'), facet('sku')]
  const display = { order: ['size', 'brand', 'gone'], facets: { size: { limit: 1 } } }
  const arranged = arrangedFacets({ facet_counts, facet_display: display })
  assert.deepEqual(
    arranged.map((one) => [one.field, one.counts.length]),
    [
      ['size', 1],
      ['brand', 4],
    ],
  )
  assert.equal(arrangedFacets({ facet_counts }), facet_counts)
  assert.deepEqual(arrangedFacets({}), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { facetDisplayOf } from './algolia-facet-display.ts'
import { migrate } from './migrate.ts'

const FACETS = ['brand', 'size', 'price']
const shown = (facetOrdering: unknown) =>
  facetDisplayOf({ facetOrdering }, (name) => (FACETS.includes(name) ? name : undefined))

test('an order of facets and values is that of facet_display', () => {
  const values = {
    size: { order: ['S', 'M', 'S'], sortRemainingBy: 'hidden' },
    brand: { order: [], sortRemainingBy: 'alpha', hide: ['Other', ''] },
    price: { sortRemainingBy: 'hidden' },
    gone: { order: ['x'] },
  }
  const facets = { order: ['size', 'gone', 'brand', 'size'], hide: ['price', 'size'] }
  assert.deepEqual(shown({ facets, values }), {
    order: ['size', 'brand'],
    hide: ['price'],
    facets: {
      size: { sort: 'pinned', pin: ['S', 'M'] },
      brand: { sort: 'alpha', hide: ['Other'] },
      price: {},
    },
  })
})

test('what orders no facet is left out', () => {
  for (const one of [undefined, null, 7, {}, { facets: { order: ['gone'] } }, { values: [] }]) {
    assert.equal(shown(one), undefined)
  }
})

test('an index and its rules bring theirs', () => {
  const ordering = { facetOrdering: { facets: { order: ['brand', 'gone'] } } }
  const rule = { objectID: 'r', consequence: { params: { renderingContent: ordering } } }
  const { configuration, notes } = migrate('algolia', {
    sample: [JSON.stringify({ objectID: '1', title: 'Lamp', brand: 'A' })],
    parts: {
      settings: {
        searchableAttributes: ['title'],
        attributesForFaceting: ['brand'],
        renderingContent: { ...ordering, widgets: {} },
      },
      rules: [rule],
    },
  })
  const display = { order: ['brand'] }
  assert.deepEqual(configuration.settings?.['facet_display'], display)
  assert.deepEqual(configuration.resources.get('rules')?.get('r')?.['facet_display'], display)
  const about = notes.filter(({ note }) => note.includes('widgets'))
  assert.equal(about.length, 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { propertyWarnings } from './property-warnings.ts'
import type { VisitorEvent } from '../model/visitor-event.ts'

const event = (name: string, properties: object): VisitorEvent => ({
  kind: 'event',
  source: 'canonical',
  name,
  messageId: '1',
  atMs: 0,
  receivedMs: 0,
  visitor: {},
  properties: properties as VisitorEvent['properties'],
})

test('an accepted event says which property the reports miss, and what was expected', () => {
  const cases: readonly (readonly [string, object, readonly string[]])[] = [
    ['Object Clicked', { object_id: 'p-1', position: 1 }, []],
    ['Object Clicked', { product_id: 7 }, []],
    [
      'Object Clicked',
      { position: 'first' },
      [
        '`properties.object_id` (or `product_id`) is missing: the event is not counted for any product',
        '`properties.position` must be a whole number from 1, received "first"',
      ],
    ],
    [
      'Object Clicked',
      { object_id: { id: 'p' }, position: 0 },
      [
        '`properties.object_id` must be the id of a product, received an object',
        '`properties.position` must be a whole number from 1, received 0',
      ],
    ],
    [
      'Product Added',
      {},
      [
        '`properties.object_id` (or `product_id`) is missing: the event is not counted for any product',
      ],
    ],
    ['Search Submitted', { query: '' }, []],
    ['Search Submitted', {}, ['`properties.query` must be a string, received nothing']],
    ['Order Completed', { products: [{ product_id: 'p', price: 2 }], revenue: 2 }, []],
    [
      'Order Completed',
      { products: [{ name: 'tent' }], revenue: '2 EUR' },
      [
        '`properties.products` has a product without `product_id`',
        '`properties.revenue` must be a number, received "2 EUR"',
      ],
    ],
    [
      'Order Completed',
      {},
      ['`properties.products` must be a list of products with `product_id`, received nothing'],
    ],
    ['Cart Viewed', {}, []],
  ]
  for (const [name, properties, expected] of cases) {
    assert.deepEqual(
      propertyWarnings(event(name, properties)),
      expected,
      JSON.stringify(properties),
    )
  }
  assert.deepEqual(propertyWarnings({ ...event('click', {}), source: 'simple' }), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insightsClient } from './insights-client.ts'
import type { TrackedEvents } from './insights-client.ts'

/** The recorded calls, one per line. */
function recorder(): { told: unknown[][]; events: TrackedEvents } {
  const told: unknown[][] = []
  const tell =
    (name: string) =>
    (...words: unknown[]) =>
      void told.push([name, ...words])
  return {
    told,
    events: {
      visitor: () => ({ anonymousId: 'a1' }),
      identify: tell('identify'),
      clicked: tell('clicked'),
      added: tell('added'),
      ordered: tell('ordered'),
      track: tell('track'),
    },
  }
}

test('calls of InstantSearch become Aisle events', () => {
  const { told, events } = recorder()
  const aa = insightsClient(events)
  const some = { eventName: 'x', index: 'lamps' }
  const found = { ...some, queryID: 's' }
  aa('clickedObjectIDsAfterSearch', { ...found, objectIDs: ['1', '2'], positions: [4, 5] })
  aa('clickedObjectIDs', { ...some, objectIDs: ['1'] })
  aa('clickedObjectIDsAfterSearch', { ...some, objectIDs: ['1'], positions: [3] })
  aa('addedToCartObjectIDsAfterSearch', {
    ...found,
    objectIDs: ['1'],
    objectData: [{ quantity: 2, price: '9.5' }],
  })
  aa('convertedObjectIDsAfterSearch', { ...found, objectIDs: ['1'], eventSubtype: 'addToCart' })
  aa('convertedObjectIDsAfterSearch', { ...found, objectIDs: ['1'] })
  aa('convertedObjectIDs', { ...some, objectIDs: ['1'] })
  aa('purchasedObjectIDs', {
    ...some,
    orderId: 'o1',
    objectIDs: ['1', '2'],
    objectData: [{ quantity: 2, price: 3 }],
    value: 8,
    currency: 'EUR',
  })
  aa('clickedFilters', { ...some, filters: ['brand:A%20%26%20B', 'brand:C', 'bad:%'] })
  aa('viewedObjectIDs', { ...some, objectIDs: ['1'] })
  aa('sendEvents', [{ eventType: 'instantsearch', eventName: '__start__' }])
  aa('init', { appId: 'x' })
  aa('addAlgoliaAgent', 'x')
  aa('onUserTokenChange', undefined)
  assert.deepEqual(told, [
    ['clicked', '1', { search_id: 's', position: 4 }],
    ['clicked', '2', { search_id: 's', position: 5 }],
    ['clicked', '1', {}],
    ['track', 'Object Clicked Outside Search', { object_id: '1', position: 3 }],
    ['added', '1', { search_id: 's', quantity: 2, price: 9.5 }],
    ['added', '1', { search_id: 's' }],
    ['track', 'Object Converted', { object_id: '1', search_id: 's' }],
    ['track', 'Object Converted Outside Search', { object_id: '1' }],
    [
      'ordered',
      {
        orderId: 'o1',
        products: [{ id: '1', quantity: 2, price: 3 }, { id: '2' }],
        revenue: 8,
        currency: 'EUR',
      },
    ],
    ['track', 'Facet Applied', { filters: { brand: ['A & B', 'C'], bad: ['%'] } }],
  ])
})

test('the visitor is that of the events, and a login is reported once', () => {
  const { told, events } = recorder()
  const aa = insightsClient(events)
  let token: unknown
  aa('getUserToken', null, (_: unknown, given: unknown) => (token = given))
  assert.equal(token, 'anonymous-a1')
  aa('setUserToken', token)
  aa('setUserToken', 'u1')
  const known = insightsClient({ ...events, visitor: () => ({ anonymousId: 'a1', userId: 'u1' }) })
  known('setUserToken', 'u1')
  known('setAuthenticatedUserToken', undefined)
  assert.deepEqual(told, [
    ['identify', 'u1'],
    ['identify', undefined],
  ])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposedStoreId } from './store-id.ts'

test('an id is proposed from the name, and is not taken', () => {
  assert.equal(proposedStoreId('Küche & Garten', []), 'kuche-garten')
  assert.equal(proposedStoreId("  Straße's 2nd shop! ", []), 'strasse-s-2nd-shop')
  assert.equal(proposedStoreId('Łódź & Ærø', []), 'lodz-aero')
  assert.equal(proposedStoreId('My shop', ['my-shop', 'my-shop-2']), 'my-shop-3')
  assert.equal(proposedStoreId('商店', []), '')
  assert.match(proposedStoreId('x'.repeat(200), []), /^[A-Za-z0-9_-]{1,64}$/)
})

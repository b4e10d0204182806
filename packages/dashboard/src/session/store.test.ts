import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryLinks, storePath } from './store.ts'

test('links into a store encode its id and the query', () => {
  assert.equal(storePath('my shop'), '/stores/my%20shop/overview')
  assert.deepEqual(queryLinks('shop', 'a&b'), {
    preview: '/stores/shop/preview?q=a%26b',
    rule: '/stores/shop/rules?new=true&q=a%26b',
    fix: '/stores/shop/missed-searches?query=a%26b',
  })
  assert.match(queryLinks('shop', '*').preview, /\?q=$/)
})

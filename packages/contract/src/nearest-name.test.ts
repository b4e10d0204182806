import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { editDistance } from './edit-distance.ts'
import { nearestName } from './nearest-name.ts'

suite('the nearest name', () => {
  test('edits are inserts, deletes, replacements and swaps of neighbours', () => {
    assert.equal(editDistance('', 'abc'), 3)
    assert.equal(editDistance('price', 'pirce'), 1)
    assert.equal(editDistance('colour', 'color'), 1)
    assert.equal(editDistance('kitten', 'sitting'), 3)
    assert.equal(editDistance('ca', 'abc'), 3)
  })

  test('finds the nearest name within the distance', () => {
    const names = ['color', 'price', 'price_old', 'title']
    assert.equal(nearestName('colour', names), 'color')
    assert.equal(nearestName('PIRCE', names), 'price')
    assert.equal(nearestName('price_odl', names), 'price_old')
    assert.equal(nearestName('weight', names), undefined)
    assert.equal(nearestName('tag', ['tags']), 'tags')
    assert.equal(nearestName('ID', ['id']), 'id')
    // One of two letters is a different name, not a typo.
    assert.equal(nearestName('x', ['y', 'id']), undefined)
    assert.equal(nearestName('up', ['id', 'is']), undefined)
    assert.equal(nearestName('colour', ['brand', 'cost', 'hour']), undefined)
    assert.equal(nearestName('category', ['categories', 'gallery']), 'categories')
    assert.equal(nearestName('', names), undefined)
    assert.equal(nearestName('x'.repeat(1_000_000), names), undefined)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectionFilter, collectionsIn } from './collection-names.ts'

const TABLE: readonly (readonly [filter: string, names: readonly string[]])[] = [
  ['', []],
  ['brand:=Fells && price:<20', []],
  ['_collection:summer', ['summer']],
  ['brand:=Fells && _collection:=summer-sale', ['summer-sale']],
  ['!_collection:summer || (_collection:!=winter)', ['summer', 'winter']],
  ['_collection:[summer, `new in`,"a"] && price:<20', ['summer', 'new in', 'a']],
  ['_collection : `new in`', ['new in']],
  ['"_collection":summer AND `_collection`:winter', ['summer', 'winter']],
  ['_collection:summer sale and brand:x', ['summer sale']],
  ['my_collection:summer && _collections:summer', []],
  ['_collection:[a', ['a']],
  ['_collection:', []],
  ['_collection', []],
]

test('the collections that a filter names', () => {
  for (const [filter, names] of TABLE) assert.deepEqual(collectionsIn(filter), names, filter)
})

test('a filter for a collection names it, whatever its characters', () => {
  for (const name of ['summer', 'Sommer 26', 'a.b:c', 'new_in', 'été']) {
    assert.deepEqual(collectionsIn(collectionFilter(name)), [name])
  }
  assert.equal(collectionFilter('summer'), '_collection:summer')
})

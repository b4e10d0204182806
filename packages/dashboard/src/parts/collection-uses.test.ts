import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectionUses, usesText } from './collection-uses.ts'

test('a collection is used by the rules and presets whose filters name it', () => {
  const rules = [
    { name: 'a', value: { when: [{ filter_by: '_collection:sale' }], banner: 'x' } },
    { name: 'b', value: { boost: [{ filter_by: '_collection:[sale, "new in"]', weight: 2 }] } },
    { name: 'c', value: { filter_by: 'brand:=sale' } },
  ]
  const presets = [{ name: 'p', value: { value: { filter_by: 'price:<5 && !_collection:sale' } } }]
  const uses = collectionUses(rules, presets)
  assert.equal(usesText(uses.get('sale')!), 'rule a, rule b, preset p')
  assert.equal(usesText(uses.get('new in')!), 'rule b')
  assert.equal(uses.size, 2)
})

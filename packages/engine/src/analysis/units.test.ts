import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { unitLetter, unitSpelled } from './units.ts'

suite('units', () => {
  test('spellings of a unit have one form', () => {
    const groups = [
      'in inch inches',
      'ft foot feet',
      'lb lbs pound pounds',
      'liter litres',
      'gb gigabyte',
    ]
    for (const group of groups) {
      assert.equal(new Set(group.split(' ').map((word) => unitSpelled(word)?.form)).size, 1, group)
    }
    assert.equal(unitSpelled('shoe'), undefined)
    assert.equal(unitSpelled('constructor'), undefined)
  })

  test('a letter is the symbol of a spelled-out unit', () => {
    assert.equal(unitLetter('w', true), unitSpelled('watts'))
    assert.equal(unitLetter('v', false), unitSpelled('volt'))
    assert.equal(unitLetter('x', true), undefined)
  })

  test('ambiguous letters are units only when attached', () => {
    assert.equal(unitLetter('a', true)?.form, 'amp')
    assert.equal(unitLetter('m', true)?.form, 'meter')
    assert.equal(unitLetter('a', false), undefined)
    assert.equal(unitLetter('m', false), undefined)
  })
})

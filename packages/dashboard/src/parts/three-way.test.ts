import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { differencesOf, lineFields, mergedFields, type Fields } from './three-way.ts'

const fields: fc.Arbitrary<Fields> = fc.dictionary(
  fc.constantFrom('when', 'pin', 'hide', 'banner'),
  fc.constantFrom(1, 2, null, [1]),
  { noNullPrototype: true },
)

suite('two people edit one thing', () => {
  test('changes of different parts come together, in both orders alike', () => {
    const base = { when: 1, pin: 1, hide: 1 }
    const mine = { when: 2, pin: 1, hide: 1 }
    const theirs = { when: 1, hide: 1, banner: 3 }
    assert.deepEqual(mergedFields(base, mine, theirs), { when: 2, hide: 1, banner: 3 })
    fc.assert(
      fc.property(fields, fields, fields, (from, one, other) => {
        assert.deepEqual(mergedFields(from, one, other), mergedFields(from, other, one))
        assert.deepEqual(mergedFields(from, one, from), one)
        assert.deepEqual(mergedFields(from, one, one), one)
      }),
    )
  })

  test('a part that both changed is a conflict, unless they agree', () => {
    assert.equal(mergedFields({ pin: 1 }, { pin: 2 }, { pin: 3 }), undefined)
    assert.equal(mergedFields({ pin: 1 }, { pin: 2 }, {}), undefined)
    assert.deepEqual(mergedFields({ pin: 1 }, { pin: 2 }, { pin: 2 }), { pin: 2 })
    const versions = [{ pin: 1 }, { pin: 2, hide: 4 }, { pin: 3, when: 5 }] as const
    assert.deepEqual(mergedFields(...versions, { pin: 'mine' }), { pin: 2, hide: 4, when: 5 })
    assert.deepEqual(mergedFields(...versions, { pin: 'theirs' }), { pin: 3, hide: 4, when: 5 })
    assert.deepEqual(differencesOf({ pin: 1, hide: 1 }, { pin: 2, hide: 1 }, { pin: 3, hide: 1 }), [
      { name: 'pin', base: 1, mine: 2, theirs: 3, isConflict: true },
    ])
  })

  test('lines that one added and another removed', () => {
    const merged = mergedFields(
      lineFields(['buy', 'cheap']),
      lineFields(['buy', 'cheap', 'free shipping']),
      lineFields(['buy']),
    )
    assert.deepEqual(Object.keys(merged!), ['buy', 'free shipping'])
  })
})

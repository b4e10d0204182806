import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { spreadOver } from './spread.ts'

const take = (values: readonly number[], most: number, parts: number) =>
  spreadOver(values, (value) => value, most, parts)

suite('spread over a range', () => {
  test('each part in turn, rare values too', () => {
    assert.deepEqual(take([1, 1.1, 1.2, 5, 9], 4, 3), [1, 5, 9, 1.1])
    assert.deepEqual(take([], 4, 3), [])
    assert.deepEqual(take([2, 2], 4, 3), [2, 2])
  })

  test('takes as many as there are, each once, with both ends if two parts fit', () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true })
    // 0 and -0 are the same to a set.
    const values = fc.uniqueArray(value, { minLength: 2, comparator: 'SameValueZero' })
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 40 }), (all, most) => {
        const taken = take(all, most, 2)
        assert.equal(taken.length, Math.min(most, all.length))
        assert.equal(new Set(taken).size, taken.length)
        const middle = (Math.min(...all) + Math.max(...all)) / 2
        assert.ok(taken.some((one) => one >= middle))
      }),
    )
  })
})

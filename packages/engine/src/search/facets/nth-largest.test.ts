import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nthLargest } from './nth-largest.ts'

test('equals the n-th of the sorted numbers, small or large', () => {
  const small = fc.nat(5)
  const large = fc.oneof(fc.integer({ min: 1_000, max: 1_100 }), fc.nat(2 ** 31))
  const numbers = fc.oneof(fc.array(small), fc.array(large), fc.array(fc.oneof(small, large)))
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 30 }), (given, n) => {
      const expected = given.toSorted((a, b) => b - a)[n - 1] ?? 0
      assert.equal(nthLargest(given, n), expected)
      assert.equal(nthLargest(Uint32Array.from(given), n), expected)
    }),
    { numRuns: 1_000 },
  )
})

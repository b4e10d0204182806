import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { columnOf, fieldForTest, reopen } from './column-for-test.ts'
import { openValues, writeValues } from './column-values.ts'

const cents = fc.integer({ min: -(2 ** 33), max: 2 ** 33 }).map((number) => number / 100)
const numbers = fc.oneof(
  fc.array(cents),
  fc.array(fc.nat(2 ** 32)),
  fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })),
  fc.array(fc.constantFrom(0, 0.1, 0.5, 19.99, 1.005, 1e300, -1e300, 2 ** 53, 5e-324, 2 ** 32)),
)
const bigints = fc.oneof(
  fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  fc.array(fc.bigInt({ min: 2n ** 62n, max: 2n ** 62n + 2n ** 32n })),
)

/** Distinct, ascending. */
function sorted<T extends number | bigint>(values: readonly T[]): T[] {
  return [...new Set(values.map((value) => (value === 0 ? (0 as T) : value)))].sort((a, b) =>
    a < b ? -1 : 1,
  )
}

test('numbers are read as written, in 4 bytes or in 8', () => {
  let compact = 0
  fc.assert(
    fc.property(numbers, (given) => {
      const values = sorted(given)
      const sections = reopen((writer) => writeValues(7, Float64Array.from(values), writer))
      if (sections.has('column.7.offsets')) compact++
      const read = openValues(7, 'numbers', sections)
      assert.deepEqual(
        Array.from({ length: read.count }, (_, rank) => read.number(rank)),
        values,
      )
    }),
    { numRuns: 1_000 },
  )
  assert.ok(compact > 100)
})

test('int64 are read as written, in 4 bytes or in 8', () => {
  let compact = 0
  fc.assert(
    fc.property(bigints, (given) => {
      const values = sorted(given)
      const sections = reopen((writer) => writeValues(7, BigInt64Array.from(values), writer))
      if (sections.has('column.7.offsets')) compact++
      const read = openValues(7, 'bigints', sections)
      assert.deepEqual(
        Array.from({ length: read.count }, (_, rank) => read.bigint(rank)),
        values,
      )
    }),
    { numRuns: 500 },
  )
  assert.ok(compact > 50)
})

test('reading a number out of a column of texts is an error', () => {
  const column = columnOf(fieldForTest('string'), ['a'])!
  assert.throws(() => column.number(0), /wrong type/)
})

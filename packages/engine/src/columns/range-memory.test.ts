import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newBitset } from '../codec/bitset.ts'
import { columnOf, fieldForTest } from './column-for-test.ts'
import { ordinalBuckets } from './ordinal-buckets.ts'
import { setOrdRange } from './ordinal-kernels.ts'
import { RangeMemory } from './range-memory.ts'

const DOC_COUNT = 70_001

/** Columns of 8, 16 and 32 bits; one document in sixty has no value, another a frequent one. */
const columns = [3, 200, 2_000, 1_000_003].map((valueCount) =>
  columnOf(
    fieldForTest('int32'),
    Array.from({ length: DOC_COUNT }, (_, i) => {
      if (i % 60 === 0) return Math.floor(valueCount / 2)
      return i % 60 === 1 ? undefined : (i * 7_919) % valueCount
    }),
  )!,
)

test('there is a column of each width', () => {
  assert.deepEqual(
    columns.map(({ ordBits }) => ordBits),
    [8, 8, 16, 32],
  )
})

test('the documents of a range equal those of the plain loop', () => {
  const memory = new RangeMemory(undefined, 0)
  for (const column of columns) {
    const ord = fc.nat(column.ordCount - 1)
    fc.assert(
      fc.property(ord, fc.oneof(ord, fc.nat(3)), (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        const bits = newBitset(DOC_COUNT).fill(0x55555555)
        const expected = newBitset(DOC_COUNT)
        memory.setOrdRange(column, low, high, bits)
        setOrdRange(column, low, high, expected)
        assert.deepEqual(bits, expected)
      }),
      { numRuns: 60 },
    )
  }
})

test('likewise in small columns of any values, with or without buckets', () => {
  const values = fc.array(fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined }), {
    minLength: 1,
    maxLength: 1_500,
    size: 'max',
  })
  const input = fc.record({
    values,
    bucketsMax: fc.constantFrom(8, 50, 300),
    ends: fc.tuple(fc.nat(), fc.nat()),
  })
  fc.assert(
    fc.property(input, ({ values, bucketsMax, ends }) => {
      const column = columnOf(fieldForTest('int32'), values)
      if (column === undefined) return
      const memory = new RangeMemory(undefined, 0, bucketsMax)
      const [one, other] = ends.map((end) => end % column.ordCount) as [number, number]
      const [low, high] = [Math.min(one, other), Math.max(one, other)]
      const expected = newBitset(values.length)
      setOrdRange(column, low, high, expected)
      for (let i = 0; i < 3; i++) {
        const bits = newBitset(values.length)
        memory.setOrdRange(column, low, high, bits)
        assert.deepEqual(bits, expected)
      }
    }),
    { numRuns: 300 },
  )
})

test('a range is found without space for a copy, and an empty range is empty', () => {
  const memory = new RangeMemory(100, 0)
  const column = columns[3]!
  const expected = newBitset(DOC_COUNT)
  setOrdRange(column, 5, 9_000, expected)
  for (let i = 0; i < 3; i++) {
    const bits = newBitset(DOC_COUNT)
    memory.setOrdRange(column, 5, 9_000, bits)
    assert.deepEqual(bits, expected)
    memory.setOrdRange(column, 10, 9, bits)
    assert.deepEqual(bits, newBitset(DOC_COUNT))
  }
})

test('buckets are few and balanced, and frequent values have a separate one', () => {
  for (const column of columns.slice(1)) {
    const { firstOrds, bucketOf } = ordinalBuckets(column, 128)
    assert.ok(firstOrds.length <= 129)
    assert.deepEqual([firstOrds[0], firstOrds[1], firstOrds.at(-1)], [0, 1, column.ordCount])
    const docs = new Uint32Array(firstOrds.length)
    for (const ord of column.ords) {
      const bucket = bucketOf[ord]!
      assert.ok(ord >= firstOrds[bucket]! && ord < firstOrds[bucket + 1]!)
      docs[bucket]!++
    }
    const isShared = (bucket: number) => firstOrds[bucket + 1]! - firstOrds[bucket]! > 1
    const largest = docs.reduce((most, n, i) => (isShared(i) ? Math.max(most, n) : most), 0)
    assert.ok(largest <= DOC_COUNT / 50, `${largest} documents share a bucket`)
  }
})

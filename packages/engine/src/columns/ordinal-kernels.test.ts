import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasBit, newBitset, popcount, setBit } from '../codec/bitset.ts'
import { columnOf, fieldForTest } from './column-for-test.ts'
import {
  countLiveOrds,
  countOrds,
  countTouchedOrds,
  setAcceptedOrds,
  setOrdRange,
} from './ordinal-kernels.ts'

const DOC_COUNT = 70_001

/** Columns of 8, 16 and 32 bits, every fifth document without a value. */
const columns = [100, 1_000, 70_000].map((valueCount) =>
  columnOf(
    fieldForTest('int32'),
    Array.from({ length: DOC_COUNT }, (_, i) =>
      i % 5 === 4 && valueCount < 70_000 ? undefined : (i * 11) % valueCount,
    ),
  )!,
)

test('there is a column of each width', () => {
  assert.deepEqual(
    columns.map((column) => column.ordBits),
    [8, 16, 32],
  )
})

test('a range of ordinals sets the bits of the documents in it', () => {
  for (const column of columns) {
    for (const [low, high] of [
      [1, column.ordCount - 1],
      [3, 50],
      [0, 0],
      [10, 9],
    ] as const) {
      const bits = newBitset(DOC_COUNT).fill(0xffffffff)
      setOrdRange(column, low, high, bits)
      let wrong = 0
      let count = 0
      column.ords.forEach((ord, doc) => {
        const isIn = ord >= low && ord <= high
        if (isIn) count++
        if (hasBit(bits, doc) !== isIn) wrong++
      })
      assert.deepEqual([wrong, popcount(bits)], [0, count])
    }
  }
})

test('accepted ordinals set the bits of their documents', () => {
  for (const column of columns) {
    const accepted = Uint8Array.from({ length: column.ordCount }, (_, ord) =>
      ord % 3 === 0 ? 1 : 0,
    )
    const bits = newBitset(DOC_COUNT).fill(0xffffffff)
    setAcceptedOrds(column, accepted, bits)
    const expected = newBitset(DOC_COUNT)
    column.ords.forEach((ord, doc) => {
      if (ord % 3 === 0) setBit(expected, doc)
    })
    assert.deepEqual(bits, expected)
  }
})

test('documents are counted by ordinal, from a list and by live documents', () => {
  const live = newBitset(DOC_COUNT)
  const docs = new Uint32Array(DOC_COUNT)
  let count = 0
  for (let doc = 0; doc < DOC_COUNT; doc++) {
    if (doc % 7 === 3) continue
    setBit(live, doc)
    docs[count++] = doc
  }
  for (const column of columns) {
    const expected = new Uint32Array(column.ordCount)
    for (const doc of docs.subarray(0, count)) expected[column.ords[doc]!]!++
    const listed = new Uint32Array(column.ordCount)
    countOrds(column, docs, count, listed)
    assert.deepEqual(listed, expected)
    const alive = new Uint32Array(column.ordCount)
    countLiveOrds(column, live, alive)
    assert.deepEqual(alive, expected)
    const all = new Uint32Array(column.ordCount)
    countLiveOrds(column, undefined, all)
    assert.equal(
      all.reduce((sum, n) => sum + n, 0),
      DOC_COUNT,
    )
  }
  const column = columns[2]!
  const counts = new Uint32Array(column.ordCount)
  const touched = new Uint32Array(201)
  const first = countTouchedOrds(column, docs, 100, counts, touched, 0)
  const length = countTouchedOrds(column, docs.subarray(50), 100, counts, touched, first)
  const distinct = new Set(Array.from(docs.subarray(0, 150), (doc) => column.ords32[doc]!))
  assert.deepEqual(new Set(touched.subarray(0, length)), distinct)
  assert.equal(length, distinct.size)
  assert.equal(counts[column.ords32[docs[60]!]!], 2)
})
